// The keeper when its store cannot be written, and servers that write their references to files.
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../eventually.h"
#include "imr/process/identity.h"
#include "imr/service/keeper.h"

namespace takt::imr {
namespace {

using namespace std::chrono_literals;
using takt::test::eventually;

// While it lives, files of this process do not grow, as on a full disk.
class FullDisk {
 public:
  FullDisk() : before_(::signal(SIGXFSZ, SIG_IGN)) {
    EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &room_), 0);
    const rlimit none{0, room_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &room_), 0);
    ::signal(SIGXFSZ, before_);
  }

 private:
  rlimit room_{};
  void (*before_)(int);
};

class Reports {
 public:
  void add(const std::string& text) {
    const std::lock_guard lock(mutex_);
    all_.push_back(text);
    added_.notify_all();
  }
  bool come(const std::string& begin) {
    std::unique_lock lock(mutex_);
    return added_.wait_for(lock, 10s, [&] { return !all_.empty() && all_.back().starts_with(begin); });
  }
  std::size_t count() {
    const std::lock_guard lock(mutex_);
    return all_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable added_;
  std::vector<std::string> all_;
};

TEST(ImrKeeper, WritesAProcessAgainThatTheStoreHadNoRoomFor) {
  std::string folder = (std::filesystem::temp_directory_path() / "keeper.XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::string path = folder + "/imr.db";
  Reports reports;
  {
    auto store = Store::open(path);
    ASSERT_TRUE(store) << store.error();
    Keeper keeper(std::move(*store), {}, {},
                  {.ping = [](const Place&) { return Server::Pinged::alive; },
                   .exists = [](const std::string&) { return true; },
                   .shut_down = [](const Place&, const std::string&) {},
                   .is_reference = [](const std::string&) { return true; },
                   .ticket = [](const std::string&, const std::string&, std::uint64_t) { return ""; }},
                  [&reports](const std::string& text) { reports.add(text); });
    keeper.begin();
    ASSERT_TRUE(keeper.add({.name = "one"}));
    {
      const FullDisk full;
      EXPECT_TRUE(keeper.is_running("one", 0, {.reference = "IOR:1"}, false));
      EXPECT_TRUE(reports.come("the store cannot be written: "));
    }
    EXPECT_TRUE(reports.come("the store is writable again")) << "nothing else changes";
    EXPECT_EQ(reports.count(), 2u);
  }
  {
    const auto store = Store::open(path);
    ASSERT_TRUE(store) << store.error();
    const auto servers = store->read();
    ASSERT_TRUE(servers && servers->size() == 1);
    ASSERT_EQ(servers->front().processes.size(), 1u);
    EXPECT_EQ(servers->front().processes.front().reference, "IOR:1");
  }
  std::filesystem::remove_all(folder);
}

// A user who opens the file before it is private reads tokens later.
TEST(ImrKeeper, ANewStoreIsItsOwnersFromTheFirstMoment) {
  std::string folder = (std::filesystem::temp_directory_path() / "keeper.XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const int notified = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  ASSERT_GE(notified, 0);
  ASSERT_GE(::inotify_add_watch(notified, folder.c_str(), IN_CREATE | IN_ATTRIB), 0);
  const mode_t before = ::umask(0);
  EXPECT_TRUE(Store::open(folder + "/imr.db"));
  ::umask(before);
  alignas(inotify_event) char events[4096];
  const auto octets = ::read(notified, events, sizeof events);
  ::close(notified);
  std::size_t creations = 0, changes = 0;
  for (::ssize_t at = 0; at < octets;) {
    const auto* const event = reinterpret_cast<const inotify_event*>(events + at);
    if (std::string(event->name) == "imr.db") ++((event->mask & IN_CREATE) != 0 ? creations : changes);
    at += static_cast<::ssize_t>(sizeof *event + event->len);
  }
  EXPECT_EQ(creations, 1u);
  EXPECT_EQ(changes, 0u) << "of its permissions";
  struct stat state{};
  ASSERT_EQ(::stat((folder + "/imr.db").c_str(), &state), 0);
  EXPECT_EQ(state.st_mode & 0777, 0600u);
  std::filesystem::remove_all(folder);
}

TEST(ImrKeeper, LeavesFilesOfOthersAsTheyAre) {
  using std::filesystem::perms;
  std::string folder = (std::filesystem::temp_directory_path() / "keeper.XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::string other = folder + "/notes", own = folder + "/imr.db";
  std::ofstream(other) << "no database";
  std::filesystem::permissions(other, perms(0644));
  EXPECT_FALSE(Store::open(other));
  EXPECT_EQ(std::filesystem::status(other).permissions(), perms(0644));
  {
    const auto store = Store::open(own);
    ASSERT_TRUE(store) << store.error();
    for (const std::string& each : {own, own + "-wal"})
      EXPECT_EQ(std::filesystem::status(each).permissions(), perms(0600)) << each;
  }
  std::filesystem::permissions(own, perms(0644));
  EXPECT_TRUE(Store::open(own));
  EXPECT_EQ(std::filesystem::status(own).permissions(), perms(0600));
  std::filesystem::remove_all(folder);
}

// Anyone may register without a secret, and each time name a process that does not answer.
TEST(ImrKeeper, RegistrationsWithoutASecretKeepOneThreadWaitingAtMost) {
  std::promise<void> answer;
  const auto answered = answer.get_future().share();
  std::atomic<int> pings = 0;
  Keeper keeper(std::nullopt, {}, {},
                {.ping =
                     [&](const Place&) {
                       ++pings;
                       answered.wait();
                       return Server::Pinged::unclear;
                     },
                 .exists = [](const std::string&) { return true; },
                 .shut_down = [](const Place&, const std::string&) {},
                 .is_reference = [](const std::string&) { return true; },
                 .ticket = [](const std::string&, const std::string&, std::uint64_t) { return ""; }},
                [](const std::string&) {});
  keeper.begin();
  ASSERT_TRUE(keeper.add({.name = "one"}));
  ASSERT_TRUE(keeper.is_running_somewhere("one", {.reference = "IOR:1"}));
  const auto registers = [&keeper](const char* reference) {
    return std::async(std::launch::async, [&keeper, reference] {
      return keeper.is_running_somewhere("one", {.reference = reference}).has_value();
    });
  };
  auto first = registers("IOR:2");
  EXPECT_TRUE(eventually([&] { return pings != 0; }));
  auto second = registers("IOR:3");
  EXPECT_EQ(second.wait_for(10s), std::future_status::ready);
  EXPECT_EQ(pings, 1);
  answer.set_value();
  EXPECT_FALSE(first.get());
  EXPECT_FALSE(second.get());
}

// Tells the answer to a request.
struct Call final : Caller {
  explicit Call(std::promise<std::string> to) : answer(std::move(to)) {}
  bool forward(const Place& place) override {
    answer.set_value(place.reference);
    return true;
  }
  void refuse(const std::string& why) override { answer.set_value(why); }

  std::promise<std::string> answer;
};

// A repository that is killed while it starts many servers must not leave processes that the next one does
// not know.
TEST(ImrKeeper, WritesEachProcessBeforeTheNextStart) {
  std::string folder = (std::filesystem::temp_directory_path() / "keeper.XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  std::filesystem::create_directory(folder + "/copy");
  auto store = Store::open(folder + "/imr.db");
  ASSERT_TRUE(store) << store.error();
  std::vector<StoredServer> servers;
  for (const char* const name : {"first", "second"}) {
    servers.push_back({.definition = {.name = name, .command = {"/bin/sleep", "60"}, .mode = Mode::automatic},
                       .token = name});
    ASSERT_TRUE(store->write(servers.back().definition, name));
  }
  std::promise<void> copied;
  const auto ticket = [&](const std::string& server, const std::string&, std::uint64_t) {
    if (server == "second") {
      for (const auto& file : std::filesystem::directory_iterator(folder))
        if (file.is_regular_file()) std::filesystem::copy(file, folder + "/copy");
      copied.set_value();
    }
    return std::string();
  };
  Keeper keeper(std::move(*store), servers, {},
                {.ping = [](const Place&) { return Server::Pinged::alive; },
                 .exists = [](const std::string&) { return true; },
                 .shut_down = [](const Place&, const std::string&) {},
                 .is_reference = [](const std::string&) { return true; },
                 .ticket = ticket},
                [](const std::string&) {});
  keeper.begin();
  ASSERT_EQ(copied.get_future().wait_for(10s), std::future_status::ready);
  const auto copy = Store::open(folder + "/copy/imr.db");
  ASSERT_TRUE(copy) << copy.error();
  const auto found = copy->read();
  ASSERT_TRUE(found) << found.error();
  ASSERT_EQ(found->at(0).processes.size(), 1u);
  EXPECT_EQ(found->at(0).processes[0].pid, keeper.look("first")->processes.at(0).pid);
  keeper.end();
  for (const ServerState& state : keeper.look())
    for (const Process& process : state.processes)
      if (process.pid > 0) ::kill(process.pid, SIGKILL);
  std::filesystem::remove_all(folder);
}

TEST(ImrKeeper, ShowsServersInParts) {
  std::vector<StoredServer> servers;
  for (const char* const name : {"a", "b", "c", "d"})
    servers.push_back({.definition = {.name = name}, .token = name});
  const Keeper keeper(std::nullopt, servers, {}, {}, {});
  const auto names_after = [&](const std::string& name) {
    std::string names;
    for (const ServerState& each : keeper.look_after(name, 2)) names += each.name;
    return names;
  };
  EXPECT_EQ(names_after(""), "ab");
  EXPECT_EQ(names_after("b"), "cd");
  EXPECT_EQ(names_after("bb"), "cd") << "of a server that was removed";
  EXPECT_EQ(names_after("c"), "d");
  EXPECT_EQ(names_after("d"), "");
}

// A pid and the time since the boot may be those of another process on a machine that boots alike each time.
TEST(ImrKeeper, TakesNoProcessOfAnotherBoot) {
  const std::string own = process_identity(::getpid()), ticks = own.substr(own.rfind(' ') + 1);
  ASSERT_LT(ticks.size(), own.size());
  const auto adopts = [](const std::string& identity) {
    const StoredServer server{
        .definition = {.name = "one"},
        .token = "secret",
        .processes = {
            {.start = 1, .local = true, .pid = ::getpid(), .identity = identity, .reference = "IOR:1"}}};
    Keeper keeper(std::nullopt, {server}, {}, {}, {});
    return keeper.look("one")->processes.size() == 1;
  };
  EXPECT_TRUE(adopts(own));
  EXPECT_TRUE(adopts(ticks)) << "as stores of earlier versions have it";
  EXPECT_FALSE(adopts("another-boot " + ticks));
  EXPECT_FALSE(adopts(own + "1"));
  EXPECT_FALSE(adopts(""));
}

// The mode may change before the next repository starts, which must not take a process of one client for that
// of all, nor the other way round.
TEST(ImrKeeper, TheNextOneKnowsWhichProcessesHaveOneClient) {
  std::string folder = (std::filesystem::temp_directory_path() / "keeper.XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  for (const Mode mode : {Mode::per_client, Mode::normal}) {
    const std::string path = folder + "/imr.db";
    auto store = Store::open(path);
    ASSERT_TRUE(store) << store.error();
    {
      Keeper keeper(std::move(*store), {}, {},
                    {.ping = [](const Place&) { return Server::Pinged::alive; },
                     .exists = [](const std::string&) { return true; },
                     .shut_down = [](const Place&, const std::string&) {},
                     .is_reference = [](const std::string&) { return true; },
                     .ticket = [](const std::string&, const std::string&, std::uint64_t) { return ""; }},
                    [](const std::string&) {});
      keeper.begin();
      ASSERT_TRUE(keeper.add({.name = "one", .command = {"/bin/sleep", "60"}, .mode = mode}));
      std::promise<std::string> unused;
      keeper.request("one", std::make_unique<Call>(std::move(unused)));
      EXPECT_TRUE(eventually([&] {
        const auto processes = keeper.look("one")->processes;
        return !processes.empty() && processes.front().pid != 0;
      }));
    }
    const auto again = Store::open(path);
    ASSERT_TRUE(again) << again.error();
    auto servers = again->read();
    ASSERT_TRUE(servers && servers->size() == 1 && servers->front().processes.size() == 1);
    StoredServer& server = servers->front();
    const auto has_one_client = [&] {
      Keeper next(std::nullopt, *servers, {}, {}, {});
      const auto processes = next.look("one")->processes;
      return !processes.empty() && processes.front().one_client;
    };
    for (const Mode changed : {Mode::normal, Mode::per_client}) {
      server.definition.mode = changed;
      EXPECT_EQ(has_one_client(), mode == Mode::per_client);
    }
    server.processes.front().one_client.reset();
    EXPECT_TRUE(has_one_client()) << "earlier versions did not write it: the mode decides";
    ASSERT_GT(server.processes.front().pid, 0);
    ::kill(server.processes.front().pid, SIGKILL);
    std::filesystem::remove(path);
  }
  std::filesystem::remove_all(folder);
}

struct GoneCall final : Caller {
  bool forward(const Place&) override { return false; }
  void refuse(const std::string&) override {}
};

// Clients of a server of mode per-client that hang up leave no processes behind.
TEST(ImrKeeper, AProcessWhoseClientHasGoneGetsTheNextOrEnds) {
  Keeper keeper(std::nullopt, {}, {},
                {.ping = [](const Place&) { return Server::Pinged::alive; },
                 .exists = [](const std::string&) { return true; },
                 .shut_down = [](const Place&, const std::string&) {},
                 .is_reference = [](const std::string&) { return true; },
                 .ticket = [](const std::string&, const std::string&, std::uint64_t) { return ""; }},
                [](const std::string&) {});
  keeper.begin();
  ASSERT_TRUE(keeper.add(
      {.name = "one", .command = {"/bin/sleep", "60"}, .mode = Mode::per_client, .most_processes = 1}));
  const auto process = [&] { return keeper.look("one")->processes; };
  const auto has_ended = [&] { return process().empty(); };
  const auto serves = [&] {
    EXPECT_TRUE(eventually([&] {
      const auto processes = process();
      return !processes.empty() && processes.front().pid != 0;
    }));
    const Process started = process().at(0);
    return keeper.is_running("one", started.start, {.reference = "IOR:1", .pid = started.pid}, true);
  };
  keeper.request("one", std::make_unique<GoneCall>());
  keeper.request("one", std::make_unique<GoneCall>());
  std::promise<std::string> answer;
  auto answered = answer.get_future();
  keeper.request("one", std::make_unique<Call>(std::move(answer)));
  ASSERT_TRUE(serves());
  ASSERT_EQ(answered.wait_for(0s), std::future_status::ready);
  EXPECT_EQ(answered.get(), "IOR:1");
  EXPECT_EQ(process().front().phase, Phase::running);
  ASSERT_GT(process().at(0).pid, 0);
  ::kill(process().at(0).pid, SIGKILL);
  EXPECT_TRUE(eventually(has_ended));

  keeper.request("one", std::make_unique<GoneCall>());
  ASSERT_TRUE(serves());
  EXPECT_TRUE(eventually(has_ended)) << "it was asked to end";
  EXPECT_EQ(keeper.look("one")->counts.failures, 1u) << "that of the process that was killed";
}

TEST(ImrKeeper, FollowsAServerWithoutACommandFromAMachineThatIsOff) {
  std::string file = (std::filesystem::temp_directory_path() / "reference.XXXXXX").string();
  const int made = ::mkstemp(file.data());
  ASSERT_GE(made, 0);
  ::close(made);
  std::ofstream(file) << "IOR:1\n";
  const auto ping = [&](const Place& place) {
    if (place.reference != "IOR:1") return Server::Pinged::alive;
    std::ofstream(file) << "IOR:2\n";
    return Server::Pinged::unreachable;
  };
  Keeper keeper(std::nullopt, {}, {},
                {.ping = ping,
                 .exists = [](const std::string&) { return true; },
                 .shut_down = [](const Place&, const std::string&) {},
                 .is_reference = [](const std::string& text) { return text.starts_with("IOR:"); },
                 .ticket = [](const std::string&, const std::string&, std::uint64_t) { return ""; }},
                [](const std::string&) {});
  keeper.begin();
  ASSERT_TRUE(keeper.add({.name = "one", .reference_file = file}));
  std::promise<std::string> answer;
  auto answered = answer.get_future();
  keeper.request("one", std::make_unique<Call>(std::move(answer)));
  ASSERT_EQ(answered.wait_for(10s), std::future_status::ready);
  EXPECT_EQ(answered.get(), "IOR:2");
  keeper.end();
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace takt::imr

// Storage in SQLite, and concurrent changes by many threads.
#include "naming/store/store.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <shared_mutex>
#include <thread>

#include "naming/store/committer.h"

namespace takt::naming {
namespace {

using Action = Change::Action;

class Folder {
 public:
  Folder() { EXPECT_NE(::mkdtemp(name_), nullptr); }
  ~Folder() { std::filesystem::remove_all(name_); }
  std::string operator/(const std::string& file) const { return std::string(name_) + "/" + file; }

 private:
  char name_[32] = "/tmp/takt-naming-XXXXXX";
};

Binding kept_object(const std::string& reference) {
  return {.kind = BindingKind::object, .reference = reference};
}
Change to_bind(ContextId context, const std::string& key, Binding binding) {
  return {.action = Action::bind, .context = context, .key = key, .binding = std::move(binding)};
}

std::string octets_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Store opened(const std::string& path) {
  auto store = Store::open(path);
  if (!store) throw std::runtime_error(store.error());
  return std::move(*store);
}
Tree tree_of(const Store& store) {
  Tree tree;
  const auto read = store.read(tree);
  EXPECT_TRUE(read) << read.error();
  return tree;
}

TEST(NamingStore, SaysWhichPermissionIsMissing) {
  const Folder folder;
  const std::string path = folder / "names";
  {
    const Store store = opened(path);
  }
  std::filesystem::permissions(path, std::filesystem::perms(0444));
  std::filesystem::permissions(folder / ".", std::filesystem::perms(0755));
  constexpr ::uid_t nobody = 65534;  // root may write everything
  const ::pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::setuid(nobody) != 0) ::_exit(2);
    const auto store = Store::open(path);
    const std::string expected = path + " cannot be written by user " + std::to_string(::geteuid());
    ::_exit(!store && store.error().find(expected) != std::string::npos ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(NamingStore, IsReadAsItWasWritten) {
  const Folder folder;
  const std::string zeros("a\0b\xff", 4);
  {
    Store store = opened(folder / "names");
    EXPECT_EQ(tree_of(store).bindings(), 0u);
    Change made = to_bind(root_context, "sub", {.kind = BindingKind::context, .context = 7});
    made.creates = true;
    const Change second = to_bind(7, zeros, kept_object(zeros));
    const Change third = to_bind(7, "gone", kept_object("x"));
    const Change foreign = to_bind(7, "", {.kind = BindingKind::foreign_context, .reference = "F"});
    const Change created{.action = Action::create, .context = 9, .old_key = zeros};
    const Change* first_batch[] = {&made, &second, &third, &foreign, &created};
    ASSERT_TRUE(store.write(first_batch));
    const Change unbound{.action = Action::unbind, .context = 7, .key = "gone"};
    const Change destroyed{.action = Action::destroy, .context = 9};
    const Change* second_batch[] = {&unbound, &destroyed};
    ASSERT_TRUE(store.write(second_batch));
  }
  Store store = opened(folder / "names");
  Tree tree = tree_of(store);
  EXPECT_EQ(tree.bindings(), 3u);
  EXPECT_EQ(tree.contexts(), 2u);
  EXPECT_EQ(*tree.find(7, zeros), kept_object(zeros));
  EXPECT_EQ(tree.find(7, "")->kind, BindingKind::foreign_context);
  EXPECT_EQ(tree.find(7, "gone"), nullptr);
  EXPECT_EQ(tree.new_id(), 10u) << "the id of a destroyed context is not given again";
}

TEST(NamingStore, WritesAllOrNothing) {
  const Folder folder;
  Store store = opened(folder / "names");
  const Change good = to_bind(root_context, "a", kept_object("A"));
  const Change twice{.action = Action::create, .context = root_context};  // exists already
  const Change* batch[] = {&good, &twice};
  const auto written = store.write(batch);
  ASSERT_FALSE(written);
  EXPECT_FALSE(written.error().maybe_done);
  EXPECT_EQ(tree_of(store).bindings(), 0u);
  const Change* again[] = {&good};
  EXPECT_TRUE(store.write(again)) << "it can be written after a failure";
  EXPECT_EQ(tree_of(store).bindings(), 1u);
}

// A change that is written to a file which the next start does not find is lost.
TEST(NamingStore, RefusesChangesOfAFileThatHasGone) {
  const Folder folder;
  const std::string path = folder / "names", elsewhere = folder / "elsewhere";
  Store store = opened(path);
  const auto bound = [&store](const char* key) {
    const Change change = to_bind(root_context, key, kept_object("x"));
    const Change* const changes[] = {&change};
    return store.write(changes);
  };
  ASSERT_TRUE(bound("a"));
  std::filesystem::rename(path, elsewhere);
  const auto moved = bound("b");
  ASSERT_FALSE(moved);
  EXPECT_FALSE(moved.error().maybe_done);
  EXPECT_NE(moved.error().text.find("moved or removed"), std::string::npos) << moved.error().text;
  std::ofstream(path) << "another file";
  EXPECT_FALSE(bound("c"));
  std::filesystem::rename(elsewhere, path);
  EXPECT_TRUE(bound("d"));
  std::filesystem::remove(path + "-wal");
  EXPECT_FALSE(bound("e"));
}

TEST(NamingStore, RefusesOtherFilesAndSecondOwners) {
  const Folder folder;
  std::ofstream(folder / "text")
      << "This is no database, however long one reads, and it will not become one.";
  EXPECT_FALSE(Store::open(folder / "text"));
  EXPECT_FALSE(Store::open(folder / "no folder/names"));
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "other").c_str(), &other), SQLITE_OK);
  sqlite3_exec(other, "CREATE TABLE t (x)", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  const auto nowhere = Store::open(folder / "nothing/names");
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().find("No such file or directory"), std::string::npos) << nowhere.error();
  const std::string as_it_was = octets_in(folder / "other");
  EXPECT_FALSE(Store::open(folder / "other"));
  EXPECT_EQ(octets_in(folder / "other"), as_it_was) << "a file of another program was changed";
  const Store first = opened(folder / "names");
  const auto second = Store::open(folder / "names");
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().find("another process has it open"), std::string::npos) << second.error();
}

struct CommitterTest : testing::Test {
  Committer::Outcome made(Change change) { return committer.carry_out(std::move(change)); }

  const Folder folder;
  Tree tree;
  TreeMutex mutex;
  Committer committer{tree, mutex, std::make_unique<Store>(opened(folder / "names")), Limits{}};
};

TEST_F(CommitterTest, GivesIdsAndRefusals) {
  Change sub = to_bind(root_context, "sub", {.kind = BindingKind::context});
  sub.creates = true;
  const auto id = made(sub);
  ASSERT_TRUE(id);
  EXPECT_EQ(tree.find(root_context, "sub")->context, *id);
  EXPECT_EQ(std::get<Refusal>(made(sub).error()), Refusal::already_bound);
  EXPECT_TRUE(made(to_bind(*id, "x", kept_object("X"))));
  EXPECT_EQ(std::get<Refusal>(made({.action = Action::destroy, .context = *id}).error()), Refusal::not_empty);
}

TEST(NamingCommitter, ReplacedBindingsTakeNoNewPlace) {
  Tree tree;
  TreeMutex mutex;
  Committer committer(tree, mutex, nullptr, {.bindings = 3});
  const auto to_rebind = [](const std::string& key) {
    return Change{
        .action = Action::rebind, .context = root_context, .key = key, .binding = kept_object("new")};
  };
  committer.carry_out({to_bind(root_context, "a", kept_object("A")), to_rebind("b")});
  const auto outcomes = committer.carry_out(
      {to_rebind("a"), to_rebind("b"), to_rebind("c"), to_bind(root_context, "d", kept_object("D"))});
  EXPECT_TRUE(outcomes[0] && outcomes[1] && outcomes[2]);
  ASSERT_FALSE(outcomes[3]);
  EXPECT_EQ(std::get<Refusal>(outcomes[3].error()), Refusal::too_many_bindings);
}

// Changes in one call that depend on each other are made in order.
TEST_F(CommitterTest, ChangesOfOneNameKeepTheirOrder) {
  const auto outcomes = committer.carry_out({to_bind(root_context, "a", kept_object("A")),
                                             to_bind(root_context, "a", kept_object("B")),
                                             {.action = Action::unbind, .context = root_context, .key = "a"},
                                             to_bind(root_context, "a", kept_object("C"))});
  ASSERT_EQ(outcomes.size(), 4u);
  EXPECT_TRUE(outcomes[0] && !outcomes[1] && outcomes[2] && outcomes[3]);
  EXPECT_EQ(*tree.find(root_context, "a"), kept_object("C"));
  const ContextId id = *made({.action = Action::create});
  const auto ending =
      committer.carry_out({to_bind(id, "x", kept_object("X")), {.action = Action::destroy, .context = id}});
  EXPECT_TRUE(ending[0]);
  EXPECT_EQ(std::get<Refusal>(ending[1].error()), Refusal::not_empty);
  EXPECT_TRUE(committer.carry_out(std::vector<Change>{}).empty());
}

TEST_F(CommitterTest, OneOfManyBindsAName) {
  constexpr int threads = 8, names = 50;
  std::atomic<int> bound{0}, read{0};
  std::atomic<bool> over{false};
  std::thread reader([&] {
    while (!over) {
      const std::shared_lock lock(mutex);
      if (tree.find(root_context, "7")) ++read;
    }
  });
  {
    std::vector<std::jthread> writers;
    for (int thread = 0; thread < threads; ++thread)
      writers.emplace_back([&, thread] {
        for (int i = 0; i < names; ++i)
          bound +=
              made(to_bind(root_context, std::to_string(i), kept_object(std::to_string(thread)))).has_value();
      });
  }
  over = true;
  reader.join();
  EXPECT_EQ(bound, names);
  EXPECT_EQ(tree.bindings(), static_cast<std::uint64_t>(names));
}

// A failing store is reported once, and once when it works again.
TEST(NamingCommitter, TellsOfAStoreThatFails) {
  const Folder folder;
  std::vector<std::string> told;
  Tree tree;
  TreeMutex mutex;
  Store store = opened(folder / "names");
  // The store has a context that the tree does not know, so creating it fails in the store.
  const Change created{.action = Action::create, .context = root_context + 1};
  const Change* batch[] = {&created};
  ASSERT_TRUE(store.write(batch));
  Committer committer(tree, mutex, std::make_unique<Store>(std::move(store)), Limits{},
                      [&](const std::string& why) { told.push_back(why); });
  const auto refused = committer.carry_out({.action = Action::create});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(std::holds_alternative<StoreFault>(refused.error()));
  EXPECT_EQ(tree.contexts(), 1u) << "what is not on disk is not in the tree";
  EXPECT_TRUE(committer.carry_out({.action = Action::create}));
  EXPECT_TRUE(committer.carry_out({.action = Action::create}));
  ASSERT_EQ(told.size(), 2u);
  EXPECT_NE(told[0], "");
  EXPECT_EQ(told[1], "");
}

}  // namespace
}  // namespace takt::naming

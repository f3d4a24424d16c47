// The log of one ORB: its ring, thread and output.
#include "logs/log.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <latch>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "../../eventually.h"
#include "logs/log_ring.h"

namespace takt::logs {

namespace {

using namespace std::chrono_literals;
using takt::test::eventually;

// A folder that lives as long as the test.
class Logging : public testing::Test {
 protected:
  Logging() {
    char name[] = "/tmp/takt-log-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  ~Logging() override { (void)std::system(("rm -rf " + folder_).c_str()); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  static void begin(Log& log, const std::string& to, LogLevel level = LogLevel::info,
                    LogFormat format = LogFormat::text) {
    log.set_level(level);
    auto output = os::LogOutput::open(to);
    ASSERT_TRUE(output) << to;
    log.begin(std::move(*output), format);
  }
  static std::string content_of(const std::string& file) {
    std::ifstream in(file);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  std::string folder_;
};

constexpr LogLine opened{.event = LogEvent::connection_opened, .peer = "a peer"};
constexpr LogLine warned{.event = LogEvent::warning, .reason = "a warning"};

// A datagram socket as a journal has one.
class Journal {
 public:
  explicit Journal(const std::string& at) : descriptor_(::socket(AF_UNIX, SOCK_DGRAM, 0)) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, at.c_str(), sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~Journal() { ::close(descriptor_); }
  std::string receive() const {
    char datagram[8192];
    const auto size = ::recv(descriptor_, datagram, sizeof datagram, 0);
    return {datagram, static_cast<std::size_t>(size > 0 ? size : 0)};
  }

 private:
  const int descriptor_;
};

}  // namespace

TEST(LogRing, TakesWhatItHasRoomForInOrderAndRefusesMore) {
  LogRing ring;
  std::string reason;
  for (std::size_t round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < LogRing::places; ++i)
      EXPECT_TRUE(ring.put({.event = LogEvent::warning, .reason = reason = std::to_string(i)}));
    EXPECT_FALSE(ring.put(warned));
    for (std::size_t i = 0; i < LogRing::places; ++i) {
      ASSERT_TRUE(ring.front());
      EXPECT_EQ(ring.front()->reason(), std::to_string(i));
      EXPECT_FALSE(ring.empty());
      ring.pop();
    }
    EXPECT_FALSE(ring.front());
    EXPECT_TRUE(ring.empty());
  }
}

TEST(LogRing, LosesNoRecordOfSeveralThreads) {
  constexpr int threads = 4, each = 5000;
  LogRing ring;
  std::atomic<int> put{0};
  std::vector<std::jthread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&] {
      const std::string text(100, 'x');
      for (int i = 0; i < each; ++i)
        while (!ring.put({.event = LogEvent::warning, .reason = text})) std::this_thread::yield();
      ++put;
    });
  int taken = 0;
  while (put < threads || !ring.empty())
    if (const LogRecord* record = ring.front()) {
      EXPECT_EQ(record->reason(), std::string(100, 'x'));
      ring.pop();
      ++taken;
    }
  EXPECT_EQ(taken, threads * each);
}

TEST_F(Logging, LinesUpToTheLevelAreWritten) {
  Log log;
  begin(log, path("log"));
  log.write(opened);
  log.write({.event = LogEvent::request_retried, .reason = "debug"});
  EXPECT_TRUE(log.flush(5s));
  const std::string text = content_of(path("log"));
  EXPECT_TRUE(has(text, " info ")) << text;
  EXPECT_TRUE(has(text, "connection-opened [a peer]\n")) << text;
  EXPECT_FALSE(has(text, "debug")) << text;
}

// A watcher gets its events at any level, and changes no lines.
TEST_F(Logging, AWatcherIsToldOfItsEvents) {
  struct Counting final : EventWatcher {
    void noticed(LogEvent event) noexcept override { seen.push_back(event); }
    std::vector<LogEvent> seen;
  };
  const auto watcher = std::make_shared<Counting>();
  {
    Log log;
    begin(log, path("log"), LogLevel::warning);
    log.watch(watcher, EventLog::bit_of(LogEvent::call_failed) | EventLog::bit_of(LogEvent::warning));
    EXPECT_TRUE(log.takes(LogEvent::call_failed));
    EXPECT_FALSE(log.takes(LogEvent::request_retried));
    log.write({.event = LogEvent::call_failed, .reason = "unseen"});
    log.write({.event = LogEvent::request_retried, .reason = "unseen"});
    log.write({.event = LogEvent::warning, .reason = "seen"});
    log.notice(LogEvent::call_failed);
    log.notice(LogEvent::connection_lost);
    log.set_level(LogLevel::off);
    log.write({.event = LogEvent::warning, .reason = "unseen"});
    EXPECT_FALSE(log.takes(LogEvent::connection_lost));
  }
  EXPECT_EQ(watcher->seen, (std::vector{LogEvent::call_failed, LogEvent::warning, LogEvent::call_failed,
                                        LogEvent::warning}));
  EXPECT_EQ(content_of(path("log")).find("unseen"), std::string::npos);
  EXPECT_NE(content_of(path("log")).find("seen"), std::string::npos);
}

TEST_F(Logging, TheLevelChangesAtOnce) {
  Log log;
  begin(log, path("log"), LogLevel::off);
  log.write(warned);
  log.set_level(LogLevel::warning);
  log.write({.event = LogEvent::warning, .reason = "after"});
  log.set_level(LogLevel::off);
  log.write(warned);
  EXPECT_TRUE(log.flush(5s));
  const std::string text = content_of(path("log"));
  EXPECT_TRUE(has(text, "after")) << text;
  EXPECT_FALSE(has(text, "a warning")) << text;
}

TEST_F(Logging, WhatIsPendingIsWrittenAtTheEnd) {
  {
    Log log;
    begin(log, path("log"));
    for (int i = 0; i < 40; ++i) log.write(opened);
  }
  const std::string text = content_of(path("log"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 40) << text;
}

// The number of the log's thread, or 0.
pid_t thread_of_the_log() {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "comm");
    std::string name;
    if (std::getline(file, name) && name == "takt-log") return std::stoi(task.path().filename());
  }
  return 0;
}

bool bind_to(pid_t thread, int processor) {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  CPU_SET(processor, &processors);
  return ::sched_setaffinity(thread, sizeof processors, &processors) == 0;
}

// Takes a processor from threads of lower priority: the log's thread, which yields to all, waits for seconds.
std::jthread burn(int processor, std::chrono::milliseconds time) {
  std::latch begun(1);
  std::jthread burner([&begun, processor, time] {
    (void)bind_to(0, processor);
    (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), -20);
    const auto until = std::chrono::steady_clock::now() + time;
    begun.count_down();
    while (std::chrono::steady_clock::now() < until) continue;
  });
  begun.wait();
  return burner;
}

TEST_F(Logging, WhatItsThreadHadNoTimeForIsWrittenAtTheEnd) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs the privilege to raise a thread's priority (CAP_SYS_NICE)";
  {
    Log log;
    begin(log, path("log"));
    log.write(opened);
    ASSERT_TRUE(log.flush(10s));
    ASSERT_TRUE(bind_to(thread_of_the_log(), 0));
    const auto burner = burn(0, 1500ms);  // longer than the end of a log waits for its thread
    log.write(warned);
  }
  EXPECT_TRUE(has(content_of(path("log")), "a warning"));
}

TEST_F(Logging, AFloodIsBoundedAndCounted) {
  constexpr int flood = 5000;
  {
    Log log;
    begin(log, path("log"), LogLevel::info, LogFormat::json);
    for (int i = 0; i < flood; ++i) log.write(opened);
  }
  const std::string text = content_of(path("log"));
  std::uint64_t lines = 0, left_out = 0;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) {
    constexpr std::string_view member = "\"left_out\":";
    const auto at = line.find(member);
    if (at == std::string::npos)
      ++lines;
    else
      left_out += std::stoull(line.substr(at + member.size()));
  }
  EXPECT_EQ(lines + left_out, flood) << text;
  EXPECT_GT(left_out, flood / 2u);
}

TEST_F(Logging, AFileThatWasRenamedIsMadeAnew) {
  Log log;
  begin(log, path("log"));
  log.write({.event = LogEvent::warning, .reason = "before"});
  EXPECT_TRUE(log.flush(5s));
  ASSERT_EQ(std::rename(path("log").c_str(), path("old").c_str()), 0);
  log.reopen();
  EXPECT_TRUE(eventually([&] { return ::access(path("log").c_str(), F_OK) == 0; }));
  log.write({.event = LogEvent::warning, .reason = "after"});
  EXPECT_TRUE(log.flush(5s));
  EXPECT_TRUE(has(content_of(path("old")), "before"));
  EXPECT_FALSE(has(content_of(path("old")), "after"));
  EXPECT_TRUE(has(content_of(path("log")), "after"));
}

TEST_F(Logging, AFileThatCannotBeOpenedAgainStaysInUse) {
  Log log;
  begin(log, path("log"));
  log.write(warned);
  EXPECT_TRUE(log.flush(5s));
  const std::string moved = folder_ + "-moved";
  ASSERT_EQ(std::rename(folder_.c_str(), moved.c_str()), 0);
  log.reopen();
  EXPECT_TRUE(eventually([&] { return has(content_of(moved + "/log"), "is not opened anew"); }));
  ASSERT_EQ(std::rename(moved.c_str(), folder_.c_str()), 0);
}

TEST_F(Logging, AFullDiskIsSaidOnStandardErrorOnce) {
  testing::internal::CaptureStderr();
  {
    Log log;
    begin(log, "/dev/full");
    for (int i = 0; i < 10; ++i) log.write(opened);
    EXPECT_TRUE(log.flush(5s)) << "lines that cannot be written are not kept";
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(has(text, "log-lost: the log cannot be written")) << text;
  EXPECT_TRUE(has(text, "ENOSPC")) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
}

TEST_F(Logging, AReaderThatDoesNotReadDelaysNobodyAndNotTheEndForLong) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int before = ::dup(STDERR_FILENO);
  ::dup2(ends[1], STDERR_FILENO);
  const auto begun = std::chrono::steady_clock::now();
  bool flushed = true;
  {
    Log log;
    log.set_level(LogLevel::trace);
    const std::string text(900, 'x');
    for (int i = 0; i < 1000; ++i) log.write({.event = LogEvent::message_sent, .reason = text});
    flushed = log.flush(10ms);
  }
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  ::close(ends[0]);
  ::close(ends[1]);
  EXPECT_FALSE(flushed) << "the pipe holds less";
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 30s) << "it would hang for ever";
}

TEST_F(Logging, TheJournalGetsADatagramForEachLine) {
  const Journal journal(path("journal"));
  Log log;
  begin(log, "journal:" + path("journal"));
  log.write(opened);
  EXPECT_TRUE(log.flush(5s));
  const std::string datagram = journal.receive();
  EXPECT_TRUE(datagram.starts_with("PRIORITY=6\nSYSLOG_IDENTIFIER=takt\nTAKT_EVENT=connection-opened\n"))
      << datagram;
  EXPECT_TRUE(has(datagram, "TAKT_PEER=a peer\n")) << datagram;
  EXPECT_TRUE(has(datagram, "\nMESSAGE=")) << datagram;
}

TEST_F(Logging, WhatCannotBeOpenedSaysWhy) {
  const auto error_of = [](const std::string& to) {
    const auto output = os::LogOutput::open(to);
    return output ? 0 : output.error();
  };
  EXPECT_EQ(error_of(path("absent/log")), ENOENT);
  EXPECT_EQ(error_of(folder_), EISDIR);
  EXPECT_EQ(error_of(""), ENOENT);
  EXPECT_EQ(error_of("journal:" + path("absent")), ENOENT);
  EXPECT_EQ(error_of("journal:"), EINVAL);
}

TEST_F(Logging, TwoLogsOfAProcessHaveTheirOwnFiles) {
  Log one, other;
  begin(one, path("one"));
  begin(other, path("other"), LogLevel::warning, LogFormat::json);
  one.write(opened);
  other.write(warned);
  other.write(opened);
  EXPECT_TRUE(one.flush(5s));
  EXPECT_TRUE(other.flush(5s));
  EXPECT_TRUE(has(content_of(path("one")), "connection-opened"));
  EXPECT_TRUE(content_of(path("other")).starts_with("{\"time\":"));
  EXPECT_FALSE(has(content_of(path("other")), "connection-opened"));
}

TEST_F(Logging, AChildMadeByForkLogsNothingAndEnds) {
  Log log;
  begin(log, path("log"));
  log.write({.event = LogEvent::warning, .reason = "of the parent"});
  EXPECT_TRUE(log.flush(5s));
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    log.write({.event = LogEvent::warning, .reason = "of the child"});
    const bool flushed = log.flush(10ms);
    log.~Log();
    ::_exit(flushed ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  log.write({.event = LogEvent::warning, .reason = "once more"});
  EXPECT_TRUE(log.flush(5s));
  const std::string text = content_of(path("log"));
  EXPECT_FALSE(has(text, "of the child")) << text;
  EXPECT_TRUE(has(text, "once more")) << text;
}

TEST_F(Logging, TheLevelMayChangeWhileThreadsLog) {
  std::string text;
  {
    Log log;
    begin(log, path("log"));
    std::atomic<bool> over{false};
    std::vector<std::jthread> all;
    for (int t = 0; t < 3; ++t)
      all.emplace_back([&] {
        while (!over) log.write(opened);
      });
    for (int i = 0; i < 1000; ++i) log.set_level(i % 2 == 0 ? LogLevel::off : LogLevel::trace);
    over = true;
  }
  std::istringstream lines(content_of(path("log")));
  for (std::string line; std::getline(lines, line);) EXPECT_TRUE(has(line, "connection-opened")) << line;
}

}  // namespace takt::logs

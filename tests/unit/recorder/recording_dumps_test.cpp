// Copies that are made at events: their contents, number and rate.
#include "recorder/recording_dumps.h"

#include <signal.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "recording.h"

namespace takt::recorder {
namespace {

using namespace std::chrono_literals;

class RecordingDumpsTest : public RecordingTest {
 protected:
  void begin(const std::shared_ptr<RecordingRing>& ring, RecordingDumps::Options options) {
    options.folder = folder;
    options.program = "program";
    options.report = [this](const std::string& text) {
      const std::lock_guard lock(mutex);
      reports.push_back(text);
      told.notify_all();
    };
    auto begun = RecordingDumps::begin(ring, std::move(options));
    ASSERT_TRUE(begun) << begun.error();
    dumps = *begun;
  }
  ~RecordingDumpsTest() override { dumps.reset(); }
  bool reported(std::size_t count) {
    std::unique_lock lock(mutex);
    return told.wait_for(lock, 10s, [&] { return reports.size() >= count; });
  }
  std::vector<std::string> files() const {
    std::vector<std::string> found;
    for (const auto& each : std::filesystem::directory_iterator(folder))
      if (each.path().extension() == ".dump") found.push_back(each.path());
    return found;
  }
  static Recording copy_at(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const Octets octets(std::istreambuf_iterator<char>(in), {});
    auto recording = read_recording(octets);
    EXPECT_TRUE(recording) << recording.error();
    return recording ? std::move(*recording) : Recording();
  }

  std::shared_ptr<RecordingDumps> dumps;
  std::mutex mutex;
  std::condition_variable told;
  std::vector<std::string> reports;
};

TEST_F(RecordingDumpsTest, HaveTheRecordingAndTheReason) {
  const auto ring = make();
  (void)ring->open("tcp 127.0.0.1:1 -> 127.0.0.1:2", true);
  put_alone(*ring, whole(message(500, 'q')));
  put_alone(*ring, whole(message(4), 512));
  begin(ring, {.on_exception = true, .on_deadline = true});
  dumps->noticed(LogEvent::call_failed);
  dumps->noticed(LogEvent::deadline_missed);
  ASSERT_TRUE(reported(1));
  EXPECT_EQ(reports.front(), "the recording is copied to " + folder +
                                 "/program.1.dump: a system exception, a missed deadline");
  const Recording copy = copy_at(folder + "/program.1.dump");
  EXPECT_EQ(copy.copied_because, "a system exception, a missed deadline");
  EXPECT_GT(copy.copied_ns, 0);
  EXPECT_EQ(copy.owner.program, "program");
  ASSERT_EQ(copy.messages.size(), 2u);
  EXPECT_EQ(copy.messages[0].octets, message(500, 'q'));
  EXPECT_EQ(copy.connections.at(1).text, "tcp 127.0.0.1:1 -> 127.0.0.1:2");
  EXPECT_EQ(copy.torn + copy.left_out, 0u);
  EXPECT_EQ(read().copied_ns, 0) << "the recording itself is no copy";
  const auto mode = std::filesystem::status(folder + "/program.1.dump").permissions();
  EXPECT_EQ(mode & std::filesystem::perms(0077), std::filesystem::perms::none);
}

TEST_F(RecordingDumpsTest, AreOnlyOfTheChosenEvents) {
  const auto ring = make();
  begin(ring, {.on_deadline = true});
  EXPECT_EQ(dumps->events(), EventLog::bit_of(LogEvent::deadline_missed));
  begin(ring, {.on_exception = true});
  EXPECT_EQ(dumps->events(),
            EventLog::bit_of(LogEvent::call_failed) | EventLog::bit_of(LogEvent::request_failed));
  dumps->end();
  EXPECT_TRUE(files().empty());
}

TEST_F(RecordingDumpsTest, ReplaceTheOldest) {
  const auto ring = make();
  begin(ring, {.on_exception = true, .most = 3, .interval = 1ms});
  for (std::size_t i = 1; i <= 5; ++i) {
    put_alone(*ring, whole(message(4)));
    dumps->noticed(LogEvent::call_failed);
    ASSERT_TRUE(reported(i));
  }
  EXPECT_EQ(files().size(), 3u);
  std::size_t most = 0;
  for (const std::string& file : files()) most = std::max(most, copy_at(file).messages.size());
  EXPECT_EQ(most, 5u);
}

TEST_F(RecordingDumpsTest, ShareOneAfterTheInterval) {
  begin(make(), {.on_exception = true, .interval = 1h});
  dumps->noticed(LogEvent::call_failed);
  ASSERT_TRUE(reported(1));
  for (int i = 0; i < 100; ++i) dumps->noticed(LogEvent::call_failed);
  std::this_thread::sleep_for(30ms);
  EXPECT_EQ(files().size(), 1u);
  dumps->end();  // makes the one that waits
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(RecordingDumpsTest, AreMadeBySignal) {
  begin(make(), {.on_signal = true, .interval = 1ms});
  for (std::size_t i = 1; i <= 2; ++i) {
    ::raise(SIGUSR1);
    ASSERT_TRUE(reported(i));
  }
  EXPECT_EQ(copy_at(folder + "/program.2.dump").copied_because, "a signal");
}

TEST_F(RecordingDumpsTest, LeaveAProgramsOwnHandlerAlone) {
  ::signal(SIGUSR1, [](int) {});
  const auto ring = make();
  const auto refused = RecordingDumps::begin(ring, {.on_signal = true, .folder = folder});
  ::signal(SIGUSR1, SIG_DFL);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), "the program handles SIGUSR1 itself");
  const auto nowhere = RecordingDumps::begin(ring, {.folder = folder + "/none"});
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().find("is no folder"), std::string::npos);
}

// The folder has been taken away, or has other files of that name.
TEST_F(RecordingDumpsTest, ThatFailAreReported) {
  std::ofstream(folder + "/program.1.dump") << "the user's own";
  begin(make(), {.on_exception = true, .most = 1, .interval = 1ms});
  dumps->noticed(LogEvent::call_failed);
  ASSERT_TRUE(reported(1));
  EXPECT_NE(reports.back().find("it exists and is not a recording"), std::string::npos) << reports.back();
  std::filesystem::remove_all(folder);
  dumps->noticed(LogEvent::call_failed);
  ASSERT_TRUE(reported(2));
  EXPECT_NE(reports.back().find("cannot be copied"), std::string::npos);
}

// A copy has whole messages alone, whatever threads write meanwhile.
TEST_F(RecordingDumpsTest, AreConsistentWhileThreadsWrite) {
  const auto ring = make();
  std::vector<std::jthread> threads;
  for (std::uint8_t i = 0; i < 3; ++i)
    threads.emplace_back([&, i](const std::stop_token& stop) {
      const Octets octets = message(300, i);
      for (std::uint64_t offset = 0; !stop.stop_requested(); offset += octets.size()) {
        Piece piece = whole(octets, offset);
        piece.connection = i + 1u;
        put_alone(*ring, piece);
      }
    });
  std::size_t seen = 0;
  for (int i = 0; i < 6; ++i) {
    const auto failure = ring->copy_to(folder + "/copy", "test");
    ASSERT_FALSE(failure) << failure->text;
    for (const ReadMessage& each : copy_at(folder + "/copy").messages) {
      EXPECT_EQ(each.octets, message(300, static_cast<std::uint8_t>(each.connection - 1)));
      ++seen;
    }
  }
  EXPECT_GT(seen, 100u);
}

}  // namespace
}  // namespace takt::recorder

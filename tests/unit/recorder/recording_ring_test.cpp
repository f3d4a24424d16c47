// Recordings: what a process has written, and what a reader makes of any file.
#include "recorder/recording_ring.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <random>
#include <thread>

#include "recording.h"

namespace takt::recorder {
namespace {

using RecordingRings = RecordingTest;

TEST_F(RecordingRings, HaveWhatWasPut) {
  const auto ring = make();
  const auto connection = ring->open("tcp 1.2.3.4:5 -> 6.7.8.9:10", true);
  Piece piece = whole(message(5), 100);
  const Octets octets = message(5);
  piece.octets = octets;
  piece.connection = connection.number;
  ring->put(piece);
  const Recording recording = read();
  EXPECT_EQ(recording.process, static_cast<std::uint64_t>(::getpid()));
  EXPECT_EQ(recording.owner.program + " " + recording.owner.orb + " " + recording.owner.host,
            "program orb host");
  ASSERT_EQ(recording.messages.size(), 1u);
  const ReadMessage& found = recording.messages[0];
  EXPECT_EQ(found.octets, octets);
  EXPECT_TRUE(found.is_whole());
  EXPECT_TRUE(found.is_message);
  EXPECT_EQ(found.time_ns, 7);
  EXPECT_EQ(found.stream_offset, 100u);
  EXPECT_EQ(found.direction, Direction::sent);
  EXPECT_EQ(found.thread, static_cast<std::uint32_t>(::gettid()));
  const ReadConnection& described = recording.connections.at(found.connection);
  EXPECT_EQ(described.text, "tcp 1.2.3.4:5 -> 6.7.8.9:10");
  EXPECT_TRUE(described.is_accepted);
  EXPECT_GT(described.opened_ns, 0);
  EXPECT_EQ(described.closed_ns, 0);
  ring->close(connection);
  EXPECT_GE(read().connections.at(found.connection).closed_ns, described.opened_ns);
}

// Sizes around those of one, two and three blocks.
TEST_F(RecordingRings, HaveMessagesOfEachSize) {
  const auto ring = make(1 << 20);
  std::vector<Octets> put;
  std::uint64_t offset = 0;
  for (std::uint32_t size = 0; size < 400; ++size) {
    put.push_back(message(size, static_cast<std::uint8_t>(size)));
    ring->put(whole(put.back(), offset));
    offset += put.back().size();
  }
  const Recording recording = read();
  ASSERT_EQ(recording.messages.size(), put.size());
  for (std::size_t i = 0; i < put.size(); ++i) EXPECT_EQ(recording.messages[i].octets, put[i]) << i;
  EXPECT_EQ(recording.torn + recording.left_out + recording.overwritten, 0u);
}

TEST_F(RecordingRings, KeepTheNewest) {
  const auto ring = make();
  constexpr std::uint32_t last = 5000;
  std::vector<Octets> put;
  for (std::uint32_t i = 0; i < last; ++i) {
    Octets octets = message(i % 300);
    if (octets.size() > 15) std::memcpy(octets.data() + 12, &i, sizeof i);
    put.push_back(octets);
    ring->put(whole(octets, i));
  }
  const Recording recording = read();
  EXPECT_GT(recording.overwritten, 0u);
  EXPECT_EQ(recording.torn, 0u);
  ASSERT_GT(recording.messages.size(), 100u);
  std::size_t i = put.size() - recording.messages.size();
  for (const ReadMessage& found : recording.messages) EXPECT_EQ(found.octets, put[i++]);
}

TEST_F(RecordingRings, SurviveAProcessThatIsKilled) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto ring = make();
    for (int i = 0; i < 40 && ring; ++i) {
      const Octets octets = message(200);
      ring->put(whole(octets));
    }
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(read().messages.size(), 40u);
  EXPECT_NE(make(), nullptr) << "the recording of a process that has ended is replaced";
  EXPECT_EQ(read().messages.size(), 0u);
}

// Killed at random moments, a writer of three threads leaves whole messages, and at most one piece of each
// thread that is not.
TEST_F(RecordingRings, LoseAtMostTheMessageBeingWritten) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const auto ring = make();
      const char ready = 1;
      std::vector<std::thread> writers;
      for (std::uint8_t writer = 1; writer <= 3; ++writer)
        writers.emplace_back([&, writer] {
          for (std::uint32_t i = 0;; ++i) {
            const Octets octets = message(i % 1000, writer);
            Piece piece = whole(octets, i);
            piece.connection = writer;
            ring->put(piece);
            if (i == 0) (void)!::write(ends[1], &ready, 1);
          }
        });
      for (;;) ::pause();
    }
    for (int i = 0; i < 3; ++i) {
      char ready = 0;
      ASSERT_EQ(::read(ends[0], &ready, 1), 1);
    }
    ::usleep(random() % 2000);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ends[0]);
    ::close(ends[1]);
    const Recording recording = read();
    EXPECT_LE(recording.torn, 9u);
    ASSERT_GE(recording.messages.size(), 3u);
    std::array<std::uint64_t, 4> last{};
    std::uint64_t missing = 0;
    for (const ReadMessage& found : recording.messages) {
      ASSERT_TRUE(found.is_whole());
      ASSERT_EQ(found.octets,
                message(found.stream_offset % 1000, static_cast<std::uint8_t>(found.connection)));
      std::uint64_t& before = last.at(found.connection);
      if (before != 0) missing += found.stream_offset - before - 1;
      before = found.stream_offset;
    }
    EXPECT_LE(missing, recording.left_out + recording.torn);
  }
}

// A reader meanwhile finds only whole messages.
TEST_F(RecordingRings, HaveWholeMessagesWhileThreadsWrite) {
  const auto ring = make();
  std::atomic<bool> stop{false};
  std::vector<std::thread> writers;
  for (std::uint8_t writer = 1; writer <= 3; ++writer)
    writers.emplace_back([&, writer] {
      for (std::uint32_t i = 0; !stop; ++i) {
        const Octets octets = message(i % 1000, writer);
        Piece piece = whole(octets, i);
        piece.connection = writer;
        ring->put(piece);
      }
    });
  std::size_t seen = 0;
  for (int round = 0; round < 100 || seen == 0; ++round)
    for (const ReadMessage& found : read().messages) {
      ++seen;
      ASSERT_EQ(found.octets,
                message(found.stream_offset % 1000, static_cast<std::uint8_t>(found.connection)));
    }
  stop = true;
  for (auto& writer : writers) writer.join();
}

TEST_F(RecordingRings, JoinThePiecesOfAMessage) {
  const auto ring = make(1 << 20);
  const Octets octets = message(500), other = message(3);
  Piece piece = whole(octets);
  piece.octets = ByteView(octets).first(12);
  ring->put(piece);
  ring->put({.time_ns = 1,
             .stream_offset = 0,
             .connection = 1,
             .message_bytes = 15,
             .offset = 0,
             .direction = Direction::received,
             .kind = PieceKind::message,
             .octets = other});
  piece.octets = ByteView(octets).subspan(12);
  piece.stream_offset = piece.offset = 12;
  ring->put(piece);
  const Recording recording = read();
  ASSERT_EQ(recording.messages.size(), 2u);
  EXPECT_EQ(recording.messages[0].octets, octets);
  EXPECT_EQ(recording.messages[1].octets, other);
}

TEST_F(RecordingRings, LeaveOutMessagesWhoseBeginningIsLost) {
  const auto ring = make();
  const Octets octets = message(100);
  Piece piece = whole(octets);
  piece.stream_offset = piece.offset = 12;
  piece.octets = ByteView(octets).subspan(12);
  ring->put(piece);
  EXPECT_EQ(read().messages.size(), 0u);
  EXPECT_EQ(read().torn, 1u);
}

TEST_F(RecordingRings, KeepTheConnectionsThatAreOpen) {
  const auto ring = make();
  const auto first = ring->open("first", false);
  for (int i = 0; i < 100; ++i) ring->close(ring->open("another", false));
  EXPECT_EQ(read().connections.at(first.number).text, "first");
  EXPECT_EQ(read().connections.size(), 16u);
  std::vector<RecordingRing::Connection> open;
  for (int i = 0; i < 20; ++i) open.push_back(ring->open("many", false));
  EXPECT_EQ(open.back().entry, -1);
  for (const auto& each : open) ring->close(each);
  ring->open(std::string(1000, 'l'), false);
  EXPECT_EQ(read().connections.rbegin()->second.text, std::string(248, 'l'));
}

TEST_F(RecordingRings, AreOfOneOrbAtATime) {
  const auto first = make();
  EXPECT_NE(refusal().find("another ORB"), std::string::npos) << refusal();
}

TEST_F(RecordingRings, ReplaceNoOtherFile) {
  std::ofstream(path) << "a letter";
  EXPECT_NE(refusal().find("not a recording"), std::string::npos) << refusal();
  EXPECT_EQ(file().size(), 8u);
  std::filesystem::remove(path);
  std::filesystem::create_symlink(folder + "/elsewhere", path);
  EXPECT_NE(refusal(), "");
  EXPECT_FALSE(std::filesystem::exists(folder + "/elsewhere"));
  path = "/dev/null";
  EXPECT_NE(refusal(), "");
}

TEST_F(RecordingRings, AreReadableForTheirOwnerAlone) {
  const auto ring = make();
  EXPECT_EQ(std::filesystem::status(path).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(RecordingRings, HaveTheSizeThatWasAskedFor) {
  for (const std::size_t bytes : {least_file_bytes, std::size_t{100'000}, std::size_t{1} << 22}) {
    const auto ring = make(bytes);
    EXPECT_LE(file().size(), bytes);
    EXPECT_GT(file().size(), bytes - 512);
  }
}

TEST_F(RecordingRings, ThatAreNoneAreRefused) {
  EXPECT_FALSE(read_recording(Octets()));
  EXPECT_FALSE(read_recording(Octets(5000, 0)));
  {
    const Octets octets = message(1);
    make()->put(whole(octets));
  }
  const Octets good = file();
  EXPECT_TRUE(read_recording(good));
  for (const std::size_t size : {std::size_t{0}, std::size_t{8}, head_bytes - 1, head_bytes, good.size() - 1})
    EXPECT_FALSE(read_recording(ByteView(good).first(size))) << size;
}

TEST_F(RecordingRings, OfAnyContentsAreReadOrRefused) {
  {
    const auto ring = make();
    ring->open("tcp", true);
    for (std::uint32_t i = 0; i < 600; ++i) {
      const Octets octets = message(i % 200);
      ring->put(whole(octets, i));
    }
  }
  const Octets good = file();
  std::mt19937 random(1);
  for (std::size_t at = 0; at < good.size(); at += at < head_bytes + 600 ? 1 : 1 + random() % 40) {
    Octets changed = good;
    changed[at] ^= 0xff;
    const auto read = read_recording(changed);
    if (!read) continue;
    for (const ReadMessage& found : read->messages) EXPECT_LE(found.octets.size(), good.size());
  }
  for (int round = 0; round < 500; ++round) {
    Octets changed = good;
    for (int i = 0; i < 200; ++i)
      changed[8 + random() % (changed.size() - 8)] = static_cast<std::uint8_t>(random());
    (void)read_recording(changed);
  }
}

}  // namespace
}  // namespace takt::recorder

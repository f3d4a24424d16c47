// Recordings: what a process has written, and what a reader makes of any file.
#include "recorder/recording_ring.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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
  put_alone(*ring, piece);
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
    put_alone(*ring, whole(put.back(), offset));
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
    put_alone(*ring, whole(octets, i));
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
      put_alone(*ring, whole(octets));
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
          RecordingRing::Run run;
          for (std::uint32_t i = 0;; ++i) {
            const Octets octets = message(i % 1000, writer);
            Piece piece = whole(octets, i);
            piece.connection = writer;
            ring->put(piece, run);
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
      RecordingRing::Run run;
      for (std::uint32_t i = 0; !stop; ++i) {
        const Octets octets = message(i % 1000, writer);
        Piece piece = whole(octets, i);
        piece.connection = writer;
        ring->put(piece, run);
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
  put_alone(*ring, piece);
  put_alone(*ring, {.time_ns = 8,
                    .stream_offset = 0,
                    .connection = 1,
                    .message_bytes = 15,
                    .offset = 0,
                    .direction = Direction::received,
                    .kind = PieceKind::message,
                    .octets = other});
  piece.octets = ByteView(octets).subspan(12);
  piece.stream_offset = piece.offset = 12;
  put_alone(*ring, piece);
  const Recording recording = read();
  ASSERT_EQ(recording.messages.size(), 2u);
  EXPECT_EQ(recording.messages[0].octets, octets);
  EXPECT_EQ(recording.messages[1].octets, other);
}

// Writers take blocks beforehand, so the order of blocks is not that of messages.
TEST_F(RecordingRings, AreInTheOrderOfTime) {
  const auto ring = make(1 << 22);
  RecordingRing::Run runs[3];
  const Octets octets = message(4);
  for (std::uint32_t i = 0; i < 3000; ++i) {
    Piece piece = whole(octets, i);
    piece.time_ns = i + 1;
    piece.connection = i % 3 + 1;
    ring->put(piece, runs[i % 3]);
  }
  const Recording recording = read();
  ASSERT_EQ(recording.messages.size(), 3000u);
  for (std::uint32_t i = 0; i < 3000; ++i) ASSERT_EQ(recording.messages[i].stream_offset, i);
  EXPECT_LE(recording.next_block, 3000u + 3 * 16);
}

TEST_F(RecordingRings, KeepTheOrderOfADirectionIfTheClockIsSetBack) {
  const auto ring = make();
  RecordingRing::Run run, other;
  const Octets octets = message(4);
  std::uint64_t offset = 0;
  for (const std::int64_t time : {5, 9, 3, 4, 11}) {
    Piece piece = whole(octets, offset++);
    piece.time_ns = time;
    ring->put(piece, run);
    piece.connection = 2;
    piece.time_ns = time + 1;
    ring->put(piece, other);
  }
  std::uint64_t next[3] = {};
  const Recording recording = read();
  EXPECT_EQ(recording.messages.size(), 10u);
  for (const ReadMessage& found : recording.messages)
    EXPECT_EQ(found.stream_offset, next[found.connection]++);
}

// A ring holds about as many messages of writers that seldom write as of one that often does.
TEST_F(RecordingRings, HoldAsMuchForManyWriters) {
  for (const std::size_t writers : {1u, 500u}) {
    const auto ring = make(1 << 22);
    std::vector<RecordingRing::Run> runs(writers);
    const Octets octets = message(4);
    const std::uint32_t blocks = (1 << 22) / 128;
    for (std::uint32_t i = 0; i < 3 * blocks; ++i) {
      Piece piece = whole(octets, i / writers);
      piece.connection = static_cast<std::uint32_t>(i % writers + 1);
      piece.time_ns = i + 1;
      ring->put(piece, runs[i % writers]);
    }
    const Recording recording = read();
    EXPECT_GT(recording.messages.size(), blocks * 9 / 10);
    EXPECT_EQ(recording.left_out + recording.torn, 0u);
  }
}

// No block that others may be about to write is written, however late a writer comes back.
TEST_F(RecordingRings, HaveMessagesOfAWriterThatPausesAtTheirTime) {
  const auto ring = make();
  RecordingRing::Run rare, busy;
  const Octets octets = message(4);
  std::uint64_t offset = 0;
  for (int round = 0; round < 20; ++round) {
    Piece piece = whole(octets, static_cast<std::uint64_t>(round));
    piece.time_ns = static_cast<std::int64_t>(offset) + 1;
    piece.connection = 2;
    ring->put(piece, rare);
    for (int i = 0; i < 300; ++i) {
      piece = whole(octets, offset++);
      piece.time_ns = static_cast<std::int64_t>(offset);
      ring->put(piece, busy);
    }
  }
  const Recording recording = read();
  EXPECT_EQ(recording.left_out + recording.torn, 0u);
  const auto of_rare = std::ranges::count(recording.messages, 2u, &ReadMessage::connection);
  EXPECT_EQ(of_rare, 1) << "the ring has one round";
  EXPECT_TRUE(std::ranges::is_sorted(recording.messages, {}, &ReadMessage::time_ns));
}

// After fork() both processes have the same run.
TEST_F(RecordingRings, HaveMessagesOfTwoWritersWithOneRun) {
  const auto ring = make(1 << 22);
  RecordingRing::Run run;
  const Octets octets = message(200);
  std::uint64_t offset = 0;
  for (; offset < 40; ++offset) ring->put(whole(octets, offset), run);
  RecordingRing::Run same = run;
  for (int i = 0; i < 40; ++i) {
    ring->put(whole(octets, offset++), run);
    Piece piece = whole(octets, static_cast<std::uint64_t>(i));
    piece.connection = 2;
    ring->put(piece, same);
  }
  const Recording recording = read();
  EXPECT_EQ(recording.messages.size(), 120u);
  EXPECT_EQ(recording.left_out + recording.torn, 0u);
}

TEST(RecordingClocks, TellTheSystemsTime) {
  RecordingClock clock;
  constexpr std::int64_t second = 1'000'000'000;
  const std::int64_t begin = recording_time();
  std::int64_t last = 0;
  while (recording_time() - begin < second / 3) {
    const std::int64_t before = recording_time(), told = clock.now(), after = recording_time();
    EXPECT_GE(told, before - second / 1000);
    EXPECT_LE(told, after + second / 1000);
    EXPECT_GE(told, last - second / 10'000);
    last = told;
  }
}

TEST(RecordingClocks, AreReadByThreadsAtATime) {
  RecordingClock clock;
  std::vector<std::jthread> threads;
  std::atomic<std::int64_t> worst{0};
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      const std::int64_t end = recording_time() + 300'000'000;
      for (std::int64_t before = recording_time(); before < end; before = recording_time()) {
        const std::int64_t told = clock.now();
        const std::int64_t after = recording_time();
        const std::int64_t apart = std::max(before - told, told - after);
        if (apart > worst) worst = apart;
      }
    });
  threads.clear();
  EXPECT_LT(worst, 1'000'000);
}

TEST_F(RecordingRings, LeaveOutMessagesWhoseBeginningIsLost) {
  const auto ring = make();
  const Octets octets = message(100);
  Piece piece = whole(octets);
  piece.stream_offset = piece.offset = 12;
  piece.octets = ByteView(octets).subspan(12);
  put_alone(*ring, piece);
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
    put_alone(*make(), whole(octets));
  }
  const Octets good = file();
  EXPECT_TRUE(read_recording(good));
  for (const std::size_t size : {std::size_t{0}, std::size_t{8}, head_bytes - 1, head_bytes, good.size() - 1})
    EXPECT_FALSE(read_recording(ByteView(good).first(size))) << size;
}

// A file with holes takes no room on a disk, and may say that it has any number of blocks.
TEST_F(RecordingRings, EmptyBlocksAreReadOnceAndNotKept) {
  {
    const Octets octets = message(1);
    put_alone(*make(), whole(octets));
  }
  Octets start = file();
  const std::uint64_t blocks = std::uint64_t{1} << 21;
  std::memcpy(start.data() + offsetof(RecordingHead, blocks), &blocks, sizeof blocks);
  std::uint64_t octets_read = 0;
  const auto read_at = [&](std::uint64_t offset, std::span<std::uint8_t> to) {
    octets_read += to.size();
    std::ranges::fill(to, std::uint8_t{0});
    if (offset < start.size())
      std::ranges::copy_n(start.begin() + static_cast<std::ptrdiff_t>(offset),
                          static_cast<std::ptrdiff_t>(std::min(to.size(), start.size() - offset)),
                          to.begin());
    return true;
  };
  const auto recording = read_recording(read_at);
  ASSERT_TRUE(recording) << recording.error();
  EXPECT_EQ(recording->messages.size(), 1u);
  EXPECT_LT(octets_read, blocks * block_bytes * 5 / 4);
}

TEST_F(RecordingRings, WithMoreConnectionsThanAnyHasAreRefused) {
  {
    const Octets octets = message(1);
    put_alone(*make(), whole(octets));
  }
  Octets octets = file();
  const std::uint32_t connections = most_connections + 1;
  std::memcpy(octets.data() + offsetof(RecordingHead, connections), &connections, sizeof connections);
  const auto recording = read_recording([&](std::uint64_t offset, std::span<std::uint8_t> to) {
    EXPECT_LT(offset, octets.size());
    std::ranges::copy_n(octets.begin(), static_cast<std::ptrdiff_t>(to.size()), to.begin());
    return true;
  });
  ASSERT_FALSE(recording);
  EXPECT_EQ(recording.error(), "it says that it has more connections than a file can have");
}

TEST_F(RecordingRings, BlocksHaveCacheLinesOfTheirOwn) {
  for (const std::uint64_t bytes : {std::uint64_t{65536}, std::uint64_t{100'000}, std::uint64_t{4} << 20,
                                    std::uint64_t{1} << 30, std::uint64_t{1} << 34}) {
    const RecordingLayout layout = layout_of(bytes);
    EXPECT_EQ((head_bytes + layout.connections * sizeof(ConnectionEntry)) % block_bytes, 0u) << bytes;
    EXPECT_LE(layout.file_bytes(), bytes);
  }
}

TEST_F(RecordingRings, OfAnyContentsAreReadOrRefused) {
  {
    const auto ring = make();
    ring->open("tcp", true);
    for (std::uint32_t i = 0; i < 600; ++i) {
      const Octets octets = message(i % 200);
      put_alone(*ring, whole(octets, i));
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

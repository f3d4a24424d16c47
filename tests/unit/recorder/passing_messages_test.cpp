// Messages among the octets of a connection, however they are divided.
#include "recorder/passing_messages.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <deque>
#include <random>
#include <thread>
#include <vector>

#include "recording.h"
#include "threads/thread.h"

namespace takt::recorder {
namespace {

class PassingMessagesTest : public RecordingTest {
 protected:
  void pass(const Octets& octets, std::size_t at_once, std::size_t kept = 4096) {
    std::filesystem::remove(path);
    ring = make(1 << 20, kept);
    SecretMessages secrets;
    PassingMessages passing(*ring, 1, Direction::received, secrets);
    for (ByteView rest = octets; !rest.empty();) {
      const ByteView piece = rest.first(std::min(at_once, rest.size()));
      passing.pass(piece, 5);
      rest = rest.subspan(piece.size());
    }
    passing.end();
  }
  std::shared_ptr<RecordingRing> ring;
};

Octets joined(const std::vector<Octets>& all) {
  Octets octets;
  for (const Octets& each : all) octets.insert(octets.end(), each.begin(), each.end());
  return octets;
}

TEST_F(PassingMessagesTest, AreFoundHoweverTheyAreDivided) {
  const std::vector<Octets> put{message(0), message(7), message(500), message(0), message(90)};
  for (const std::size_t at_once : {1u, 5u, 11u, 12u, 13u, 100u, 10000u}) {
    pass(joined(put), at_once);
    const Recording recording = read();
    ASSERT_EQ(recording.messages.size(), put.size()) << at_once;
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < put.size(); ++i) {
      EXPECT_EQ(recording.messages[i].octets, put[i]) << i << " of " << at_once;
      EXPECT_EQ(recording.messages[i].stream_offset, offset);
      offset += put[i].size();
    }
  }
}

TEST_F(PassingMessagesTest, AreKeptUpToTheLimit) {
  const std::vector<Octets> put{message(1000), message(52), message(53), message(2)};
  for (const std::size_t at_once : {1u, 70u, 10000u}) {
    pass(joined(put), at_once, 64);
    const Recording recording = read();
    ASSERT_EQ(recording.messages.size(), put.size());
    for (std::size_t i = 0; i < put.size(); ++i) {
      const ReadMessage& found = recording.messages[i];
      EXPECT_EQ(found.octets,
                Octets(put[i].begin(), put[i].begin() + std::min<std::ptrdiff_t>(64, std::ssize(put[i]))));
      EXPECT_EQ(found.message_bytes, put[i].size());
      EXPECT_EQ(found.is_whole(), put[i].size() <= 64);
    }
  }
}

TEST_F(PassingMessagesTest, AreKeptUpToAPartOfTheRing) {
  const Octets octets = message(3'000'000);
  pass(octets, 10'000, 1 << 30);
  const Recording recording = read();
  ASSERT_EQ(recording.messages.size(), 1u);
  EXPECT_EQ(recording.messages[0].message_bytes, octets.size());
  EXPECT_GT(recording.messages[0].octets.size(), 100'000u);
  EXPECT_LT(recording.messages[0].octets.size(), 130'000u);
}

TEST_F(PassingMessagesTest, OfTheOtherByteOrderAreFound) {
  Octets octets = message(0x0203);
  octets[6] ^= 1;
  std::swap(octets[8], octets[11]);
  std::swap(octets[9], octets[10]);
  pass(joined({octets, message(1)}), 10000);
  EXPECT_EQ(read().messages.size(), 2u);
}

TEST_F(PassingMessagesTest, OfOtherFormsAreFound) {
  Octets lite = message(20), packed = message(30);
  lite[0] = 'L';
  packed[0] = 'Z';
  lite[1] = packed[1] = 1;
  pass(joined({lite, packed, message(1)}), 10000);
  const Recording recording = read();
  ASSERT_EQ(recording.messages.size(), 3u);
  for (const ReadMessage& found : recording.messages) EXPECT_TRUE(found.is_message);
}

TEST_F(PassingMessagesTest, MayBeNone) {
  const Octets letter(20, 'x');
  pass(joined({letter, message(2)}), 20);
  pass(letter, 20);
  pass(Octets(5, 'x'), 5);
  const Recording recording = read();
  ASSERT_EQ(recording.messages.size(), 1u);
  EXPECT_FALSE(recording.messages[0].is_message);
  EXPECT_EQ(recording.messages[0].octets, Octets(5, 'x'));
}

TEST_F(PassingMessagesTest, OfAnyOctetsAreRecordedInOrder) {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    Octets octets(random() % 3000);
    for (auto& octet : octets) octet = static_cast<std::uint8_t>(random());
    for (std::size_t i = 0; i + 12 < octets.size(); i += 12 + random() % 100)
      std::memcpy(octets.data() + i, "GIOP", 4);
    pass(octets, 1 + random() % 100);
    for (const ReadMessage& found : read().messages) {
      ASSERT_LE(found.stream_offset + found.octets.size(), octets.size());
      EXPECT_TRUE(std::equal(found.octets.begin(), found.octets.end(),
                             octets.begin() + static_cast<std::ptrdiff_t>(found.stream_offset)));
    }
  }
}

// Most messages pass like this, and take the short way.
class WholeMessagesTest : public RecordingTest {
 protected:
  // With a body that no other message has.
  Octets next(std::uint32_t body_bytes) { return message(body_bytes, ++fill_); }
  void pass(PassingMessages& passing, const Octets& octets) {
    passing.pass(octets, 5);
    passed.push_back(octets);
  }
  // Whether the recording has the newest of the messages that have passed, one after the other.
  void expect_newest(const Recording& recording) const {
    EXPECT_EQ(recording.torn + recording.left_out, 0u);
    const std::size_t missing = passed.size() - recording.messages.size();
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < passed.size(); ++i) {
      if (i >= missing) {
        const ReadMessage& found = recording.messages[i - missing];
        ASSERT_EQ(found.octets, passed[i]) << i;
        ASSERT_EQ(found.stream_offset, offset) << i;
        ASSERT_TRUE(found.is_message && found.is_whole());
        ASSERT_EQ(found.direction, Direction::sent);
        ASSERT_EQ(found.thread, os::known_thread_number());
      }
      offset += passed[i].size();
    }
  }

  SecretMessages secrets;
  std::vector<Octets> passed;

 private:
  std::uint8_t fill_ = 0;
};

TEST_F(WholeMessagesTest, OfEachSizeAreRecorded) {
  const auto ring = make(1 << 20);
  PassingMessages passing(*ring, 1, Direction::sent, secrets);
  for (std::uint32_t body = 0; body < 300; ++body) pass(passing, next(body));
  const Recording recording = read();
  EXPECT_EQ(recording.messages.size(), passed.size());
  expect_newest(recording);
}

TEST_F(WholeMessagesTest, GoOnAtTheBeginOfTheRing) {
  const auto ring = make();
  PassingMessages passing(*ring, 1, Direction::sent, secrets);
  for (std::uint32_t i = 0; i < 3000; ++i) {
    pass(passing, next(i % 7 * 40));
    if (i % 100 == 0) expect_newest(read());
  }
  EXPECT_GT(read().messages.size(), 150u);
}

TEST_F(WholeMessagesTest, StandBesideOthers) {
  const auto ring = make(1 << 20);
  PassingMessages passing(*ring, 1, Direction::sent, secrets);
  for (std::uint32_t i = 0; i < 200; ++i) {
    pass(passing, next(40));
    const Octets divided = next(100);
    const std::size_t first = 1 + i % (divided.size() - 1);
    passing.pass(ByteView(divided).first(first), 5);
    pass(passing, Octets(divided.begin() + static_cast<std::ptrdiff_t>(first), divided.end()));
    passed.back() = divided;
    Octets swapped = next(50);
    swapped[6] ^= 1;
    std::swap(swapped[8], swapped[11]);
    pass(passing, swapped);
  }
  const Recording recording = read();
  EXPECT_EQ(recording.messages.size(), passed.size());
  expect_newest(recording);
}

TEST_F(WholeMessagesTest, AreKeptUpToTheLimit) {
  for (const std::size_t kept : {1u, 16u, 64u}) {
    std::filesystem::remove(path);
    const auto ring = make(1 << 20, kept);
    PassingMessages passing(*ring, 1, Direction::sent, secrets);
    for (const std::uint32_t body : {0u, 4u, 5u, 52u, 53u, 150u}) {
      const Octets octets = next(body);
      passing.pass(octets, 5);
      const Recording recording = read();
      EXPECT_EQ(recording.messages.back().octets.size(), std::min(kept, octets.size()));
      EXPECT_EQ(recording.messages.back().message_bytes, octets.size());
    }
  }
}

// As the two processes after a fork() have it.
TEST_F(WholeMessagesTest, OfTwoWritersWithOneRunAreRecorded) {
  const auto ring = make(1 << 22);
  PassingMessages passing(*ring, 1, Direction::sent, secrets);
  for (int i = 0; i < 40; ++i) passing.pass(next(60 + i % 2 * 60), 5);
  PassingMessages same = passing;
  for (int i = 0; i < 40; ++i) {
    passing.pass(next(60 + i % 2 * 60), 5);
    same.pass(next(60 + i % 3 * 60), 5);
  }
  const Recording recording = read();
  EXPECT_EQ(recording.messages.size(), 120u);
  EXPECT_EQ(recording.left_out + recording.torn, 0u);
}

// Killed at random moments, threads leave whole messages, and lose at most the one that each was writing.
TEST_F(WholeMessagesTest, SurviveAKill) {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      const auto ring = make();
      const char ready = 1;
      std::vector<std::thread> writers;
      for (std::uint8_t writer = 1; writer <= 3; ++writer)
        writers.emplace_back([&, writer] {
          PassingMessages passing(*ring, writer, Direction::sent, secrets);
          for (std::uint32_t i = 0;; ++i) {
            passing.pass(message(4 + i % 200, writer), 5);
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
    ASSERT_GE(recording.messages.size(), 3u);
    EXPECT_LE(recording.torn, 6u);
    std::array<std::uint64_t, 4> end{};
    std::uint64_t gaps = 0;
    for (const ReadMessage& found : recording.messages) {
      ASSERT_EQ(found.octets, message(static_cast<std::uint32_t>(found.octets.size() - 12),
                                      static_cast<std::uint8_t>(found.connection)));
      std::uint64_t& before = end.at(found.connection);
      if (before != 0 && found.stream_offset != before) ++gaps;
      before = found.stream_offset + found.octets.size();
    }
    EXPECT_LE(gaps, recording.left_out + recording.torn);
  }
}

// A writer with few messages takes no blocks beforehand, which other writers could not use.
TEST_F(WholeMessagesTest, OfManyWritersShareTheRing) {
  const auto ring = make(1 << 20);
  std::deque<PassingMessages> writers;
  for (std::uint32_t i = 0; i < 500; ++i) writers.emplace_back(*ring, i + 1, Direction::sent, secrets);
  for (int round = 0; round < 100; ++round)
    for (PassingMessages& writer : writers) writer.pass(next(20), 5);
  const Recording recording = read();
  EXPECT_GT(recording.messages.size(), ((1u << 20) / block_bytes) * 9 / 10);
}

}  // namespace
}  // namespace takt::recorder

// Messages among the octets of a connection, however they are divided.
#include "recorder/passing_messages.h"

#include <random>

#include "recording.h"

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

}  // namespace
}  // namespace takt::recorder

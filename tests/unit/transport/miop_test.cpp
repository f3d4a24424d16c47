// Messages in MIOP packets, over links that lose, duplicate and reorder them, and from hostile senders.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "transport/miop/packet.h"
#include "transport/miop/packet_collections.h"

namespace takt::transport::miop {
namespace {

using namespace std::chrono_literals;
using Octets = std::vector<std::uint8_t>;

constexpr CollectionId id_of(std::uint8_t number) {
  return {'s', 'e', 'n', 'd', 'e', 'r', 0, 0, 0, 0, 0, number};
}
const Octets peer{1, 2, 3, 4}, other_peer{1, 2, 3, 5};
const os::TimePoint start{};

Octets message_of(std::size_t size) {
  Octets message(size);
  std::iota(message.begin(), message.end(), std::uint8_t{0});
  return message;
}

std::vector<Octets> packets_of(const Octets& message, std::uint8_t number = 1,
                               std::size_t datagram_bytes = 72) {
  const ByteView whole = message;
  Packets packets({&whole, 1}, id_of(number), datagram_bytes);
  std::vector<Octets> all;
  for (Octets datagram; packets.next(datagram);) all.push_back(datagram);
  EXPECT_EQ(all.size(), packets.count());
  return all;
}

Octets taken_by(PacketCollections& collections, const Octets& datagram, os::TimePoint now = start,
                const Octets& from = peer) {
  const ByteView message = collections.take(from, datagram, now);
  return {message.begin(), message.end()};
}

// A packet as any sender may write it, in big-endian order.
Octets big_endian(std::uint8_t flags, std::uint8_t length, std::uint8_t number, std::uint8_t count,
                  const std::string& payload) {
  Octets packet{'M', 'I', 'O', 'P',   0x10, flags, 0, length, 0,   0,   0, number,
                0,   0,   0,   count, 0,    0,     0, 2,      'i', 'd', 0, 0};
  packet.insert(packet.end(), payload.begin(), payload.end());
  return packet;
}

TEST(MiopPacket, IsWrittenOctetForOctet) {
  const Octets message{'G', 'I', 'O', 'P', 1, 2, 3, 4, 5};
  const auto packets = packets_of(message, 7, 40);
  ASSERT_EQ(packets.size(), 2u);
  const bool little = std::endian::native == std::endian::little;
  const auto u32 = [&](std::uint8_t value) {
    return little ? Octets{value, 0, 0, 0} : Octets{0, 0, 0, value};
  };
  const auto expected = [&](std::uint8_t flags, std::uint8_t size, std::uint8_t number, Octets payload) {
    Octets octets{'M', 'I', 'O', 'P', 0x10, static_cast<std::uint8_t>(flags | (little ? 1 : 0))};
    for (const Octets& part : {little ? Octets{size, 0} : Octets{0, size}, u32(number), u32(2), u32(12),
                               Octets{'s', 'e', 'n', 'd', 'e', 'r', 0, 0, 0, 0, 0, 7}, payload})
      octets.insert(octets.end(), part.begin(), part.end());
    return octets;
  };
  EXPECT_EQ(packets[0], expected(0, 8, 0, {'G', 'I', 'O', 'P', 1, 2, 3, 4}));
  EXPECT_EQ(packets[1], expected(2, 1, 1, {5}));
}

TEST(MiopPacket, IsReadInEitherOrder) {
  const Octets packet = big_endian(2, 4, 0, 1, "GIOP");
  const auto read = MiopPacket::decode(packet);
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->last);
  EXPECT_EQ(read->number, 0u);
  EXPECT_EQ(read->count, 1u);
  EXPECT_EQ(std::string(read->id.begin(), read->id.end()), "id");
  EXPECT_EQ(std::string(read->payload.begin(), read->payload.end()), "GIOP");
}

TEST(MiopPacket, OneThatLiesIsNone) {
  const Octets good = big_endian(2, 4, 0, 1, "GIOP");
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(MiopPacket::decode(ByteView(good).first(size))) << size;
  const auto with = [&](std::size_t at, std::uint8_t octet) {
    Octets bad = good;
    bad[at] = octet;
    return MiopPacket::decode(bad).has_value();
  };
  EXPECT_FALSE(with(0, 'm'));
  EXPECT_FALSE(with(4, 0x11)) << "a version that we do not know";
  EXPECT_FALSE(with(7, 5)) << "longer than the datagram";
  EXPECT_FALSE(with(7, 0)) << "nothing in it";
  EXPECT_FALSE(with(11, 1)) << "the second of one";
  EXPECT_FALSE(with(15, 2)) << "the last of two, and the first";
  EXPECT_FALSE(with(5, 0)) << "the only one, and not the last";
  EXPECT_FALSE(with(19, 253)) << "an id that is too long";
  EXPECT_FALSE(with(17, 1)) << "and one that is longer than the datagram";
}

TEST(MiopMessages, OfOnePacketAreGivenAsTheyAre) {
  PacketCollections collections({});
  const Octets datagram = packets_of(message_of(40)).front();
  const ByteView message = collections.take(peer, datagram, start);
  EXPECT_EQ(message.data(), datagram.data() + packet_head_bytes);
  EXPECT_EQ(message.size(), 40u);
  EXPECT_TRUE(collections.take(peer, datagram, start).empty()) << "it has come twice";
  EXPECT_EQ(collections.unfinished(), 0u);
}

TEST(MiopMessages, AreCompleteOnceInWhateverOrderTheirPacketsCome) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    PacketCollections collections({});
    const Octets message = message_of(1 + random() % 2000);
    auto packets = packets_of(message);
    const auto doubled = packets;
    for (const Octets& packet : doubled)
      if (random() % 3 == 0) packets.push_back(packet);
    std::ranges::shuffle(packets, random);
    int complete = 0;
    for (const Octets& packet : packets)
      if (const Octets taken = taken_by(collections, packet); !taken.empty()) {
        EXPECT_EQ(taken, message) << "round " << round;
        ++complete;
      }
    EXPECT_EQ(complete, 1);
    EXPECT_EQ(collections.unfinished(), 0u);
    EXPECT_EQ(collections.bytes(), 0u);
  }
}

TEST(MiopMessages, OfSeveralSendersDoNotMix) {
  PacketCollections collections({});
  const Octets one = message_of(100), other = Octets(100, 9);
  const auto packets = packets_of(one), other_packets = packets_of(other);  // with the same id
  ASSERT_EQ(packets.size(), 3u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(taken_by(collections, packets[static_cast<std::size_t>(i)]).empty());
    EXPECT_TRUE(taken_by(collections, other_packets[static_cast<std::size_t>(i)], start, other_peer).empty());
  }
  EXPECT_EQ(taken_by(collections, packets[2]), one);
  EXPECT_EQ(taken_by(collections, other_packets[2], start, other_peer), other);
}

TEST(MiopMessages, MayTellHowManyPacketsThereAreWithTheLastOne) {
  for (const bool last_first : {false, true}) {
    PacketCollections collections({});
    const Octets first = big_endian(0, 4, 0, 0, "GIOP"), last = big_endian(2, 2, 1, 0, "!!");
    EXPECT_TRUE(taken_by(collections, last_first ? last : first).empty());
    const Octets message = taken_by(collections, last_first ? first : last);
    EXPECT_EQ(std::string(message.begin(), message.end()), "GIOP!!");
  }
}

TEST(MiopMessages, WithPacketsThatContradictEachOtherAreGivenUp) {
  PacketCollections collections({});
  EXPECT_TRUE(taken_by(collections, big_endian(0, 4, 0, 3, "GIOP")).empty());
  EXPECT_TRUE(taken_by(collections, big_endian(0, 4, 1, 4, "GIOP")).empty());
  EXPECT_EQ(collections.given_up(), 1u);
  EXPECT_TRUE(taken_by(collections, big_endian(0, 4, 5, 0, "GIOP")).empty());
  EXPECT_TRUE(taken_by(collections, big_endian(2, 4, 3, 0, "GIOP")).empty()) << "the last, before another";
  EXPECT_EQ(collections.given_up(), 2u);
  EXPECT_EQ(collections.unfinished(), 0u);
  EXPECT_EQ(collections.bytes(), 0u);
}

TEST(MiopMessages, ThatAreNotCompleteInTimeAreGivenUp) {
  PacketCollections collections({.time = 1s});
  const auto packets = packets_of(message_of(80));
  ASSERT_EQ(packets.size(), 2u);
  taken_by(collections, packets[0]);
  EXPECT_TRUE(taken_by(collections, packets[1], start + 1001ms).empty());
  EXPECT_EQ(collections.given_up(), 1u);
  EXPECT_EQ(collections.unfinished(), 1u)
      << "the second packet has begun another, which will never be complete";
  collections.expire(start + 3s);
  EXPECT_EQ(collections.unfinished(), 0u);
  EXPECT_EQ(collections.bytes(), 0u);
}

TEST(MiopMessages, OneSenderCanBeginOnlySoMany) {
  PacketCollections collections({.collections = 8, .collections_of_peer = 3});
  const auto others = packets_of(message_of(80), 100);
  taken_by(collections, others[0], start, other_peer);
  for (std::uint8_t i = 0; i < 50; ++i) taken_by(collections, packets_of(message_of(80), i)[0]);
  EXPECT_EQ(collections.unfinished(), 4u);
  EXPECT_EQ(collections.given_up(), 47u);
  EXPECT_EQ(taken_by(collections, others[1], start, other_peer), message_of(80))
      << "the other's is not harmed";
  EXPECT_EQ(taken_by(collections, packets_of(message_of(80), 49)[1]), message_of(80)) << "nor its latest";
}

TEST(MiopMessages, AllSendersTogetherTakeABoundedNumberAndMemory) {
  constexpr std::size_t most = 10'000;
  PacketCollections collections({.bytes = most, .collections = 20});
  for (int i = 0; i < 1000; ++i) {
    const Octets forged{static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i >> 8)};
    taken_by(collections, packets_of(message_of(4000), 1, 1032)[0], start, forged);
    EXPECT_LE(collections.unfinished(), 20u);
    EXPECT_LE(collections.bytes(), most);
  }
}

TEST(MiopMessages, ThatWouldBeTooLongAreNotBegun) {
  PacketCollections collections({.message_bytes = 100, .packets = 8});
  for (const Octets& packet : packets_of(message_of(104))) EXPECT_TRUE(taken_by(collections, packet).empty());
  EXPECT_TRUE(taken_by(collections, packets_of(message_of(104), 2, 200)[0]).empty()) << "in one packet";
  EXPECT_TRUE(taken_by(collections, big_endian(0, 1, 0, 9, "x")).empty());
  EXPECT_TRUE(taken_by(collections, big_endian(0, 1, 200, 0, "x")).empty());
  EXPECT_EQ(collections.unfinished(), 0u);
  EXPECT_EQ(collections.bytes(), 0u);
}

}  // namespace
}  // namespace takt::transport::miop

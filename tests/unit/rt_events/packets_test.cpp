// The packets of UDP and multicast gateways, and what hostile ones cost.
#include "rt_events/datagrams/packets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace takt::rt_events {
namespace {

using namespace std::chrono_literals;
using Packet = std::vector<std::uint8_t>;
using Packets = std::vector<Packet>;

constexpr PacketAssembler::TimePoint start{};

std::vector<RtecEventComm::Event> events_of(std::size_t count, std::size_t octets) {
  std::vector<RtecEventComm::Event> events(count);
  for (std::size_t i = 0; i < count; ++i) {
    events[i].header().type(static_cast<std::int32_t>(20 + i));
    events[i].header().ttl(3);
    events[i].data().payload().assign(octets, static_cast<std::uint8_t>(i));
    events[i].data().any_value() <<= std::string("rain");
  }
  return events;
}

Packets packets_of(PacketWriter& writer, const std::vector<RtecEventComm::Event>& events) {
  std::vector<const RtecEventComm::Event*> all;
  for (const auto& each : events) all.push_back(&each);
  Packets packets;
  const std::size_t written =
      writer.write(all, [&](ByteView packet) { packets.emplace_back(packet.begin(), packet.end()); });
  EXPECT_EQ(written, packets.size());
  return packets;
}

std::uint32_t& number_in(Packet& packet, std::size_t place) {
  return *reinterpret_cast<std::uint32_t*>(packet.data() + 4 + 4 * place);
}

TEST(RtEventPackets, HaveTheHeaderOfTaosGateways) {
  PacketWriter writer(1'024);
  Packets packets = packets_of(writer, events_of(1, 100));
  ASSERT_EQ(packets.size(), 1u);
  Packet& packet = packets[0];
  EXPECT_EQ(packet[0], cdr::native_order == cdr::ByteOrder::little ? 1 : 0);
  EXPECT_EQ(std::string(packet.begin() + 1, packet.begin() + 4), "ABC");
  const auto payload = static_cast<std::uint32_t>(packet.size() - 32);
  const std::uint32_t expected[] = {0, payload, payload, 0, 0, 1, 0};
  for (std::size_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(number_in(packet, i), expected[i]) << i;
  EXPECT_EQ(number_in(packet, 7), 1u);  // the payload begins with the number of events
}

TEST(RtEventPackets, AreReadInAnyOrderFromAnySenders) {
  const auto events = events_of(7, 500);
  std::mt19937 random(7);
  for (const std::size_t size : {40uz, 41uz, 100uz, 1'024uz, 65'507uz}) {
    PacketWriter one(size), other(size);
    packets_of(other, events_of(1, 1));  // the ids differ
    std::vector<std::pair<std::string, Packet>> all;
    for (const auto& each : packets_of(one, events)) all.emplace_back("one", each);
    for (const auto& each : packets_of(other, events)) all.emplace_back("other", each);
    for (const auto& each : all) EXPECT_LE(each.second.size(), size);
    std::ranges::shuffle(all, random);
    PacketAssembler assembler({.bytes = 64u << 20});
    std::size_t complete = 0;
    for (const auto& [sender, packet] : all)
      if (const auto request = assembler.add(sender, packet, start)) {
        const auto read = events_in(*request);
        ASSERT_TRUE(read);
        EXPECT_TRUE(std::ranges::equal(*read, events, [](const auto& a, const auto& b) {
          return a.header().type() == b.header().type() && a.data().payload() == b.data().payload();
        }));
        ++complete;
      }
    EXPECT_EQ(complete, 2u);
    EXPECT_EQ(assembler.held_bytes(), 0u);
    EXPECT_EQ(assembler.counts().refused, 0u);
  }
}

TEST(RtEventPackets, OfTheOtherByteOrderAreRead) {
  Packet packet(32 + 4, 0);  // no events, in the other order
  packet[0] = cdr::native_order == cdr::ByteOrder::little ? 0 : 1;
  std::ranges::copy(std::string("ABC"), packet.begin() + 1);
  const std::uint32_t numbers[] = {9, 4, 4, 0, 0, 1};
  for (std::size_t i = 0; i < std::size(numbers); ++i) number_in(packet, i) = __builtin_bswap32(numbers[i]);
  const auto request = PacketAssembler().add("far", packet, start);
  ASSERT_TRUE(request);
  EXPECT_NE(request->order, cdr::native_order);
  EXPECT_TRUE(events_in(*request)->empty());
}

TEST(RtEventPackets, WithAFaultAreRefused) {
  PacketWriter writer(64);
  const Packets good = packets_of(writer, events_of(1, 200));
  ASSERT_GT(good.size(), 3u);
  PacketAssembler assembler;
  const auto refuses = [&](std::size_t of, const std::function<void(Packet&)>& spoil) {
    Packet packet = good[of];
    spoil(packet);
    const auto before = assembler.counts().refused;
    EXPECT_FALSE(assembler.add("evil", packet, start));
    return assembler.counts().refused == before + 1;
  };
  EXPECT_FALSE(assembler.add("evil", good[1], start));
  EXPECT_TRUE(refuses(0, [](Packet& packet) { packet.resize(31); }));
  EXPECT_TRUE(refuses(0, [](Packet& packet) { packet.resize(32); }));
  EXPECT_TRUE(refuses(0, [](Packet& packet) { packet.push_back(0); }));
  EXPECT_TRUE(refuses(0, [](Packet& packet) { packet[0] ^= 1; }));
  EXPECT_TRUE(refuses(0, [](Packet& packet) { packet[0] ^= 2; }));
  EXPECT_TRUE(refuses(0, [](Packet& packet) { packet[1] = 0; }));
  EXPECT_TRUE(refuses(0, [](Packet& packet) { packet[2] = 'b'; }));
  EXPECT_TRUE(refuses(0, [](Packet& packet) { packet[3] = 0; }));
  EXPECT_TRUE(refuses(0, [](Packet& packet) { number_in(packet, 1) = 0xffff'ffff; }));
  EXPECT_TRUE(refuses(2, [](Packet& packet) { number_in(packet, 3) = 0xffff'ffff; }));
  EXPECT_TRUE(refuses(2, [](Packet& packet) { number_in(packet, 4) = number_in(packet, 5); }));
  EXPECT_TRUE(refuses(2, [](Packet& packet) { number_in(packet, 5) = 0xffff'ffff; }));
  EXPECT_TRUE(refuses(2, [](Packet& packet) { number_in(packet, 5) += 1; }));  // another count than before
  EXPECT_EQ(assembler.incomplete(), 1u);
  EXPECT_FALSE(assembler.add("evil", good[1], start));
  EXPECT_EQ(assembler.counts().repeated, 1u);
}

TEST(RtEventPackets, FragmentsThatOverlapAreNoRequest) {
  PacketWriter writer(64);
  Packets packets = packets_of(writer, events_of(1, 200));
  number_in(packets[2], 3) -= 8;  // begins within the fragment before
  PacketAssembler assembler;
  for (const Packet& each : packets) EXPECT_FALSE(assembler.add("evil", each, start));
  EXPECT_EQ(assembler.counts().refused, 1u);
  EXPECT_EQ(assembler.held_bytes(), 0u);
}

TEST(RtEventPackets, IncompleteRequestsTakeBoundedMemoryForABoundedTime) {
  PacketWriter writer(1'024);
  Packets packets = packets_of(writer, events_of(1, 100'000));
  PacketAssembler assembler({.requests = 100, .bytes = 50'000});
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    Packet& packet = packets[i % (packets.size() - 1)];
    number_in(packet, 0) = i;
    EXPECT_FALSE(assembler.add("sender " + std::to_string(i % 7), packet, start));
    ASSERT_LE(assembler.incomplete(), 100u);
    ASSERT_LE(assembler.held_bytes(), 50'000u);
  }
  EXPECT_GT(assembler.counts().given_up, 9'000u);
  EXPECT_FALSE(assembler.add("late", packets[0], start + 3s));
  EXPECT_EQ(assembler.incomplete(), 1u);  // the others had their time
}

TEST(RtEventPackets, OneSenderCanBeginOnlySoMany) {
  PacketWriter writer(1'024), evil_writer(1'024);
  const Packets good = packets_of(writer, events_of(1, 2'000));
  Packets evil = packets_of(evil_writer, events_of(1, 2'000));
  ASSERT_EQ(good.size(), 3u);
  PacketAssembler assembler;
  EXPECT_FALSE(assembler.add("good", good[0], start));
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    number_in(evil[0], 0) = i;
    EXPECT_FALSE(assembler.add("evil", evil[0], start));
  }
  EXPECT_EQ(assembler.incomplete(), 1u + 16u);
  EXPECT_FALSE(assembler.add("good", good[1], start));
  EXPECT_TRUE(assembler.add("good", good[2], start));
}

TEST(RtEventPackets, RequestsThatAreNoEventsAreTold) {
  for (const std::vector<std::uint8_t>& octets :
       {std::vector<std::uint8_t>{}, {1}, {0xff, 0xff, 0xff, 0xff}, {1, 0, 0, 0, 20, 0, 0, 0}})
    EXPECT_FALSE(events_in({cdr::native_order, octets}));
}

}  // namespace
}  // namespace takt::rt_events

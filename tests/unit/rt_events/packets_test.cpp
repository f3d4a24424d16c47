// The packets of UDP and multicast gateways, and what hostile ones cost.
#include "rt_events/datagrams/datagram_gateway.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <new>
#include <random>

#include "channel_fixture.h"
#include "rt_events/model/filters.h"

namespace takt::rt_events {
namespace {

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
  Packets packets;
  for (const auto& each : events) {
    const std::size_t before = packets.size();
    const auto written = writer.write(each.header(), each.data(), [&](ByteView packet) {
      packets.emplace_back(packet.begin(), packet.end());
      return true;
    });
    EXPECT_TRUE(written.whole);
    EXPECT_EQ(written.packets, packets.size() - before);
  }
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
  const auto events = events_of(1, 3'500);
  std::mt19937 random(7);
  for (const std::size_t size : {88uz, 89uz, 100uz, 1'024uz, 65'507uz}) {
    PacketWriter one(size), other(size);
    packets_of(other, events_of(1, 1));  // the ids differ
    std::vector<std::pair<PacketSender, Packet>> all;
    for (const auto& each : packets_of(one, events)) all.emplace_back(PacketSender{"one"}, each);
    for (const auto& each : packets_of(other, events)) all.emplace_back(PacketSender{"one", 1}, each);
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
  const auto request = PacketAssembler().add({"far"}, packet, start);
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
    EXPECT_FALSE(assembler.add({"evil"}, packet, start));
    return assembler.counts().refused == before + 1;
  };
  EXPECT_FALSE(assembler.add({"evil"}, good[1], start));
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
  EXPECT_FALSE(assembler.add({"evil"}, good[1], start));
  EXPECT_EQ(assembler.counts().repeated, 1u);
}

TEST(RtEventPackets, FragmentsThatOverlapAreNoRequest) {
  PacketWriter writer(64);
  Packets packets = packets_of(writer, events_of(1, 200));
  number_in(packets[2], 3) -= 8;  // begins within the fragment before
  PacketAssembler assembler;
  for (const Packet& each : packets) EXPECT_FALSE(assembler.add({"evil"}, each, start));
  EXPECT_EQ(assembler.counts().refused, 1u);
  EXPECT_EQ(assembler.held_bytes(), 0u);
}

TEST(RtEventPackets, OfTheLeastLengthCarryTheLongestRequest) {
  PacketWriter writer(1);
  const Packets packets = packets_of(writer, events_of(1, std::size_t{1} << 20));
  EXPECT_LE(packets.front().size(), PacketWriter::least_packet);
  PacketAssembler assembler;
  const PacketSender sender{"1234:5678:9abc:def0:1234:5678:255.255.255.255"};
  std::size_t complete = 0;
  for (const Packet& each : packets) complete += assembler.add(sender, each, start).has_value();
  EXPECT_EQ(complete, 1u);
  EXPECT_EQ(assembler.counts().given_up, 0u);
}

TEST(RtEventPackets, IncompleteRequestsTakeBoundedMemoryForABoundedTime) {
  PacketWriter writer(1'024);
  Packets packets = packets_of(writer, events_of(1, 100'000));
  PacketAssembler assembler({.requests = 100, .bytes = 50'000});
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    Packet& packet = packets[i % (packets.size() - 1)];
    number_in(packet, 0) = i;
    EXPECT_FALSE(assembler.add({"sender " + std::to_string(i % 7)}, packet, start));
    ASSERT_LE(assembler.incomplete(), 100u);
    ASSERT_LE(assembler.held_bytes(), 50'000u);
  }
  EXPECT_GT(assembler.counts().given_up, 9'000u);
  EXPECT_FALSE(assembler.add({"late"}, packets[0], start + 3s));
  EXPECT_EQ(assembler.incomplete(), 1u);  // the others had their time
}

TEST(RtEventPackets, OneSenderCanBeginOnlySoMany) {
  PacketWriter writer(1'024), evil_writer(1'024);
  const Packets good = packets_of(writer, events_of(1, 2'000));
  Packets evil = packets_of(evil_writer, events_of(1, 2'000));
  ASSERT_EQ(good.size(), 3u);
  PacketAssembler assembler;
  EXPECT_FALSE(assembler.add({"good"}, good[0], start));
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    number_in(evil[0], 0) = i;
    EXPECT_FALSE(assembler.add({"evil"}, evil[0], start));
  }
  EXPECT_EQ(assembler.incomplete(), 1u + 16u);
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    number_in(evil[0], 0) = i;
    EXPECT_FALSE(assembler.add({"evil", static_cast<std::uint16_t>(i)}, evil[0], start));
  }
  EXPECT_EQ(assembler.incomplete(), 1u + 64u);  // one host, whatever its ports
  EXPECT_FALSE(assembler.add({"good"}, good[1], start));
  EXPECT_TRUE(assembler.add({"good"}, good[2], start));
}

// The ids of a sender that restarts begin with 0 again.
TEST(RtEventPackets, FragmentsThatAreTooOldAreCompletedByNone) {
  PacketWriter before(1'024), after(1'024);
  const Packets old = packets_of(before, events_of(1, 2'000)), fresh = packets_of(after, events_of(1, 2'000));
  ASSERT_EQ(old.size(), 3u);
  PacketAssembler assembler;
  EXPECT_FALSE(assembler.add({"restarted"}, old[0], start));
  EXPECT_FALSE(assembler.add({"restarted"}, fresh[1], start + 3s));
  EXPECT_FALSE(assembler.add({"restarted"}, fresh[2], start + 3s));
  EXPECT_EQ(assembler.counts().given_up, 1u);
  EXPECT_TRUE(assembler.add({"restarted"}, fresh[0], start + 3s));
}

TEST(RtEventPackets, EndAfterOneThatIsNotSent) {
  const auto events = events_of(1, 2'000);
  std::size_t tried = 0;
  PacketWriter writer(1'024);
  const auto second_fails = [&](ByteView) { return ++tried < 2; };
  const auto written = writer.write(events[0].header(), events[0].data(), second_fails);
  EXPECT_FALSE(written.whole);
  EXPECT_EQ(written.packets, 2u);
  EXPECT_EQ(tried, 2u);
  const auto large = events_of(1, most_request_bytes);
  const auto refused = writer.write(large[0].header(), large[0].data(), second_fails);
  EXPECT_FALSE(refused.whole);
  EXPECT_EQ(refused.packets, 0u);
  EXPECT_EQ(packets_of(writer, events_of(1, 1u << 20)).size(), 1'058u);
}

// The packets that are sent, and those that come.
struct Wire {
  std::mutex mutex;
  Packets sent, coming;
  int failures = 0;
};

class WireSender final : public DatagramSender {
 public:
  explicit WireSender(Wire& wire) : wire_(wire) {}
  bool send(ByteView datagram) override {
    const std::lock_guard lock(wire_.mutex);
    wire_.sent.emplace_back(datagram.begin(), datagram.end());
    return true;
  }

 private:
  Wire& wire_;
};

class WireReceiver final : public DatagramReceiver {
 public:
  explicit WireReceiver(Wire& wire) : wire_(wire) {}
  std::optional<Datagram> receive(std::span<std::uint8_t> into, std::chrono::milliseconds) override {
    const std::lock_guard lock(wire_.mutex);
    if (wire_.failures > 0 && wire_.failures-- > 0) throw std::bad_alloc();
    if (wire_.coming.empty()) {
      std::this_thread::sleep_for(1ms);
      return {};
    }
    const Packet packet = std::move(wire_.coming.front());
    wire_.coming.erase(wire_.coming.begin());
    std::ranges::copy(packet, into.begin());
    return Datagram{{"far"}, packet.size()};
  }

 private:
  Wire& wire_;
};

class DatagramGateway : public Channel {};

RtecEventComm::Event living(std::int32_t ttl) {
  RtecEventComm::Event event = events_of(1, 3)[0];
  event.header().ttl(ttl);
  event.data().pad1(ttl);
  return event;
}

TEST_F(DatagramGateway, SendsEachEventInARequestWithOneLessOfItsTtl) {
  Wire wire;
  start();
  auto output = DatagramOutput::connect(*channel_, std::make_unique<WireSender>(wire));
  ASSERT_TRUE(output) << output.error();
  std::vector<RtecEventComm::Event> events;
  for (const std::int32_t ttl : {3, 0, 1, -1}) events.push_back(living(ttl));
  channel_->push(events);
  EXPECT_TRUE(eventually([&] { return (*output)->counts().events == 2; }));
  const std::lock_guard lock(wire.mutex);
  ASSERT_EQ(wire.sent.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto request = PacketAssembler().add({"near"}, wire.sent[i], PacketAssembler::TimePoint{});
    ASSERT_TRUE(request);
    const auto sent = events_in(*request);
    ASSERT_TRUE(sent && sent->size() == 1);
    EXPECT_EQ((*sent)[0].header().ttl(), i == 0 ? 2 : 0);
    EXPECT_EQ((*sent)[0].data().pad1(), i == 0 ? 3 : 1);
  }
}

TEST_F(DatagramGateway, TakesATtlOf0AndOutlastsExceptions) {
  Wire wire;
  PacketWriter writer;
  for (const std::int32_t ttl : {0, 3, std::numeric_limits<std::int32_t>::max(), -1}) {
    const std::vector<RtecEventComm::Event> one{living(ttl)};
    wire.coming.push_back(packets_of(writer, one)[0]);
  }
  wire.failures = 2;
  start();
  std::mutex mutex;
  Numbers lives;
  const auto taken = connect(std::make_shared<Caller>([&](const EventList& list) {
                               const std::lock_guard lock(mutex);
                               for (const auto& each : list) lives.push_back(each.header().ttl());
                             }),
                             {.filter = filters::event(any_type)});
  DatagramInput input(*channel_, std::make_unique<WireReceiver>(wire), 3);
  EXPECT_TRUE(eventually([&] {
    const std::lock_guard lock(mutex);
    return lives.size() == 3 && input.counts().expired == 1;
  }));
  EXPECT_EQ(input.counts().failed, 2u);
  const std::lock_guard lock(mutex);
  EXPECT_EQ(lives, (Numbers{0, 3, 3}));
}

TEST(RtEventPackets, RequestsThatAreNoEventsAreTold) {
  for (const std::vector<std::uint8_t>& octets :
       {std::vector<std::uint8_t>{}, {1}, {0xff, 0xff, 0xff, 0xff}, {1, 0, 0, 0, 20, 0, 0, 0}})
    EXPECT_FALSE(events_in({cdr::native_order, octets}));
}

}  // namespace
}  // namespace takt::rt_events

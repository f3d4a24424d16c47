// Streams of frames: datagrams, the statistics of RFC 3550, and reassembly of frames.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "frames/protocol/frame_assembler.h"
#include "frames/protocol/packet.h"
#include "frames/protocol/reception.h"
#include "frames/protocol/refusals.h"
#include "frames/protocol/streamed_packets.h"

namespace takt::frames {
namespace {

using namespace std::chrono_literals;
using Octets = std::vector<std::uint8_t>;
using TimePoint = FrameAssembler::TimePoint;

constexpr std::uint32_t source = 0x11223344;
const TimePoint start{1000s};

std::vector<Octets> datagrams_of(Packetizer& packetizer, const Octets& frame, std::uint32_t timestamp) {
  EXPECT_TRUE(packetizer.begin(frame, timestamp));
  std::vector<Octets> all;
  for (Octets datagram; packetizer.next(datagram);) all.push_back(datagram);
  return all;
}

TEST(FramePacket, IsWrittenOctetForOctet) {
  Packetizer packetizer(source, 0xffff, packet_head_bytes + 4);
  const auto datagrams = datagrams_of(packetizer, {1, 2, 3, 4, 5}, 0xa0b0c0d0);
  ASSERT_EQ(datagrams.size(), 2u);
  EXPECT_EQ(datagrams[0], (Octets{0x80, 96, 0xff, 0xff, 0xa0, 0xb0, 0xc0, 0xd0, 0x11, 0x22, 0x33, 0x44,  //
                                  0,    0,  0,    2,    1,    2,    3,    4}));
  EXPECT_EQ(datagrams[1], (Octets{0x80, 0x80 | 96, 0, 0, 0xa0, 0xb0, 0xc0, 0xd0, 0x11, 0x22, 0x33, 0x44,  //
                                  0, 1, 0, 2, 5}));
  EXPECT_FALSE(packetizer.begin({}, 0));
  EXPECT_FALSE(packetizer.begin(Octets(65535 * 4 + 1), 0));
  EXPECT_TRUE(packetizer.begin(Octets(65535 * 4), 0));
}

// Data as a connection delivers it: `at_a_time` octets per read.
std::vector<Octets> read_from_stream(const Octets& stream, std::size_t at_a_time) {
  StreamedPackets packets;
  std::vector<Octets> all;
  for (std::size_t done = 0; done < stream.size();) {
    const MutableBytes space = packets.read_space();
    const std::size_t count = std::min({space.size(), at_a_time, stream.size() - done});
    std::copy_n(stream.begin() + static_cast<std::ptrdiff_t>(done), count, space.begin());
    packets.bytes_read(count);
    done += count;
    while (const auto packet = packets.next()) all.emplace_back(packet->begin(), packet->end());
  }
  return all;
}

TEST(StreamedPackets, ComeInWhateverPiecesTheConnectionGives) {
  std::vector<Octets> sent;
  Octets stream;
  for (const std::size_t size : {1u, 16u, 300u, 65'535u, 2u, 65'535u, 65'534u, 40u}) {
    sent.emplace_back(size, static_cast<std::uint8_t>(size));
    const auto length = length_before(size);
    stream.insert(stream.end(), length.begin(), length.end());
    stream.insert(stream.end(), sent.back().begin(), sent.back().end());
  }
  for (const std::size_t at_a_time : {1u, 2u, 3u, 1000u, 65'537u, 1'000'000u})
    EXPECT_EQ(read_from_stream(stream, at_a_time), sent) << at_a_time;
}

TEST(StreamedPackets, MayBeEmptyWhichMeansNothing) {
  EXPECT_EQ(read_from_stream({0, 0, 0, 0, 0, 1, 7, 0, 0, 0, 2, 8, 9, 0, 0}, 4),
            (std::vector<Octets>{{7}, {8, 9}}));
  EXPECT_TRUE(read_from_stream(Octets(200'000, 0), 70'000).empty());
}

TEST(StreamedPackets, AreNoneBeforeTheyAreComplete) {
  EXPECT_TRUE(read_from_stream({0}, 1).empty());
  EXPECT_TRUE(read_from_stream({0, 3, 1, 2}, 4).empty());
}

TEST(FramePacket, PassesOverWhatRtpAllows) {
  // A contributing source, an extension of one word, and three octets of padding.
  const Octets datagram{0x80 | 0x20 | 0x10 | 1,
                        0x80 | 96,
                        0,
                        7,
                        0,
                        0,
                        0,
                        9,
                        0x11,
                        0x22,
                        0x33,
                        0x44,  //
                        1,
                        1,
                        1,
                        1,
                        0xbe,
                        0xde,
                        0,
                        1,
                        2,
                        2,
                        2,
                        2,  //
                        0,
                        0,
                        0,
                        1,
                        'x',
                        'y',
                        0,
                        0,
                        3};
  const auto packet = RtpPacket::decode(datagram);
  ASSERT_TRUE(packet);
  EXPECT_EQ(packet->sequence, 7);
  EXPECT_EQ(packet->timestamp, 9u);
  EXPECT_EQ(std::string(packet->payload.begin(), packet->payload.end()), "xy");
}

TEST(FramePacket, OneThatContradictsItselfIsNone) {
  Packetizer packetizer(source, 1, 1000);
  const Octets good = datagrams_of(packetizer, {1, 2, 3}, 5).front();
  ASSERT_TRUE(RtpPacket::decode(good));
  for (std::size_t size = 0; size <= packet_head_bytes; ++size)
    EXPECT_FALSE(RtpPacket::decode(ByteView(good).first(size))) << size;
  const auto with = [&](std::size_t at, std::uint8_t octet) {
    Octets bad = good;
    bad[at] = octet;
    return RtpPacket::decode(bad).has_value();
  };
  EXPECT_FALSE(with(0, 0x40)) << "another version";
  EXPECT_FALSE(with(0, 0x8f)) << "more contributing sources than there are octets";
  EXPECT_FALSE(with(0, 0x90)) << "an extension that is longer than the datagram";
  EXPECT_FALSE(with(0, 0xa0)) << "three octets of padding, and nothing else";
  EXPECT_FALSE(with(1, 0x80 | 95)) << "another payload";
  EXPECT_FALSE(with(1, 96)) << "the only part, and not the last";
  EXPECT_FALSE(with(13, 1)) << "the second of one";
  EXPECT_FALSE(with(15, 2)) << "the first of two, and the last";
  EXPECT_FALSE(with(15, 0)) << "of none";
}

// The values below follow RFC 3550, appendices A.1, A.3 and A.8, and were computed by hand.
class Receptions : public testing::Test {
 protected:
  void arrive(std::initializer_list<std::uint16_t> numbers) {
    for (const std::uint16_t number : numbers) EXPECT_TRUE(reception_.take(number, 0, start)) << number;
  }
  Reception reception_{8000};
};

TEST_F(Receptions, CountWhatIsLostInAllAndSinceTheLastReport) {
  arrive({10, 11, 12, 14, 15, 16, 18, 19});
  FrameReport report = reception_.report();
  EXPECT_EQ(report.highest_sequence, 19u);
  EXPECT_EQ(report.cumulative_lost, 2);
  EXPECT_EQ(report.fraction_lost, 51) << "2 of 10, in 256ths";
  arrive({20, 21, 22, 23});
  report = reception_.report();
  EXPECT_EQ(report.cumulative_lost, 2);
  EXPECT_EQ(report.fraction_lost, 0);
  arrive({25, 27});
  report = reception_.report();
  EXPECT_EQ(report.cumulative_lost, 4);
  EXPECT_EQ(report.fraction_lost, 128);
}

TEST_F(Receptions, TakeLateOnesForArrivedAndDoubleOnesForMoreThanAll) {
  arrive({1, 2, 4, 3, 5});
  EXPECT_EQ(reception_.report().cumulative_lost, 0);
  arrive({5, 5});
  const FrameReport report = reception_.report();
  EXPECT_EQ(report.cumulative_lost, -2);
  EXPECT_EQ(report.fraction_lost, 0);
}

TEST_F(Receptions, CountHowOftenNumbersBeginAnew) {
  arrive({65534, 65535, 0, 1});
  FrameReport report = reception_.report();
  EXPECT_EQ(report.highest_sequence, 0x10001u);
  EXPECT_EQ(report.cumulative_lost, 0);
  arrive({65535});  // late
  EXPECT_EQ(reception_.report().highest_sequence, 0x10001u);
}

TEST_F(Receptions, LeaveOutALeapUnlessItGoesOn) {
  arrive({1, 2});
  EXPECT_FALSE(reception_.take(30'000, 0, start));
  arrive({3});
  EXPECT_EQ(reception_.report().highest_sequence, 3u);
  EXPECT_FALSE(reception_.take(30'000, 0, start));
  arrive({30'001, 30'002});
  const FrameReport report = reception_.report();
  EXPECT_EQ(report.highest_sequence, 30'002u) << "the source has begun anew";
  EXPECT_EQ(report.cumulative_lost, 0);
}

TEST_F(Receptions, NumberPacketsBeyond32Bits) {
  EXPECT_TRUE(reception_.take(0, 0, start));
  std::int64_t number = 0;
  while (number < std::int64_t{1} << 32) {
    number += 2'999;
    ASSERT_TRUE(reception_.take(static_cast<std::uint16_t>(number), 0, start));
  }
  EXPECT_EQ(reception_.number_of(static_cast<std::uint16_t>(number)), number);
  EXPECT_EQ(reception_.report().highest_sequence, static_cast<std::uint32_t>(number));
}

// 160 units of 1/8000 s between packets; one packet is late by 5 ms, 40 units.
TEST_F(Receptions, EstimateJitter) {
  EXPECT_TRUE(reception_.take(1, 0, start));
  EXPECT_TRUE(reception_.take(2, 160, start + 20ms));
  EXPECT_EQ(reception_.report().jitter, 0u);
  EXPECT_TRUE(reception_.take(3, 320, start + 45ms));
  EXPECT_EQ(reception_.report().jitter, 2u) << "40 / 16";
  EXPECT_TRUE(reception_.take(4, 480, start + 60ms));
  EXPECT_EQ(reception_.report().jitter, 4u) << "(40 + 40 - (40 + 8) / 16) / 16 = 77 / 16";
  EXPECT_TRUE(reception_.take(5, 640, start + 80ms));
  EXPECT_EQ(reception_.report().jitter, 4u) << "(77 - (77 + 8) / 16) / 16 = 72 / 16";
}

// A stream of 100 frames a second, whose timestamps are milliseconds.
class Assembly : public testing::Test {
 protected:
  explicit Assembly(const FrameOptions& options = {.clock_rate = 1000}) : assembler_(source, options) {}

  std::vector<Octets> datagrams(int frame, std::size_t parts = 1) {
    return datagrams_of(packetizer_, Octets(parts * 100, static_cast<std::uint8_t>(frame)),
                        static_cast<std::uint32_t>(frame * 10));
  }
  void arrive(const Octets& datagram, TimePoint now = start) { EXPECT_TRUE(assembler_.take(datagram, now)); }
  // The numbers of the delivered frames; negative: late.
  std::vector<int> given(TimePoint now = start) {
    std::vector<int> numbers;
    while (const auto frame = assembler_.next(now)) {
      const int number = static_cast<int>(frame->timestamp / 10);
      EXPECT_TRUE(
          std::ranges::all_of(frame->octets, [&](std::uint8_t one) { return one == frame->octets[0]; }));
      EXPECT_EQ(frame->octets[0], static_cast<std::uint8_t>(number));
      numbers.push_back(frame->late ? -number : number);
    }
    return numbers;
  }

  Packetizer packetizer_{source, 65530, packet_head_bytes + 100};
  FrameAssembler assembler_;
};

TEST_F(Assembly, GivesAFrameWhenItIsWhole) {
  auto one = datagrams(1, 5);
  std::ranges::reverse(one);
  for (std::size_t i = 0; i < 4; ++i) arrive(one[i]);
  EXPECT_TRUE(given().empty());
  arrive(one[4]);
  EXPECT_EQ(given(), (std::vector{1}));
  for (const auto& datagram : one) arrive(datagram);
  EXPECT_TRUE(given().empty()) << "they have come twice";
  EXPECT_EQ(assembler_.kept(), 0u);
  EXPECT_EQ(assembler_.bytes(), 0u);
}

// Consecutive packets may be up to 2^31 steps apart, nearly 25 days.
TEST_F(Assembly, RefusesTimestampsThatAreMadeToOverflowItsTimes) {
  std::uint32_t timestamp = 0;
  bool refused = false;
  for (int i = 0; i < 100'000 && !refused; ++i, timestamp += 0x7fffffff)
    for (const Octets& datagram : datagrams_of(packetizer_, Octets(10), timestamp))
      refused = !assembler_.take(datagram, start);
  EXPECT_TRUE(refused);
  EXPECT_GT(assembler_.report().refused, 0u);
}

TEST_F(Assembly, DropsWhatIsLateAndWaitsForNothing) {
  const auto one = datagrams(1, 2), two = datagrams(2), three = datagrams(3), four = datagrams(4);
  arrive(one[0]);
  arrive(three[0]);
  EXPECT_EQ(given(), (std::vector{3}));
  arrive(one[1]);
  arrive(two[0]);
  arrive(four[0]);
  EXPECT_EQ(given(), (std::vector{4}));
  const FrameReport report = assembler_.report();
  EXPECT_EQ(report.frames, 2u);
  EXPECT_EQ(report.incomplete, 1u) << "the first, of which a part was missing when a later one was given";
  EXPECT_EQ(report.late, 1u) << "the second";
  EXPECT_EQ(report.cumulative_lost, 0) << "for packets, all have come";
  EXPECT_EQ(report.refused, 0u);
}

TEST_F(Assembly, RefusesWhatIsNotOfTheStream) {
  Packetizer other(source + 1, 1, 1000);
  EXPECT_FALSE(assembler_.take(datagrams_of(other, {1}, 10)[0], start));
  EXPECT_FALSE(assembler_.take(Octets(100, 0), start));
  arrive(datagrams(1, 2)[0]);
  Packetizer contradicts(source, 65532, packet_head_bytes + 100);
  EXPECT_FALSE(assembler_.take(datagrams_of(contradicts, Octets(300), 10)[0], start));
  EXPECT_EQ(assembler_.report().refused, 3u);
}

class LateAssembly : public Assembly {
 protected:
  LateAssembly() : Assembly({.clock_rate = 1000, .late = LateFrames::give}) {}
};

TEST_F(LateAssembly, GivesWhatIsLateAllTheSame) {
  const auto one = datagrams(1, 2), two = datagrams(2);
  arrive(one[0]);
  arrive(two[0]);
  EXPECT_EQ(given(), (std::vector{2}));
  arrive(one[1]);
  EXPECT_EQ(given(), (std::vector{-1}));
  EXPECT_EQ(assembler_.report().late, 1u);
}

class DelayedAssembly : public Assembly {
 protected:
  DelayedAssembly() : Assembly({.clock_rate = 1000, .delay = 50ms}) {}
};

TEST_F(DelayedAssembly, GivesFramesInOrderAndAtTheirTimes) {
  const auto one = datagrams(1), two = datagrams(2), three = datagrams(3), four = datagrams(4);
  arrive(one[0], start);
  EXPECT_TRUE(given(start).empty());
  EXPECT_EQ(assembler_.next_deadline(), start + 50ms);
  arrive(three[0], start + 20ms);
  arrive(two[0], start + 25ms);
  EXPECT_EQ(given(start + 50ms), (std::vector{1}));
  EXPECT_EQ(given(start + 59ms), (std::vector<int>{}));
  EXPECT_EQ(given(start + 60ms), (std::vector{2}));
  EXPECT_EQ(given(start + 75ms), (std::vector{3}));
  arrive(four[0], start + 81ms);  // due at 80 ms
  EXPECT_TRUE(given(start + 200ms).empty());
  EXPECT_FALSE(assembler_.next_deadline());
  EXPECT_EQ(assembler_.report().late, 1u);
}

TEST_F(DelayedAssembly, DoesNotWaitForTheRestOfAFrameBeyondItsTime) {
  const auto one = datagrams(1, 2), two = datagrams(2);
  arrive(one[0], start);
  arrive(two[0], start + 10ms);
  EXPECT_EQ(given(start + 60ms), (std::vector{2}));
  EXPECT_EQ(assembler_.report().incomplete, 1u);
  EXPECT_EQ(assembler_.kept(), 0u);
}

// The sender's clock drifts by 1 in 1000, ten times as much as real clocks, so its frames come ever later.
TEST_F(DelayedAssembly, FollowsADriftingClock) {
  int frames = 0;
  for (int i = 0; i < 20'000; ++i) {
    const TimePoint now = start + i * 10'010us;
    arrive(datagrams(i)[0], now);
    frames += static_cast<int>(given(now).size());
  }
  EXPECT_GT(frames, 19'900);
  EXPECT_EQ(assembler_.report().late, 0u);
}

// How many frames are given of those that come 180 ms later than 200 earlier ones.
int frames_after(FrameAssembler& assembler, Packetizer& packetizer, std::chrono::milliseconds pause,
                 int frames) {
  int given = 0;
  for (int i = 0; i < 200 + frames; ++i) {
    const auto time = i * 10ms + (i < 200 ? 0ms : pause);
    const TimePoint now = start + time + (i < 200 ? 0ms : 180ms);
    for (const auto& datagram :
         datagrams_of(packetizer, Octets(200), static_cast<std::uint32_t>(time.count())))
      assembler.take(datagram, now);
    while (assembler.next(now)) given += i < 200 ? 0 : 1;
  }
  return given;
}

TEST_F(DelayedAssembly, BeginsToMeasureDelaysAnewAfterAPause) {
  EXPECT_GE(frames_after(assembler_, packetizer_, 1h, 100), 94) << "but for those that wait";
}

TEST_F(DelayedAssembly, FollowsAWayThatBecomesLonger) {
  const int given = frames_after(assembler_, packetizer_, 0ms, 300);
  EXPECT_LE(given, 300 - 100) << "what comes late for a second may be a disturbance";
  EXPECT_GE(given, 300 - 110);
}

TEST_F(Assembly, CountsWhatWasLostInOutagesAndBefore) {
  for (const auto& datagram : datagrams(1)) arrive(datagram);
  datagrams(2);  // lost
  for (const auto& datagram : datagrams(3)) arrive(datagram, start + 20ms);
  EXPECT_EQ(assembler_.report().lost, 1u);
  datagrams(4, 10'000);  // an outage of two seconds
  EXPECT_FALSE(assembler_.take(datagrams(200).front(), start + 2s)) << "its number shows the leap";
  arrive(datagrams(201).front(), start + 2010ms);
  EXPECT_EQ(assembler_.report().lost, 10'002u);
  EXPECT_EQ(assembler_.report().cumulative_lost, 0);
  Packetizer other(source, 30'000, 1000);  // a sender that begins: what it has sent before is not known
  EXPECT_TRUE(assembler_.take(datagrams_of(other, {1}, 0).front(), start + 2100ms, true));
  EXPECT_EQ(assembler_.report().lost, 10'002u);
}

// One sender after the other, whose numbers or timestamps begin anew.
template <class Assembler>
int frames_of(Assembler& assembler, Packetizer& sender, TimePoint& now, int frames, bool is_another = false) {
  int given = 0;
  for (int i = 0; i < frames; ++i, now += 10ms, is_another = false) {
    for (const auto& datagram : datagrams_of(sender, {1}, static_cast<std::uint32_t>(i * 10)))
      assembler.take(datagram, now, is_another);
    while (const auto frame = assembler.next(now)) given += frame->late ? 0 : 1;
  }
  return given;
}

TEST(NewSenders, BeginTheStreamAnew) {
  for (const auto delay : {0ms, 50ms})
    for (const auto late : {LateFrames::drop, LateFrames::give}) {
      FrameAssembler assembler(source, {.clock_rate = 1000, .late = late, .delay = delay});
      TimePoint now = start;
      Packetizer first(source, 65'530, 1000), far(source, 30'000, 1000), near(source, 30'500, 1000);
      const int waiting = static_cast<int>(delay / 10ms);
      EXPECT_EQ(frames_of(assembler, first, now, 400), 400 - waiting);
      const int rest = delay == 0ms ? 0 : 1;  // a frame of the first sender
      EXPECT_EQ(frames_of(assembler, far, now, 300), 299 - waiting + rest) << "two numbers show it";
      EXPECT_EQ(frames_of(assembler, far, now, 100), 100 - waiting) << "its clock was set back";
      EXPECT_EQ(frames_of(assembler, near, now, 100, true), 100 - waiting) << "its carrier is another";
      EXPECT_EQ(assembler.report().late, static_cast<std::uint64_t>(3 * waiting - rest)) << "what was kept";
    }
}

// A packet of the time before, which would be the latest frame.
TEST_F(Assembly, RefusesWhatASenderSentBeforeItsClockWasSetBack) {
  arrive(datagrams(500)[0]);
  const auto before = datagrams(501)[0];
  arrive(datagrams(1)[0]);
  EXPECT_FALSE(assembler_.take(before, start));
  arrive(datagrams(2)[0]);
  EXPECT_EQ(given(), (std::vector{1, 2}));
  arrive(datagrams(3)[0]);
  arrive(datagrams(500)[0]);
  EXPECT_EQ(given(), (std::vector{3, 500}));
}

TEST(SmallDelayedAssemblies, GiveFramesEarlyThatTheyCannotKeepForTheirTimes) {
  for (const FrameOptions& options :
       {FrameOptions{.clock_rate = 1000, .delay = 2s, .frames = 16},
        FrameOptions{.clock_rate = 1000, .delay = 2s, .frame_bytes = 100, .bytes = 1600}}) {
    FrameAssembler assembler(source, options);
    Packetizer packetizer(source, 1, 1000);
    TimePoint now = start;
    int given = 0;
    for (std::uint32_t i = 0; i < 100; ++i, now += 10ms) {
      EXPECT_TRUE(assembler.take(datagrams_of(packetizer, Octets(100), i * 10).front(), now));
      while (assembler.next(now)) ++given;
    }
    EXPECT_GE(given, 85);
    EXPECT_EQ(assembler.kept(), 100u - static_cast<unsigned>(given));
    EXPECT_EQ(assembler.report().late, 0u);
  }
}

class SmallAssembly : public Assembly {
 protected:
  SmallAssembly() : Assembly({.clock_rate = 1000, .frame_bytes = 1000, .frames = 4, .bytes = 1500}) {}
};

TEST_F(SmallAssembly, KeepsNoMoreThanItMay) {
  for (int i = 0; i < 100; ++i) {
    arrive(datagrams(i, 20)[static_cast<std::size_t>(i) % 20]);
    EXPECT_LE(assembler_.kept(), 4u);
    EXPECT_LE(assembler_.bytes(), 1500u);
  }
  for (const auto& datagram : datagrams(200, 11)) arrive(datagram);
  EXPECT_TRUE(given().empty()) << "longer than a frame may be";
  EXPECT_GE(assembler_.report().incomplete, 97u);
}

TEST_F(Assembly, ComesThroughANetworkThatLosesDoublesAndReorders) {
  std::mt19937 random(1);
  struct Arrival {
    unsigned when;
    Octets datagram;
  };
  std::vector<Arrival> arrivals;
  constexpr int frames = 500;
  unsigned sent = 0, lost = 0;
  std::vector<bool> whole(frames, true);
  for (int i = 0; i < frames; ++i)
    for (const auto& datagram : datagrams(i, 1 + random() % 6)) {
      const unsigned when = ++sent * 4;
      if (random() % 100 < 3) {
        ++lost;
        whole[static_cast<std::size_t>(i)] = false;
        continue;
      }
      arrivals.push_back({when + static_cast<unsigned>(random() % 24), datagram});
    }
  std::ranges::stable_sort(arrivals, {}, &Arrival::when);
  std::vector<int> all;
  for (const Arrival& arrival : arrivals) {
    arrive(arrival.datagram, start + std::chrono::milliseconds(arrival.when));
    std::ranges::copy(given(), std::back_inserter(all));
  }
  EXPECT_TRUE(std::ranges::is_sorted(all)) << "late ones are dropped";
  for (const int frame : all) EXPECT_TRUE(whole[static_cast<std::size_t>(frame)]);
  const FrameReport report = assembler_.report();
  EXPECT_EQ(report.frames, all.size());
  EXPECT_NEAR(report.cumulative_lost, lost, 2) << "but for those at the end";
  EXPECT_GT(report.late + report.incomplete, 0u);
  EXPECT_GT(report.frames, 300u);
}

TEST(Refusals, ShowThatAReceiverIsGone) {
  Refusals refused;
  EXPECT_FALSE(refused.note(Refusal::by_host, start));
  EXPECT_FALSE(refused.note(Refusal::by_host, start + 11s)) << "independent";
  EXPECT_TRUE(refused.note(Refusal::by_host, start + 12s));
  Refusals unreached;  // the system says so every three seconds
  for (int i = 0; i < 12; i += 3) EXPECT_FALSE(unreached.note(Refusal::no_way, start + i * 1s)) << i;
  EXPECT_TRUE(unreached.note(Refusal::no_way, start + 12s));
}

}  // namespace
}  // namespace takt::frames

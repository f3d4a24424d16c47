// Frames over UDP, and the calls that report their destination and quality.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "../../conformance/transport/lossy_relay.h"
#include "watching.h"

namespace feature {
namespace {

using namespace std::chrono_literals;
using takt::Frame;
using takt::FrameOptions;
using takt::FrameReceiver;
using takt::FrameSender;
using takt::test::LossyRelay;

TEST(Frames, GoBesideTheCallsThatControlThem) {
  for (const char* host : {"127.0.0.1", "::1"}) {
    Watching watching({}, host);
    FrameSender sender = takt::frames::make_sender(watching.control);
    for (int i = 0; i < 20; ++i) {
      EXPECT_TRUE(sender.send(frame_of(i), static_cast<std::uint32_t>(i) * 3000));
      const auto frame = watching.receiver->receive(10s);
      ASSERT_TRUE(frame);
      EXPECT_EQ(frame->timestamp, static_cast<std::uint32_t>(i) * 3000);
      EXPECT_EQ(frame->octets, frame_of(i));
      EXPECT_FALSE(frame->late);
    }
    const auto report = watching.control->make_report();
    EXPECT_EQ(report.frames(), 20u);
    EXPECT_EQ(report.cumulative_lost(), 0);
    EXPECT_EQ(report.fraction_lost(), 0);
    EXPECT_EQ(report.incomplete() + report.late() + report.refused(), 0u);
  }
}

// The receiver comes late, and keeps fewer frames than wait for it.
TEST(Frames, WaitInTheSocketForAsLongAsThereIsNoMemoryForThem) {
  for (const std::size_t size : {std::size_t{100}, std::size_t{3000}})
    for (const FrameOptions& options : {FrameOptions{}, FrameOptions{.frame_bytes = 4000, .bytes = 40'000}}) {
      FrameReceiver receiver("127.0.0.1", options);
      FrameSender sender(receiver.stream());
      constexpr std::uint32_t frames = 100;
      for (std::uint32_t i = 0; i < frames; ++i)
        EXPECT_TRUE(sender.send(frame_of(static_cast<int>(i), size), i * 90));
      for (std::uint32_t i = 0; i < frames; ++i) {
        const auto frame = receiver.receive(10s);
        ASSERT_TRUE(frame) << i;
        EXPECT_EQ(frame->timestamp, i * 90);
      }
      EXPECT_EQ(receiver.report().late, 0u);
    }
}

TEST(Frames, ArePassedThroughANetworkThatLosesDoublesAndReorders) {
  Watching watching;
  const auto& stream = watching.receiver->stream();
  LossyRelay relay(stream.port, {.lost = 3, .doubled = 5, .late = 5});
  FrameSender sender({stream.host, relay.port(), stream.source, stream.clock_rate});
  std::vector<std::uint32_t> given;
  std::atomic<std::uint32_t> newest{0};
  std::jthread reading([&] {
    while (const auto frame = watching.receiver->receive(10s)) {
      EXPECT_EQ(frame->octets, frame_of(static_cast<int>(frame->timestamp)));
      given.push_back(frame->timestamp);
      newest = frame->timestamp;
      if (frame->timestamp >= 1000) break;
    }
  });
  constexpr std::uint32_t frames = 300;
  for (std::uint32_t i = 1; i <= frames; ++i) {
    sender.send(frame_of(static_cast<int>(i)), i);
    // Sends no faster than the receiver takes frames, unless several in a row are lost.
    for (int waits = 0; waits < 40 && (waits == 0 || newest + 3 < i); ++waits)
      std::this_thread::sleep_for(500us);
  }
  relay.set_odds({});
  for (int last = 1000; last < 1003; ++last) sender.send(frame_of(last), static_cast<std::uint32_t>(last));
  reading.join();
  EXPECT_TRUE(std::ranges::is_sorted(given));
  const auto report = watching.control->make_report();
  EXPECT_EQ(report.frames(), given.size());
  EXPECT_LT(report.frames(), frames) << "some were lost";
  EXPECT_GT(report.frames(), frames / 2);
  EXPECT_GT(report.incomplete() + report.late(), 0u);
  EXPECT_GT(relay.lost(), 0u);
}

TEST(Frames, LateOnesAreDroppedOrGiven) {
  for (const auto late : {takt::LateFrames::drop, takt::LateFrames::give}) {
    Watching watching({.clock_rate = 1000, .late = late, .delay = 50ms});
    FrameSender sender = takt::frames::make_sender(watching.control);
    sender.send(frame_of(1), 1000);
    const auto first = watching.receiver->receive(10s);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->timestamp, 1000u);
    sender.send(frame_of(0), 990);  // older than the frame already delivered
    const auto second = watching.receiver->receive(late == takt::LateFrames::give ? 10s : 200ms);
    EXPECT_EQ(second.has_value(), late == takt::LateFrames::give);
    if (second) {
      EXPECT_EQ(second->timestamp, 990u);
      EXPECT_TRUE(second->late);
    }
    EXPECT_EQ(watching.control->make_report().late(), 1u);
  }
}

TEST(Frames, OfOthersAreRefused) {
  Watching watching;
  auto stream = watching.receiver->stream();
  FrameSender sender(stream);
  sender.send(frame_of(1), 1);
  ASSERT_TRUE(watching.receiver->receive(10s));
  ++stream.source;
  FrameSender stranger(stream);
  --stream.source;
  FrameSender forger(stream);  // knows the stream's number but has another address
  stranger.send(frame_of(7), 2);
  forger.send(frame_of(7), 3);
  sender.send(frame_of(2), 4);
  const auto next = watching.receiver->receive(10s);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->octets, frame_of(2));
}

// The clock of the second sender is behind the first one's.
TEST(Frames, OfAGroupAreTakenFromAnotherSenderWhenTheFirstIsSilent) {
  const auto port = static_cast<std::uint16_t>(20'000 + ::getpid() % 10'000);
  const takt::FrameStream group{.host = "239.255.251.1", .port = port, .source = 7, .clock_rate = 90'000};
  const takt::FrameSending sending{.interface = "lo", .hops = 0};
  FrameReceiver receiver = FrameReceiver::of_group(group, "lo");
  FrameSender first(group, sending), second(group, sending);
  const auto comes = [&receiver](FrameSender& sender, std::uint32_t timestamp) {
    sender.send(frame_of(1), timestamp);
    return receiver.receive(100ms).has_value();
  };
  EXPECT_TRUE(comes(first, 0) && comes(first, 0x40000000));
  EXPECT_FALSE(comes(second, 0)) << "the first may send on";
  std::this_thread::sleep_for(1s);
  EXPECT_TRUE(comes(second, 0x3ffffff0));
}

TEST(Frames, AReceiverThatIsClosedStopsWaiting) {
  FrameReceiver receiver("127.0.0.1");
  std::jthread closing([&] {
    std::this_thread::sleep_for(20ms);
    receiver.close();
  });
  EXPECT_FALSE(receiver.receive(std::chrono::hours(1)));
  EXPECT_FALSE(receiver.receive(0ns));
}

TEST(Frames, ReceivedAtAllAddressesNameOneThatSendersCanUse) {
  for (const char* const host : {"0.0.0.0", "::", ""}) {
    FrameReceiver receiver(host);
    const auto stream = receiver.stream();
    EXPECT_TRUE(stream.host != "0.0.0.0" && stream.host != "::" && !stream.host.empty()) << stream.host;
    FrameSender sender(stream);
    EXPECT_TRUE(sender.send(frame_of(1), 90));
    const auto frame = receiver.receive(10s);
    ASSERT_TRUE(frame) << stream.host;
    EXPECT_EQ(frame->octets, frame_of(1));
  }
}

TEST(Frames, ASenderNoticesThatItsReceiverHasGone) {
  auto receiver = std::make_unique<FrameReceiver>("127.0.0.1");
  FrameSender sender(receiver->stream());
  sender.send(frame_of(1), 0);
  receiver.reset();
  const auto send_for_a_while = [&sender] {
    for (std::uint32_t i = 1; i < 1000; ++i, std::this_thread::sleep_for(20ms)) sender.send(frame_of(1), i);
  };
  EXPECT_THROW(send_for_a_while(), CORBA::COMM_FAILURE);
}

TEST(Frames, WhatCannotBeIsRefusedWithTheReason) {
  EXPECT_THROW(FrameReceiver("127.0.0.1", {.clock_rate = 0}), CORBA::BAD_PARAM);
  EXPECT_THROW(FrameReceiver("192.0.2.1"), CORBA::TRANSIENT) << "not an address of this machine";
  EXPECT_THROW(FrameSender({"127.0.0.1", 9, 1, 1}, 10), CORBA::BAD_PARAM);
  FrameSender sender({"127.0.0.1", 9, 1, 1});
  EXPECT_THROW(sender.send({}, 0), CORBA::BAD_PARAM);
}

}  // namespace
}  // namespace feature

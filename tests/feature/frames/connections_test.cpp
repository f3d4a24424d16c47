// Frames over connections, for every transport with connections.
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "certificates.h"
#include "watching.h"

namespace feature {
namespace {

using namespace std::chrono_literals;
using takt::FrameReceiver;
using takt::FrameSender;
using takt::FrameStream;
using takt::FrameStreams;

// Receives in a thread of its own while this object exists.
class Collecting {
 public:
  explicit Collecting(FrameReceiver& receiver)
      : thread_([&](const std::stop_token& over) {
          while (!over.stop_requested())
            if (auto frame = receiver.receive(20ms)) {
              std::lock_guard lock(mutex_);
              frames_.push_back(std::move(*frame));
              changed_.notify_all();
            }
        }) {}

  // Waits for at least `count` frames and returns all.
  std::vector<takt::Frame> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, 20s, [&] { return frames_.size() >= count; })) << frames_.size();
    return frames_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<takt::Frame> frames_;
  std::jthread thread_;
};

class FramesOverConnections : public testing::TestWithParam<const char*> {
 protected:
  FramesOverConnections() : credentials_(authority_.issue({.name = "server"})) {}

  Watching watch() const {
    const bool tls = std::string_view(GetParam()).starts_with("ssliop");
    return Watching(
        [](const Orb& orb) {
          return std::make_shared<FrameReceiver>(FrameStreams::of(orb).receiver(GetParam()));
        },
        tls ? Options{"-ORBTLSCertificate", credentials_.certificate_file, "-ORBTLSKey",
                      credentials_.key_file}
            : Options{},
        tls ? Options{"-ORBTLSAuthorities", authority_.file()} : Options{});
  }

 private:
  const takt::test::Authority authority_;
  const takt::test::Credentials credentials_;
};

INSTANTIATE_TEST_SUITE_P(All, FramesOverConnections,
                         testing::Values("iiop://127.0.0.1:0", "iiop://[::1]:0",
                                         "unix:", "shm:", "inproc:", "ssliop://127.0.0.1:0"));

TEST_P(FramesOverConnections, ComeAsTheyWereSent) {
  const Watching watching = watch();
  Collecting collecting(*watching.receiver);
  FrameSender sender = takt::frames::make_sender(watching.control);
  std::size_t count = 0;
  for (const std::size_t size : {1u, 5000u, 100'000u, 5000u}) {
    const auto octets = frame_of(static_cast<int>(count), size);
    EXPECT_TRUE(sender.send(octets, static_cast<std::uint32_t>(count) * 3000));
    const auto frames = collecting.wait_for(++count);
    ASSERT_EQ(frames.size(), count);
    EXPECT_EQ(frames.back().octets, octets);
    EXPECT_EQ(frames.back().timestamp, (count - 1) * 3000);
    EXPECT_FALSE(frames.back().late);
  }
  const auto report = watching.control->make_report();
  EXPECT_EQ(report.frames(), count);
  EXPECT_EQ(report.cumulative_lost(), 0);
  EXPECT_EQ(report.incomplete() + report.late() + report.refused(), 0u);
}

TEST_P(FramesOverConnections, AreDroppedBySendersThatHaveNoRoom) {
  const Watching watching = watch();
  FrameSender sender = [&] {
    const Collecting accepting(*watching.receiver);
    return takt::frames::make_sender(watching.control);
  }();
  std::size_t accepted = 0;
  std::uint32_t time = 0;
  while (time < 10'000 && sender.send(frame_of(static_cast<int>(accepted), 60'000), time)) {
    ++accepted;
    ++time;
  }
  ASSERT_LT(time, 10'000u) << "there is no end of the room";
  Collecting collecting(*watching.receiver);
  collecting.wait_for(accepted - 1);
  ASSERT_TRUE(sender.send(frame_of(static_cast<int>(accepted++), 60'000), ++time)) << "there is room again";
  const auto frames = collecting.wait_for(accepted);
  ASSERT_EQ(frames.size(), accepted);
  for (std::size_t i = 0; i < accepted; ++i)
    ASSERT_EQ(frames[i].octets, frame_of(static_cast<int>(i), 60'000));
  const auto report = watching.control->make_report();
  EXPECT_EQ(report.frames(), accepted);
  EXPECT_EQ(report.cumulative_lost(), 1) << "which the receiver knows";
  EXPECT_EQ(report.incomplete() + report.late(), 0u);
}

TEST_P(FramesOverConnections, OfOthersAreRefused) {
  const Watching watching = watch();
  Collecting collecting(*watching.receiver);
  const FrameStreams streams = FrameStreams::of(watching.client);
  FrameStream other = watching.receiver->stream();
  ++other.source;
  FrameSender stranger = streams.sender(other);
  EXPECT_TRUE(stranger.send(frame_of(7), 1));
  FrameSender sender = streams.sender(watching.receiver->stream());
  EXPECT_TRUE(sender.send(frame_of(1), 2));
  EXPECT_EQ(collecting.wait_for(1).front().octets, frame_of(1));
  const auto end = std::chrono::steady_clock::now() + 20s;
  const auto send_on = [&] {
    for (std::uint32_t time = 3; std::chrono::steady_clock::now() < end; ++time)
      stranger.send(frame_of(7), time);
  };
  EXPECT_THROW(send_on(), CORBA::COMM_FAILURE) << "its connection has been ended";
  EXPECT_TRUE(sender.send(frame_of(2), 9000));
  EXPECT_EQ(collecting.wait_for(2).back().octets, frame_of(2));
}

TEST_P(FramesOverConnections, AreTakenFromAnotherSenderWhenTheFirstHasEnded) {
  const Watching watching = watch();
  Collecting collecting(*watching.receiver);
  {
    FrameSender sender = takt::frames::make_sender(watching.control);
    EXPECT_TRUE(sender.send(frame_of(1), 100));
    collecting.wait_for(1);
  }
  FrameSender next = takt::frames::make_sender(watching.control);
  for (int i = 2; i < 7; ++i) EXPECT_TRUE(next.send(frame_of(i), static_cast<std::uint32_t>(i)));
  const auto frames = collecting.wait_for(6);
  for (std::size_t i = 1; i < frames.size(); ++i) EXPECT_EQ(frames[i].timestamp, i + 1) << "its own clock";
}

TEST_P(FramesOverConnections, AreNotKeptOutByConnectionsThatSayNothing) {
  const Watching watching = watch();
  Collecting collecting(*watching.receiver);
  std::vector<FrameSender> silent;
  for (int i = 0; i < 6; ++i) silent.push_back(takt::frames::make_sender(watching.control));
  FrameSender sender = takt::frames::make_sender(watching.control);
  EXPECT_TRUE(sender.send(frame_of(1), 1));
  EXPECT_EQ(collecting.wait_for(1).front().octets, frame_of(1));
}

TEST_P(FramesOverConnections, AreTakenFromTheFirstWhenOthersConnectBeforeItSends) {
  const Watching watching = watch();
  Collecting collecting(*watching.receiver);
  FrameSender sender = takt::frames::make_sender(watching.control);
  std::vector<FrameSender> silent;
  for (int i = 0; i < 6; ++i) silent.push_back(takt::frames::make_sender(watching.control));
  std::this_thread::sleep_for(50ms);  // until the receiver has accepted all
  EXPECT_TRUE(sender.send(frame_of(1), 1));
  const auto frames = collecting.wait_for(1);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames.front().octets, frame_of(1));
}

TEST_P(FramesOverConnections, AreNoLongerWaitedForOnceTheReceiverIsClosed) {
  const Watching watching = watch();
  std::jthread closing([&] {
    std::this_thread::sleep_for(20ms);
    watching.receiver->close();
  });
  EXPECT_FALSE(watching.receiver->receive(std::chrono::hours(1)));
  EXPECT_FALSE(watching.receiver->receive(0ns));
}

template <class Refusal, class Action>
void expect_refusal(Action action, const std::string& part) {
  try {
    action();
    ADD_FAILURE() << "no refusal";
  } catch (const Refusal& refused) {
    EXPECT_NE(std::string(refused.what()).find(part), std::string::npos) << refused.what();
  }
}

TEST(FrameTransports, AreTheOrbs) {
  const Orb orb = make_orb({}, "client");
  const FrameStreams streams = FrameStreams::of(orb);
  expect_refusal<CORBA::BAD_PARAM>([&] { streams.receiver("tape://1"); },
                                   "there is no transport of that name");
  expect_refusal<CORBA::BAD_PARAM>([&] { streams.receiver("unix:", {.clock_rate = 0}); }, "clock rate");
  expect_refusal<CORBA::BAD_PARAM>([&] { streams.sender({"h", 1, 1, 1, "tape"}); }, "does not have");
  expect_refusal<CORBA::BAD_PARAM>([&] { FrameSender({"127.0.0.1", 9, 1, 1, "iiop"}); },
                                   "takt::FrameStreams");
  expect_refusal<CORBA::TRANSIENT>([&] { streams.sender({"/nobody/here", 0, 1, 1, "unix"}); },
                                   "cannot be reached");
  expect_refusal<CORBA::TRANSIENT>([&] { streams.receiver("unix:/no/such/folder/x"); },
                                   "cannot receive frames");
  EXPECT_THROW(FrameStreams::of({}), CORBA::BAD_PARAM);
  orb->destroy();
  EXPECT_THROW(streams.receiver("unix:"), CORBA::OBJECT_NOT_EXIST);
}

TEST(FrameTransports, HaveDatagramsAmongThem) {
  const Watching watching(
      [](const Orb& orb) {
        return std::make_shared<FrameReceiver>(FrameStreams::of(orb).receiver("udp://127.0.0.1:0"));
      },
      {}, {});
  FrameSender sender = takt::frames::make_sender(watching.control);
  EXPECT_TRUE(sender.send(frame_of(1), 1));
  const auto frame = watching.receiver->receive(10s);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->octets, frame_of(1));
  EXPECT_EQ(watching.receiver->stream().transport, "udp");
}

}  // namespace
}  // namespace feature

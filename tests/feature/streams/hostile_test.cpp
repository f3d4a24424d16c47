// Devices whose clients and peers want too much, or say what is not so.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>
#include <takt/frames/frames.h>

#include "addresses/address_in.h"
#include "streams/flow/producer_flow.h"
#include "studio.h"

namespace feature {
namespace {

using EndPointA = AVStreams::StreamEndPoint_A;
using EndPointB = AVStreams::StreamEndPoint_B;

// An IIOP profile of that address, with an alternate one unless its port is 0.
takt::cdr::TaggedProfile profile_at(std::uint16_t port, const std::string& key, std::uint16_t alternate = 0) {
  constexpr std::uint32_t alternate_address = 3;  // TAG_ALTERNATE_IIOP_ADDRESS
  return {0, takt::cdr::encapsulate([&](takt::cdr::Encoder& out) {
            out.put(std::uint8_t{1});
            out.put(std::uint8_t{2});
            out.put_raw_string("127.0.0.1");
            out.put(port);
            out.put_count(key.size());
            for (const char octet : key) out.put(static_cast<std::uint8_t>(octet));
            out.put_count(alternate != 0 ? 1 : 0);
            if (alternate == 0) return;
            const auto address = takt::cdr::encapsulate([&](takt::cdr::Encoder& inner) {
              inner.put_raw_string("127.0.0.1");
              inner.put(alternate);
            });
            out.put(alternate_address);
            out.put_count(address.size());
            for (const std::uint8_t octet : address) out.put(octet);
          })};
}

struct Hostile : testing::Test {
  // A new end point of the screen, and one of the camera.
  Ref<EndPointB> screen_end(const Flows& flows = {"video"}) {
    Ref<AVStreams::VDev> device;
    bool met = false;
    std::string name;
    return screen.seen_by(camera.orb())->create_B(nullptr, device, any, met, name, flows);
  }
  Ref<EndPointA> camera_end() {
    Ref<AVStreams::VDev> device;
    bool met = false;
    std::string name;
    return camera.seen_by(screen.orb())->create_A(nullptr, device, any, met, name, {"video"});
  }
  std::string requested(const Ref<AVStreams::StreamEndPoint>& of, Flows flows) {
    return exception_of([&] { of->request_connection(nullptr, false, any, flows); });
  }

  Quality any;
  std::shared_ptr<Shown> shown = std::make_shared<Shown>();
  Station camera{
      {.offers = {camera_flow()}, .limits = {.end_points = 3, .unused_after = std::chrono::minutes(1)}}};
  Station screen{{.offers = {screen_flow(shown)}, .limits = {.end_points = 3}}};
};

TEST_F(Hostile, ProposalsAreRefused) {
  const auto end = screen_end();
  EXPECT_EQ(requested(end, {}), "noSuchFlow{}");
  EXPECT_EQ(requested(end, {"sound"}), "noSuchFlow{}");
  EXPECT_EQ(requested(end, {R"(video\IN\\RTP:1.0:credit=10\UDP)"}), "FPError{flow_name=\"video\"}");
  EXPECT_EQ(requested(end, {R"(video\IN\\takt:1.0:source=x\UDP)"}), "FPError{flow_name=\"video\"}");
  EXPECT_EQ(requested(end, {"video\\" + std::string(5000, 'x')}), "FPError{flow_name=\"video\"}");
  EXPECT_EQ(requested(end, {R"(video\OUT\\\UDP)"}),
            "streamOpDenied{reason=\"flow video: the device only consumes it\"}");
  EXPECT_TRUE(requested(end, Flows(1000, "video")).starts_with("IMP_LIMIT"));
  EXPECT_EQ(requested(end, {"video", "video", "sound"}), "nothing");
  EXPECT_EQ(requested(end, {"video"}), "streamOpDenied{reason=\"flow video is connected already\"}");
  EXPECT_EQ(screen.device->state().refusals(), 7u);
}

TEST_F(Hostile, ACameraCannotBeMadeToFloodOthers) {
  const auto end = camera_end();
  const auto ask = [&](const std::string& address) {
    Flows flows{R"(video\IN\\takt:1.0:source=1:clock=90000\UDP=)" + address};
    return exception_of([&] { end->request_connection(screen_end(), false, any, flows); });
  };
  EXPECT_TRUE(
      ask("192.0.2.1:9")
          .starts_with("streamOpDenied{reason=\"the flow would go to 192.0.2.1, and its end point is at "))
      << ask("192.0.2.1:9");
  EXPECT_EQ(ask("127.0.0.1:9"), "nothing");
}

TEST_F(Hostile, FramesGoOnlyToHostsWhereAnEndPointAnswers) {
  const auto end = camera_end();
  const auto ask = [&](const std::string& reference) {
    const auto peer =
        IDL::traits<AVStreams::StreamEndPoint>::unchecked_narrow(camera.orb()->string_to_object(reference));
    Flows flows{R"(video\IN\\takt:1.0:source=1:clock=90000\UDP=127.0.0.1:9)"};
    return exception_of([&] { end->request_connection(peer, false, any, flows); });
  };
  const std::string refused =
      "streamOpDenied{reason=\"the end point to which frames would go does not answer: ";
  EXPECT_TRUE(ask("corbaloc:iiop:1.2@127.0.0.1:1/made-up").starts_with(refused));
  const std::string device = takt::addresses::address_in(takt::addresses::ior_of(screen.device->reference()));
  EXPECT_TRUE(ask("corbaloc:iiop:1.2@" + device + "/TaktStreams").starts_with(refused))
      << "an object that is no end point";
  EXPECT_TRUE(camera.device->state().flows().at(0).carrier().empty());
}

// The reference's first address, where nothing answers, stands for a host that is to be flooded.
TEST_F(Hostile, AnAnswerFromAnotherAddressOfTheReferenceDoesNotCount) {
  const auto consumer = screen_end();
  std::string key;
  std::uint16_t port = 0;
  takt::cdr::Ior ior = takt::addresses::ior_of(consumer);
  ASSERT_TRUE(takt::cdr::decapsulate(ior.profiles.at(0).data, [&](takt::cdr::Decoder& in) {
    std::uint8_t version = 0;
    in.get(version);
    in.get(version);
    in.get_raw_string_view();
    in.get(port);
    std::uint32_t size = 0;
    in.get(size);
    const auto octets = in.get_octets_view(size);
    key.assign(octets.begin(), octets.end());
  }));
  const auto end = camera_end();
  const std::string refused = "reason=\"the end point to which frames would go does not answer: ";
  for (const auto& profiles :
       {std::vector{profile_at(1, key, port)}, std::vector{profile_at(1, key), profile_at(port, key)}}) {
    ior.profiles = profiles;
    const auto peer = IDL::traits<AVStreams::StreamEndPoint>::unchecked_narrow(
        camera.orb()->string_to_object(takt::addresses::text_of(ior)));
    EXPECT_EQ(exception_of([&] { peer->get_number_of_properties(); }), "nothing")
        << "the ORB goes on to the other address";
    Flows flows{R"(video\IN\\takt:1.0:source=1:clock=90000\UDP=127.0.0.1:9)"};
    const auto asked = exception_of([&] { end->request_connection(peer, false, any, flows); });
    EXPECT_TRUE(asked.starts_with("streamOpDenied{" + refused)) << asked;
    const auto connected = exception_of([&] { end->connect(peer, any, {"video"}); });
    EXPECT_TRUE(connected.starts_with("streamOpFailed{" + refused)) << connected;
    consumer->disconnect({"video"});
  }
  EXPECT_TRUE(camera.device->state().flows().at(0).carrier().empty());
  EXPECT_EQ(exception_of([&] { end->connect(consumer, any, {"video"}); }), "nothing");
}

TEST_F(Hostile, RatesThatNoClockCanKeepAreRefused) {
  const auto end = screen_end();
  Quality slow = quality_of("video", {parameter("frame_rate", 1e-300)});
  EXPECT_EQ(exception_of([&] { end->modify_QoS(slow, {}); }),
            "QoSRequestFailed{reason=\"flow video: frame_rate must be 0 or at least 0.001\"}");
  FlowOffer offer = camera_flow();
  offer.frame_rate = 1e-300;
  EXPECT_TRUE(exception_of([&] { Station({.offers = {offer}}); }).starts_with("BAD_PARAM"));
}

TEST_F(Hostile, PropertiesAreLimitedWithTheirTypes) {
  std::vector<std::string> labels(10'000);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = "label" + std::to_string(i);
  CORBA::Any number;
  number <<= std::uint32_t{0};
  const CORBA::Any large(camera.orb()->create_enum_tc("IDL:Large:1.0", "Large", labels),
                         {std::shared_ptr<void>(), &number._content()});
  EXPECT_TRUE(exception_of([&] { screen_end()->define_property("large", large); }).starts_with("IMP_LIMIT"));
}

TEST(HostileDevices, AProposalThatFailsHalfwayLeavesNothingConnected) {
  const auto shown = std::make_shared<Shown>();
  Station camera{{.offers = {camera_flow("left"), camera_flow("right")}}};
  Station screen{{.offers = {screen_flow(shown, "left"), screen_flow(shown, "right")}}};
  Quality any;
  bool met = false;
  std::string name;
  Ref<AVStreams::VDev> device;
  const auto consumer = screen.seen_by(camera.orb())->create_A(nullptr, device, any, met, name, {});
  const auto producer = camera.seen_by(screen.orb())->create_B(nullptr, device, any, met, name, {});
  EXPECT_TRUE(exception_of([&] {
                consumer->connect(producer, any, {"left", R"(right\OUT\MPEG)"});
              }).starts_with("streamOpFailed"));
  EXPECT_EQ(screen.device->state().flows().at(0).carrier(), "");
  EXPECT_EQ(exception_of([&] { consumer->connect(producer, any, {"left", "right", "left"}); }), "nothing");
}

// The thread of a flow may take its consumers at the moment at which it is told to end.
TEST(HostileDevices, AFlowEndsAtAnyMoment) {
  takt::FrameReceiver receiver("127.0.0.1");
  for (int i = 0; i < 5'000; ++i) {
    takt::streams::ProducerFlow flow(std::make_unique<Camera>(), {.frame_rate = 100});
    EXPECT_TRUE(flow.add(1, takt::streams::output_of(takt::FrameSender(receiver.stream())), 90'000, "here"));
  }
}

struct FailingCamera final : takt::streams::FrameSource {
  std::span<const std::uint8_t> frame(std::uint64_t) override { throw std::runtime_error("no light"); }
};

TEST(HostileDevices, AFlowWhoseSourceHasFailedCanBeConnectedAgain) {
  const auto shown = std::make_shared<Shown>();
  FlowOffer offer = camera_flow();
  offer.source = [count = 0]() mutable -> std::unique_ptr<takt::streams::FrameSource> {
    if (count++ == 0) return std::make_unique<FailingCamera>();
    return std::make_unique<Camera>();
  };
  Station camera{{.offers = {offer}}}, screen{{.offers = {screen_flow(shown)}}};
  Quality any;
  const auto control = camera.device->make_control();
  control->bind_devs(camera.device->reference(), nullptr, any, {"video"});
  const auto consumes = [&] {
    control->bind_devs(nullptr, screen.seen_by(camera.orb()), any, {R"(video\IN\\\TCP)"});
  };
  consumes();
  control->start({});
  const auto flow = [&] { return camera.device->state().flows().at(0); };
  ASSERT_TRUE(eventually([&] { return flow().state() == Takt::Streams::FlowState::dead; }));
  EXPECT_EQ(flow().carrier(), "") << "the connection to its consumer has ended";
  consumes();
  control->start({});
  EXPECT_TRUE(shown->grows_by(3));
}

TEST(HostileDevices, AConsumerThatIsSlowToReachKeepsNobodyWaiting) {
  const auto shown = std::make_shared<Shown>();
  std::promise<void> reached;
  FlowOffer offer = camera_flow();
  offer.source = [until = reached.get_future().share()]() -> std::unique_ptr<takt::streams::FrameSource> {
    until.wait();
    return std::make_unique<Camera>();
  };
  Station camera{{.offers = {offer}}}, screen{{.offers = {screen_flow(shown)}}};
  Quality any;
  const auto control = camera.device->make_control();
  auto bound = std::async(std::launch::async, [&] {
    control->bind_devs(camera.device->reference(), screen.seen_by(camera.orb()), any, {"video"});
  });
  EXPECT_TRUE(eventually([&] { return screen.device->state().connections() == 1; }));
  EXPECT_EQ(camera.device->state().end_points(), 1u) << "operators see the device";
  Ref<AVStreams::VDev> device;
  bool met = false;
  std::string name;
  EXPECT_TRUE(camera.seen_by(screen.orb())->create_A(nullptr, device, any, met, name, {}));
  reached.set_value();
  bound.get();
  control->start({});
  EXPECT_TRUE(shown->grows_by(3));
}

// The consumer disconnects while the producer answers, from which no frames may then come back.
TEST(HostileDevices, AFlowThatEndsWhileItIsConnectedIsNotReversed) {
  Ref<EndPointA> consumer;
  FlowOffer offer = camera_flow();
  offer.source = [&consumer]() -> std::unique_ptr<takt::streams::FrameSource> {
    consumer->disconnect({"video"});
    return std::make_unique<Camera>();
  };
  Station camera{{.offers = {offer}}}, screen{{.offers = {screen_flow(std::make_shared<Shown>())}}};
  Quality any;
  bool met = false;
  std::string name;
  Ref<AVStreams::VDev> device;
  consumer = screen.seen_by(camera.orb())->create_A(nullptr, device, any, met, name, {});
  const auto producer = camera.seen_by(screen.orb())->create_B(nullptr, device, any, met, name, {});
  EXPECT_EQ(exception_of([&] { consumer->connect(producer, any, {"video"}); }),
            "streamOpFailed{reason=\"flow video has changed while it was being connected\"}");
  EXPECT_EQ(screen.device->state().flows().at(0).carrier(), "");
}

TEST_F(Hostile, EndPointsAreLimitedAndUnusedOnesMakeRoom) {
  const auto first = screen_end();
  std::vector<Ref<EndPointB>> ends;
  for (int i = 0; i < 20; ++i) ends.push_back(screen_end());
  EXPECT_EQ(screen.device->state().end_points(), 3u);
  EXPECT_TRUE(exception_of([&] { first->start({}); }).starts_with("OBJECT_NOT_EXIST"));
  // Those in use stay.
  for (int i = 17; i < 20; ++i) EXPECT_EQ(requested(ends[static_cast<std::size_t>(i)], {"video"}), "nothing");
  EXPECT_EQ(exception_of([&] { screen_end(); }),
            "streamOpDenied{reason=\"the device has 3 end points, which are all in use\"}");
}

TEST_F(Hostile, EndPointsAreLimitedForSimultaneousCalls) {
  std::vector<std::thread> callers;
  for (int i = 0; i < 12; ++i)
    callers.emplace_back([&] {
      Quality own;
      Ref<AVStreams::VDev> device;
      bool met = false;
      std::string name;
      for (int calls = 0; calls < 20; ++calls)
        camera.device->reference()->create_A(nullptr, device, own, met, name, {"video"});
    });
  for (std::thread& each : callers) each.join();
  EXPECT_EQ(camera.device->state().end_points(), 3u);
}

// Clients that leave destroy nothing. Each bind() comes from a client that then makes no calls.
struct LeftControls : testing::Test {
  using milliseconds = std::chrono::milliseconds;
  static constexpr milliseconds long_time = std::chrono::hours(1);

  void serve(milliseconds unused_after, milliseconds lease) {
    camera.emplace(StreamDevice::Options{
        .offers = {camera_flow()},
        .limits = {.controls = 2, .unused_after = unused_after, .control_lease = lease}});
    screen.emplace(StreamDevice::Options{.offers = {screen_flow(shown)}});
  }
  Ref<Control> bind() {
    Quality any;
    bool met = false;
    return camera->seen_by(screen->orb())->bind(screen->device->reference(), any, met, {"video"});
  }
  static bool has_gone(const Ref<Control>& control) {
    return exception_of([&] { control->stop({}); }).starts_with("OBJECT_NOT_EXIST");
  }

  std::shared_ptr<Shown> shown = std::make_shared<Shown>();
  std::optional<Station> camera, screen;
};

TEST_F(LeftControls, GiveWayIfNothingFlows) {
  serve(milliseconds(0), long_time);
  const auto first = bind(), second = bind();
  first->push_event({"alive", {}});
  EXPECT_FALSE(has_gone(first)) << "waits until the event is there";
  const auto third = bind();
  EXPECT_TRUE(has_gone(second)) << "its last call is the oldest";
  EXPECT_FALSE(has_gone(first));
  EXPECT_EQ(camera->device->state().end_points(), 2u);
  EXPECT_EQ(screen->device->state().end_points(), 2u);
  for (int i = 0; i < 10; ++i) bind()->start({});
  EXPECT_EQ(camera->device->state().end_points(), 2u);
}

TEST_F(LeftControls, GiveWayWhenTheirLeaseEnds) {
  serve(long_time, milliseconds(0));
  const auto first = bind(), second = bind();
  first->start({});
  second->start({});
  EXPECT_TRUE(shown->grows_by(3));
  EXPECT_EQ(exception_of([&] { bind(); }), "nothing");
  EXPECT_TRUE(has_gone(first));
  EXPECT_EQ(screen->device->state().end_points(), 2u);
}

TEST_F(LeftControls, StayWhileTheyMayBeInUse) {
  serve(long_time, long_time);
  const auto first = bind(), second = bind();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(exception_of([&] { bind(); }),
              "streamOpFailed{reason=\"the device has made 2 stream controls, which are all in use\"}");
  first->destroy({});
  EXPECT_EQ(exception_of([&] { bind(); }), "nothing");
  EXPECT_FALSE(has_gone(second));
}

// An end point that does not answer keeps only the client that destroys the stream.
TEST_F(LeftControls, GiveTheirPlaceBackBeforeEndPointsAreDestroyed) {
  struct LastFrame final : takt::streams::FrameSink {
    explicit LastFrame(std::function<void()> ends) : ends_(std::move(ends)) {}
    LastFrame(const LastFrame&) = delete;
    LastFrame& operator=(const LastFrame&) = delete;
    ~LastFrame() override { ends_(); }
    void frame(const takt::Frame&) override {}
    const std::function<void()> ends_;
  };
  serve(long_time, long_time);
  std::promise<void> ending, go_on;
  const auto ends = [&ending, until = go_on.get_future().share()] {
    ending.set_value();
    until.wait_for(patience);
  };
  Station slow{
      {.offers = {{.name = "video", .sink = [&ends] { return std::make_unique<LastFrame>(ends); }}}}};
  Quality any;
  bool met = false;
  const auto first = camera->seen_by(screen->orb())->bind(slow.device->reference(), any, met, {"video"});
  const auto second = bind();
  auto destroyed = std::async(std::launch::async, [&] { first->destroy({}); });
  ending.get_future().wait_for(patience);
  EXPECT_EQ(exception_of([&] { bind(); }), "nothing");
  go_on.set_value();
  destroyed.get();
  EXPECT_FALSE(has_gone(second));
}

TEST_F(LeftControls, GiveWayAlthoughTheirDevicesHaveLeftToo) {
  serve(milliseconds(0), long_time);
  const auto first = bind(), second = bind();
  screen.emplace(StreamDevice::Options{.offers = {screen_flow(shown)}});
  const auto third = bind(), fourth = bind();
  third->start({});
  EXPECT_TRUE(shown->grows_by(3));
  EXPECT_EQ(camera->device->state().end_points(), 2u);
}

TEST_F(LeftControls, StayFewWhenManyClientsComeAtOnce) {
  serve(long_time, milliseconds(0));
  std::atomic<int> bound{0}, refused{0};
  std::mutex mutex;
  std::set<std::string> others;
  std::vector<std::jthread> clients;
  for (int client = 0; client < 6; ++client)
    clients.emplace_back([&] {
      for (int i = 0; i < 5; ++i) {
        Ref<Control> control;
        auto said = exception_of([&] { control = bind(); });
        ++(control ? bound : refused);
        // A control may give way while its client binds, and before it starts.
        if (control) said = exception_of([&] { control->start({}); });
        for (const char* each : {"nothing", "streamOpFailed", "OBJECT_NOT_EXIST", "noSuchFlow"})
          if (said.starts_with(each) && (control || each != std::string_view("OBJECT_NOT_EXIST")))
            said.clear();
        const std::lock_guard lock(mutex);
        if (!said.empty()) others.insert(said);
      }
    });
  clients.clear();
  EXPECT_EQ(others, std::set<std::string>());
  EXPECT_EQ(bound + refused, 30);
  EXPECT_GT(bound, 0);
  EXPECT_LE(camera->device->state().end_points(), 2u);
  EXPECT_LE(screen->device->state().end_points(), 2u);
  EXPECT_EQ(exception_of([&] { bind()->start({}); }), "nothing");
}

TEST_F(Hostile, QualitiesAreLimited) {
  const auto end = screen_end();
  Quality many(1000);
  EXPECT_EQ(exception_of([&] { end->modify_QoS(many, {}); }),
            "QoSRequestFailed{reason=\"1000 entries; the limit is 64\"}");
  Quality long_one(1);
  long_one[0].QoSParams().resize(1000);
  EXPECT_EQ(exception_of([&] { end->modify_QoS(long_one, {}); }),
            "QoSRequestFailed{reason=\"1000 parameters of one flow; the limit is 64\"}");
}

TEST_F(Hostile, PacketsThatAreNoneAreCountedAndDoNotStopAFlow) {
  const auto end = screen_end();
  Flows flows{"video"};
  end->request_connection(nullptr, false, any, flows);
  end->start({});
  const std::string text = flows.at(0);
  const auto port = static_cast<std::uint16_t>(std::stoi(text.substr(text.find("127.0.0.1:") + 10)));
  const auto source = static_cast<std::uint32_t>(std::stoul(text.substr(text.find("source=") + 7)));
  takt::FrameSender stranger({"127.0.0.1", port, source + 1, 90'000}),
      sender({"127.0.0.1", port, source, 90'000});
  const std::vector<std::uint8_t> octets(3000, 7);
  for (std::uint32_t i = 0; i < 50; ++i) stranger.send(octets, i);
  EXPECT_TRUE(eventually([&] { return screen.device->state().flows().at(0).refused() >= 50; }));
  std::uint32_t sent = 0;
  EXPECT_TRUE(eventually([&] {
    sender.send(octets, 3000 * ++sent);
    return shown->count() >= 3;
  }));
}

TEST_F(Hostile, APeerThatIsNoneIsReported) {
  const auto end = camera_end();
  EXPECT_EQ(exception_of([&] { end->connect(nullptr, any, {}); }),
            "streamOpFailed{reason=\"there is no end point to connect with\"}");
  // An object with another interface.
  const auto device = IDL::traits<AVStreams::StreamEndPoint>::unchecked_narrow(
      Ref<CORBA::Object>(screen.seen_by(screen.orb())));
  EXPECT_TRUE(exception_of([&] {
                end->connect(device, any, {});
              }).starts_with("streamOpFailed{reason=\"the other end point does not answer: "));
  // The end point itself, which only produces.
  EXPECT_TRUE(exception_of([&] { end->connect(end, any, {}); }).starts_with("streamOpFailed"));
}

}  // namespace
}  // namespace feature

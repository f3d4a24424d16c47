// Streams between devices: binding, flows, quality of service, many consumers.
#include <gtest/gtest.h>

#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>

#include <takt/frames/frames.h>

#include "AVStreamsS.h"
#include "studio.h"

namespace feature {
namespace {

struct Streams : testing::Test {
  Quality any;
  std::shared_ptr<Shown> shown = std::make_shared<Shown>();
  Station camera{{.offers = {camera_flow()}}};
  Station screen{{.offers = {screen_flow(shown)}}};
  Ref<Control> control = camera.device->make_control();

  Ref<Device> peer() { return screen.seen_by(camera.orb()); }
  bool bind(const Flows& flows = {"video"}) {
    return control->bind_devs(camera.device->reference(), peer(), any, flows);
  }
  Takt::Streams::Flow flow_of(const Station& station) {
    const auto state = station.device->state();
    return state.flows().empty() ? Takt::Streams::Flow() : state.flows().front();
  }
};

// Numbers and sizes are those of the camera, and time stamps those of its pace.
void expect_frames_of_camera(const std::vector<takt::Frame>& frames, double frame_rate) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto first = frames[i].octets.front();
    EXPECT_TRUE(std::ranges::all_of(frames[i].octets, [first](std::uint8_t each) { return each == first; }));
    const auto number = static_cast<std::uint64_t>(frames[i].timestamp / (90'000 / frame_rate) + 0.5);
    EXPECT_EQ(first, static_cast<std::uint8_t>(number));
    EXPECT_EQ(frames[i].octets.size(), 1 + number * 997 % 20'000);
    EXPECT_TRUE(i == 0 || frames[i].timestamp > frames[i - 1].timestamp);
  }
}

struct Carriers : Streams, testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(, Carriers, testing::Values("UDP", "TCP"));

TEST_P(Carriers, BringFramesFromDeviceToDevice) {
  const std::string carrier = GetParam();
  EXPECT_TRUE(bind({R"(video\IN\\\)" + carrier}));
  EXPECT_EQ(shown->count(), 0u) << "a flow that is not started carries nothing";
  control->start({});
  ASSERT_TRUE(shown->grows_by(30));
  const auto sent = flow_of(camera), received = flow_of(screen);
  EXPECT_TRUE(sent.produces());
  EXPECT_FALSE(received.produces());
  EXPECT_EQ(sent.state(), Takt::Streams::FlowState::started);
  EXPECT_EQ(sent.carrier(), received.carrier());
  EXPECT_TRUE(sent.carrier().starts_with(carrier + "=127.0.0.1:")) << sent.carrier();
  EXPECT_GE(sent.frames(), 29u) << "a frame counts when it has been sent, which the screen may see first";
  EXPECT_GE(received.frames(), 29u);
  EXPECT_EQ(received.refused(), 0u);
  control->unbind();
  EXPECT_EQ(camera.device->state().end_points() + screen.device->state().end_points(), 0u);
  expect_frames_of_camera(shown->frames(), 200);
}

// The delay is that of 100 frames.
TEST_F(Streams, WaitForTheirDelayWhichMayBeOfManyFrames) {
  Quality quality =
      quality_of("video", {parameter("frame_rate", 200.0), parameter("delay_ms", std::int32_t{500})});
  EXPECT_TRUE(control->bind_devs(camera.device->reference(), peer(), quality, {"video"}));
  const auto before = std::chrono::steady_clock::now();
  control->start({});
  EXPECT_TRUE(shown->grows_by(1));
  EXPECT_GE(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(500));
  EXPECT_TRUE(shown->grows_by(5));
}

TEST_F(Streams, FlowToTheOtherSideIfTheDevicesDo) {
  // The screen is the A party, so that its flow has the direction OUT, and it listens before it asks.
  EXPECT_TRUE(control->bind_devs(peer(), camera.device->reference(), any, {"video"}));
  control->start({"video"});
  EXPECT_TRUE(shown->grows_by(5));
  EXPECT_EQ(exception_of([&] { bind({R"(video\OUT)"}); }),
            "streamOpFailed{reason=\"flow video: the device only produces it\"}");
}

TEST_F(Streams, StartAndStopSingleFlows) {
  const auto left = std::make_shared<Shown>(), right = std::make_shared<Shown>();
  Station eyes{{.offers = {camera_flow("left"), camera_flow("right")}}};
  Station glasses{{.offers = {screen_flow(left, "left"), screen_flow(right, "right")}}};
  const auto both = eyes.device->make_control();
  both->bind_devs(eyes.device->reference(), glasses.seen_by(eyes.orb()), any, {});
  both->start({"left"});
  EXPECT_TRUE(left->grows_by(5));
  EXPECT_EQ(right->count(), 0u);
  both->start({"right"});
  EXPECT_TRUE(right->grows_by(5));
  both->stop({"left"});
  EXPECT_TRUE(right->grows_by(5));
  const auto still = left->count();
  EXPECT_TRUE(right->grows_by(10));
  EXPECT_EQ(left->count(), still);
  both->start({"left"});
  EXPECT_TRUE(left->grows_by(5));
  EXPECT_EQ(exception_of([&] { both->start({"middle"}); }), "noSuchFlow{}");
  both->destroy({"left"});
  EXPECT_EQ(exception_of([&] { both->stop({"left"}); }), "noSuchFlow{}");
  EXPECT_TRUE(right->grows_by(5));
}

TEST_F(Streams, HaveOneProducerAndManyConsumers) {
  const auto second = std::make_shared<Shown>(), third = std::make_shared<Shown>();
  Station wall{{.offers = {screen_flow(second)}}}, desk{{.offers = {screen_flow(third)}}};
  EXPECT_TRUE(control->bind_devs(camera.device->reference(), nullptr, any, {"video"}));
  for (const Station* each : {&screen, &wall, &desk})
    EXPECT_TRUE(control->bind_devs(nullptr, each->seen_by(camera.orb()), any, {"video"}));
  control->start({});
  for (const auto& each : {shown, second, third}) EXPECT_TRUE(each->grows_by(10));
  EXPECT_EQ(camera.device->state().end_points(), 1u);
  EXPECT_EQ(std::ranges::count(flow_of(camera).carrier(), ','), 2);
  // One leaves; the others stay.
  Ref<AVStreams::StreamEndPoint> leaving;
  control->get_related_vdev(wall.seen_by(camera.orb()), leaving);
  control->unbind_party(leaving, {});
  EXPECT_EQ(std::ranges::count(flow_of(camera).carrier(), ','), 1);
  EXPECT_EQ(wall.device->state().end_points(), 0u);
  EXPECT_TRUE(shown->grows_by(5));
  EXPECT_TRUE(third->grows_by(5));
}

TEST_F(Streams, AreBoundByTheDevicesThemselves) {
  bool met = false;
  const auto made = camera.device->reference()->bind(peer(), any, met, {});
  EXPECT_TRUE(met);
  made->start({});
  EXPECT_TRUE(shown->grows_by(3));
  made->destroy({});
  EXPECT_EQ(exception_of([&] { made->start({}); }).substr(0, 16), "OBJECT_NOT_EXIST");
  EXPECT_EQ(camera.device->state().end_points(), 0u);
}

TEST_F(Streams, NegotiateTheirQuality) {
  FlowOffer slow = screen_flow(shown);
  slow.bounds.frame_rate = 50;
  Station projector{{.offers = {slow}}};
  Quality quality = quality_of("video", {parameter("frame_rate", 120.0)});
  EXPECT_FALSE(
      control->bind_devs(camera.device->reference(), projector.seen_by(camera.orb()), quality, {"video"}));
  double granted = 0;
  ASSERT_TRUE(quality.at(0).QoSParams().at(0).property_value() >>= granted);
  EXPECT_EQ(granted, 50);
  EXPECT_EQ(flow_of(camera).frame_rate(), 50) << "the producer learns what the consumer grants";
  control->start({});
  ASSERT_TRUE(shown->grows_by(10));
  expect_frames_of_camera(shown->frames(), 50);
  quality = quality_of("video", {parameter("frame_rate", 40.0)});
  EXPECT_TRUE(control->modify_QoS(quality, {"video"}));
  EXPECT_EQ(flow_of(camera).frame_rate(), 40);
  quality = quality_of("sound", {parameter("frame_rate", 10.0)});
  EXPECT_TRUE(control->modify_QoS(quality, {}));
  EXPECT_EQ(flow_of(camera).frame_rate(), 40) << "the quality is another flow's";
  quality = quality_of("video", {parameter("mine", true)});
  EXPECT_TRUE(control->modify_QoS(quality, {}));
  EXPECT_EQ(flow_of(camera).frame_rate(), 40) << "the rate is left out";
  quality = quality_of("video", {parameter("frame_rate", 80.0), parameter("frame_rate_min", 60.0)});
  EXPECT_EQ(exception_of([&] { control->modify_QoS(quality, {"video"}); }),
            "QoSRequestFailed{reason=\"flow video: 60 frames a second are needed, and 50 can be granted\"}");
  EXPECT_EQ(flow_of(camera).frame_rate(), 40);
  quality = quality_of("video", {parameter("dscp", std::int16_t{46})});
  EXPECT_EQ(
      exception_of([&] { control->modify_QoS(quality, {"video"}); }),
      "QoSRequestFailed{reason=\"flow video: only the frame rate of a connected flow can be changed\"}");
}

TEST_F(Streams, HaveOneRateForAllConsumers) {
  const auto second = std::make_shared<Shown>();
  Station other{{.offers = {screen_flow(second)}}};
  Quality quality = quality_of("video", {parameter("frame_rate", 50.0)});
  EXPECT_TRUE(control->bind_devs(camera.device->reference(), peer(), quality, {"video"}));
  Ref<AVStreams::StreamEndPoint> end_point;
  control->get_related_vdev(camera.device->reference(), end_point);
  const auto a = IDL::traits<AVStreams::StreamEndPoint_A>::narrow(end_point);
  Ref<AVStreams::VDev> device;
  bool met = false;
  std::string name;
  Quality none;
  const auto b = other.seen_by(camera.orb())->create_B(nullptr, device, none, met, name, {});
  quality = quality_of("video", {parameter("frame_rate", 100.0), parameter("frame_rate_min", 80.0)});
  EXPECT_EQ(exception_of([&] { a->connect_leaf(b, quality, {"video"}); }),
            "QoSRequestFailed{reason=\"flow video: 80 frames a second are needed, and 50 can be granted\"}");
  quality = quality_of("video", {parameter("frame_rate", 100.0)});
  EXPECT_FALSE(a->connect_leaf(b, quality, {"video"}));
  double granted = 0;
  ASSERT_TRUE(quality.at(0).QoSParams().at(0).property_value() >>= granted);
  EXPECT_EQ(granted, 50);
  EXPECT_EQ(flow_of(camera).frame_rate(), 50);
  a->start({});
  b->start({});
  EXPECT_TRUE(second->grows_by(2));
}

TEST_F(Streams, KeepTheirQualityIfAConnectionFails) {
  Ref<AVStreams::VDev> device;
  bool met = false;
  std::string name;
  Quality quality = quality_of("video", {parameter("frame_rate", 40.0)});
  const auto a = camera.device->reference()->create_A(nullptr, device, quality, met, name, {});
  const auto gone = camera.orb()->string_to_object("corbaloc:iiop:1.2@127.0.0.1:1/b");
  quality = quality_of("video", {parameter("frame_rate", 50.0)});
  EXPECT_TRUE(exception_of([&] {
                a->connect(IDL::traits<AVStreams::StreamEndPoint>::unchecked_narrow(gone), quality,
                           {"video"});
              }).starts_with("streamOpFailed"));
  EXPECT_EQ(flow_of(camera).frame_rate(), 40);
}

TEST_F(Streams, ShowTheRateOfTheirOffers) {
  bind();
  EXPECT_EQ(flow_of(camera).frame_rate(), 200);
}

TEST_F(Streams, AreRefusedIfThereIsNoMemoryForTheirFrames) {
  Station small{{.offers = {screen_flow(shown)}, .limits = {.kept_bytes = 20 * 1024 * 1024}}};
  const auto bound = [&](const Ref<AVStreams::StreamCtrl>& by, std::uint32_t frame_octets) {
    Quality quality = quality_of("video", {parameter("frame_octets", frame_octets)});
    return exception_of(
        [&] { by->bind_devs(camera.device->reference(), small.seen_by(camera.orb()), quality, {}); });
  };
  const std::string refusal =
      "streamOpFailed{reason=\"the other end point denies: flow video: the device has no memory";
  EXPECT_EQ(bound(control, 0).substr(0, refusal.size()), refusal) << "four frames of 16 MiB";
  const auto second = camera.device->make_control(), third = camera.device->make_control();
  EXPECT_EQ(bound(control, 1'000'000), "nothing");
  EXPECT_EQ(bound(second, 1'000'000), "nothing") << "8 MiB each";
  EXPECT_EQ(bound(third, 1'000'000).substr(0, refusal.size()), refusal);
  second->unbind();
  EXPECT_EQ(bound(third, 1'000'000), "nothing");
}

// Clients that leave destroy nothing.
TEST_F(Streams, GetTheMemoryOfThoseThatCarryNoFramesAnyMore) {
  Station small{{.offers = {screen_flow(shown)},
                 .limits = {.kept_bytes = 20 * 1024 * 1024, .unused_after = std::chrono::milliseconds(0)}}};
  std::vector<Ref<AVStreams::StreamCtrl>> left;
  for (int i = 0; i < 5; ++i) {
    left.push_back(camera.device->make_control());
    Quality quality = quality_of("video", {parameter("frame_octets", std::uint32_t{1'000'000})});
    EXPECT_EQ(exception_of([&] {
                left.back()->bind_devs(camera.device->reference(), small.seen_by(camera.orb()), quality, {});
              }),
              "nothing")
        << i;
    EXPECT_LE(small.device->state().end_points(), 2u) << "8 MiB each";
  }
  left.back()->start({});
  EXPECT_TRUE(shown->grows_by(1));
}

TEST_F(Streams, ThatArePausedKeepTheirMemoryBeforeThoseThatNeverBegan) {
  Station small{{.offers = {screen_flow(shown)},
                 .limits = {.kept_bytes = 20 * 1024 * 1024, .unused_after = std::chrono::milliseconds(0)}}};
  const auto bound = [&] {
    const auto made = camera.device->make_control();
    Quality quality = quality_of("video", {parameter("frame_octets", std::uint32_t{1'000'000})});
    made->bind_devs(camera.device->reference(), small.seen_by(camera.orb()), quality, {});
    return made;
  };
  const auto paused = bound();
  paused->start({});
  EXPECT_TRUE(shown->grows_by(1));
  paused->stop({});
  const auto left = bound(), last = bound();
  EXPECT_EQ(small.device->state().end_points(), 2u) << "8 MiB each";
  paused->start({});
  EXPECT_TRUE(shown->grows_by(1));
}

TEST_F(Streams, TakeANewRateBeforeTheNextFrameOfTheOldOne) {
  Quality quality = quality_of("video", {parameter("frame_rate", 0.001)});
  control->bind_devs(camera.device->reference(), peer(), quality, {"video"});
  control->start({});
  ASSERT_TRUE(eventually([&] { return shown->count() == 1; }));
  quality = quality_of("video", {parameter("frame_rate", 200.0)});
  EXPECT_TRUE(control->modify_QoS(quality, {"video"}));
  EXPECT_TRUE(shown->grows_by(5));
}

TEST_F(Streams, AreRefusedByTheExceptionsOfTheStandard) {
  EXPECT_EQ(exception_of([&] { bind({"sound"}); }), "noSuchFlow{}");
  EXPECT_EQ(exception_of([&] { bind({R"(video\IN\MPEG)"}); }),
            "streamOpFailed{reason=\"flow video: the format is UNS:octets\"}");
  EXPECT_EQ(exception_of([&] { bind({R"(video\IN\\\ATM)"}); }),
            "streamOpFailed{reason=\"flow video: no carrier that the device offers, not ATM\"}");
  EXPECT_EQ(exception_of([&] { bind({R"(video\SIDEWAYS)"}); }),
            "streamOpFailed{reason=\"'video\\SIDEWAYS': 'SIDEWAYS' is no direction: IN and OUT are\"}");
  EXPECT_EQ(exception_of([&] { control->bind_devs(nullptr, nullptr, any, {}); }),
            "streamOpFailed{reason=\"there is no device to bind\"}");
  Quality quality = quality_of("video", {parameter("frame_octets", std::uint32_t{1'000'000'000})});
  EXPECT_EQ(exception_of([&] { control->bind_devs(camera.device->reference(), peer(), quality, {}); }),
            "QoSRequestFailed{reason=\"flow video: frames of 1000000000 octets; the limit is 16777216\"}");
  EXPECT_EQ(camera.device->state().end_points() + screen.device->state().end_points(), 0u)
      << "what was made for a stream that fails is destroyed";
  const auto gone = camera.orb()->string_to_object("corbaloc:iiop:1.2@127.0.0.1:1/MMDevice");
  const auto nobody = IDL::traits<Device>::unchecked_narrow(gone);
  EXPECT_TRUE(exception_of([&] {
                control->bind_devs(camera.device->reference(), nobody, any, {});
              }).starts_with("streamOpFailed{reason=\"the device does not answer: "));
  EXPECT_EQ(camera.device->state().end_points(), 0u);
}

TEST_F(Streams, HaveDevicesWithProperties) {
  const auto device = peer();
  Flows names;
  EXPECT_TRUE(device->get_property_value("Flows") >>= names);
  EXPECT_EQ(names, Flows{"video"});
  device->define_property("place", parameter("", std::string("hall")).property_value());
  CosPropertyService::Properties all;
  Ref<CosPropertyService::PropertiesIterator> rest;
  device->get_all_properties(10, all, rest);
  EXPECT_EQ(all.size(), 2u);
  EXPECT_FALSE(rest);
  EXPECT_FALSE(device->get_properties({"place", "time"}, all));
  EXPECT_THROW(device->define_property("Flows", CORBA::Any()), CosPropertyService::ReadOnlyProperty);
  EXPECT_FALSE(device->delete_all_properties());
  EXPECT_EQ(device->get_number_of_properties(), 1u);
  bind();
  Ref<AVStreams::StreamEndPoint> end_point;
  const auto virtual_device = control->get_related_vdev(device, end_point);
  EXPECT_EQ(exception_of([&] { virtual_device->configure(parameter("zoom", 2.0)); }), "PropertyException{}");
  EXPECT_EQ(exception_of([&] { virtual_device->set_format("video", "MPEG"); }), "notSupported{}");
  virtual_device->set_format("video", "UNS:octets");
  EXPECT_EQ(exception_of([&] { end_point->set_FPStatus({"video"}, "SFP:1.0", CORBA::Any()); }),
            "FPError{flow_name=\"video\"}");
}

TEST_F(Streams, PaceThemselvesAndLeaveOutWhatIsLate) {
  // A source that takes longer than the period.
  struct Slow final : takt::streams::FrameSource {
    std::span<const std::uint8_t> frame(std::uint64_t number) override {
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
      octet = static_cast<std::uint8_t>(number);
      return {&octet, 1};
    }
    std::uint8_t octet = 0;
  };
  FlowOffer offer = camera_flow("video", 100);
  offer.source = [] { return std::make_unique<Slow>(); };
  Station old{{.offers = {offer}}};
  const auto own = old.device->make_control();
  own->bind_devs(old.device->reference(), screen.seen_by(old.orb()), any, {});
  own->start({});
  ASSERT_TRUE(shown->grows_by(8));
  const auto flow = flow_of(old);
  EXPECT_GE(flow.late(), flow.frames() / 2) << "two of three frames are late";
  for (const takt::Frame& each : shown->frames())
    EXPECT_EQ(each.octets.front(), static_cast<std::uint8_t>(each.timestamp / 900));
}

TEST_F(Streams, HavePrioritiesOfTheirOwn) {
  // The scheduling of the thread that calls the sink.
  struct Scheduled final : takt::streams::FrameSink {
    explicit Scheduled(std::atomic<int>& priority) : priority_of_thread(priority) {}
    void frame(const takt::Frame&) override {
      sched_param parameters{};
      int policy = 0;
      pthread_getschedparam(pthread_self(), &policy, &parameters);
      priority_of_thread = policy == SCHED_FIFO ? parameters.sched_priority : 0;
    }
    std::atomic<int>& priority_of_thread;
  };
  std::atomic<int> priority{-1};
  FlowOffer offer = screen_flow(shown);
  offer.sink = [&priority] { return std::make_unique<Scheduled>(priority); };
  offer.bounds.priority = 3;
  Station urgent{{.offers = {offer}}};
  Quality quality = quality_of("video", {parameter("priority", std::int16_t{3})});
  const auto refusal = exception_of(
      [&] { control->bind_devs(camera.device->reference(), urgent.seen_by(camera.orb()), quality, {}); });
  if (refusal != "nothing") {  // the system gives this user no priorities
    EXPECT_TRUE(refusal.starts_with("QoSRequestFailed{reason=\"flow video: the system refuses priority 3"))
        << refusal;
    EXPECT_EQ(urgent.device->state().end_points(), 0u);
    return;
  }
  control->start({});
  EXPECT_TRUE(eventually([&] { return priority == 3; })) << priority;
}

TEST(FlowPackets, HaveTheirCodePoint) {
  const int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
  ASSERT_GE(socket, 0);
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof where;
  const int on = 1;
  const timeval wait{20, 0};
  ASSERT_EQ(setsockopt(socket, IPPROTO_IP, IP_RECVTOS, &on, sizeof on), 0);
  ASSERT_EQ(setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait), 0);
  ASSERT_EQ(bind(socket, reinterpret_cast<sockaddr*>(&where), size), 0);
  ASSERT_EQ(getsockname(socket, reinterpret_cast<sockaddr*>(&where), &size), 0);
  takt::FrameSender sender({"127.0.0.1", ntohs(where.sin_port), 1, 90'000}, {.dscp = 46});
  const std::vector<std::uint8_t> frame(5000, 1);  // several packets, which go in one bundle
  EXPECT_TRUE(sender.send(frame, 0));
  std::array<char, 2000> octets{};
  alignas(cmsghdr) std::array<char, 64> notes{};
  iovec into{octets.data(), octets.size()};
  msghdr message{};
  message.msg_iov = &into;
  message.msg_iovlen = 1;
  for (int packets = 0; packets < 5; ++packets) {
    message.msg_control = notes.data();
    message.msg_controllen = notes.size();
    EXPECT_GT(recvmsg(socket, &message, 0), 0);
    const cmsghdr* const note = CMSG_FIRSTHDR(&message);
    ASSERT_TRUE(note && note->cmsg_type == IP_TOS);
    EXPECT_EQ(*CMSG_DATA(note), 46 << 2);
  }
  close(socket);
  EXPECT_THROW(takt::FrameSender({"127.0.0.1", 9, 1, 90'000}, {.dscp = 64}), CORBA::BAD_PARAM);
}

TEST_F(Streams, EndIfAnApplicationFails) {
  struct Broken final : takt::streams::FrameSink {
    void frame(const takt::Frame&) override { throw std::runtime_error("broken"); }
  };
  FlowOffer offer = screen_flow(shown);
  offer.sink = [] { return std::make_unique<Broken>(); };
  Station cracked{{.offers = {offer}}};
  control->bind_devs(camera.device->reference(), cracked.seen_by(camera.orb()), any, {});
  control->start({});
  EXPECT_TRUE(eventually([&] { return flow_of(cracked).state() == Takt::Streams::FlowState::dead; }));
}

class Negotiator final : public virtual CORBA::servant_traits<AVStreams::Negotiator>::base_type {
 public:
  bool negotiate(Ref<AVStreams::Negotiator> other, const Quality& quality) override {
    has_other = other != nullptr;
    flows = quality.size();
    if (silent) throw CORBA::TRANSIENT();
    return agrees;
  }
  bool agrees = true, silent = false, has_other = false;
  std::size_t flows = 0;
};

TEST_F(Streams, AreNegotiatedFirst) {
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(camera.orb()->resolve_initial_references("RootPOA"));
  const auto servant = CORBA::make_reference<Negotiator>();
  const auto negotiator =
      IDL::traits<AVStreams::Negotiator>::narrow(root->id_to_reference(root->activate_object(servant)));
  Ref<AVStreams::VDev> device;
  bool met = false;
  std::string name;
  const auto a = camera.device->reference()->create_A(nullptr, device, any, met, name, {});
  const auto b = peer()->create_B(nullptr, device, any, met, name, {});
  any = quality_of("video", {parameter("frame_rate", 50.0)});
  const auto connect = [&] { return exception_of([&] { a->connect(b, any, {"video"}); }); };
  a->set_negotiator(negotiator);
  servant->agrees = false;
  EXPECT_EQ(connect(), "QoSRequestFailed{reason=\"the negotiators of the end points do not agree\"}");
  EXPECT_FALSE(servant->has_other);
  EXPECT_EQ(servant->flows, 1u);
  servant->silent = true;
  EXPECT_TRUE(connect().starts_with("QoSRequestFailed{reason=\"a negotiator does not answer"));
  servant->silent = false;
  servant->agrees = true;
  b->set_negotiator(negotiator);
  EXPECT_EQ(connect(), "nothing");
  EXPECT_TRUE(servant->has_other);
  a->disconnect({});
  servant->agrees = false;
  a->set_negotiator(nullptr);
  EXPECT_EQ(connect(),
            "streamOpFailed{reason=\"the other end point denies: flow video is connected already\"}");
}

TEST(StreamDevices, RefuseOffersThatCannotBeMade) {
  const auto refusal = [](FlowOffer offer) {
    OrbPair pair;
    return exception_of([&] { StreamDevice::start(pair.server, {.offers = {std::move(offer)}}); });
  };
  FlowOffer offer = camera_flow();
  offer.carriers = {"ATM"};
  EXPECT_EQ(refusal(offer), "BAD_PARAM: the flow 'video' has the carrier 'ATM'; there are UDP, TCP and TLS");
  EXPECT_EQ(refusal({.name = "video"}), "BAD_PARAM: the flow 'video' has neither a source nor a sink");
  EXPECT_EQ(refusal(camera_flow("a\\b")),
            "BAD_PARAM: the flow 'a\\b' has a name or a format that flow specifications cannot hold");
}

}  // namespace
}  // namespace feature

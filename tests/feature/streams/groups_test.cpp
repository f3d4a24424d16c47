// Flows to groups: one producer whose packets all consumers receive.
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

#include "../rows.h"
#include "studio.h"

namespace feature {
namespace {

// A group of this process, on the loopback interface.
std::string own_group() {
  const unsigned process = static_cast<unsigned>(::getpid());
  return "239.255." + std::to_string(process % 250 + 1) + '.' + std::to_string(process / 250 % 250 + 1) +
         ":" + std::to_string(20'000 + process % 10'000);
}

// From which this machine sends to groups over the loopback interface: the system chooses it.
std::string own_address() {
  const int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
  ip_mreqn interface{};
  interface.imr_ifindex = static_cast<int>(::if_nametoindex("lo"));
  ::setsockopt(socket, IPPROTO_IP, IP_MULTICAST_IF, &interface, sizeof interface);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(5004);
  ::inet_pton(AF_INET, "239.255.1.1", &address.sin_addr);
  ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  socklen_t size = sizeof address;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(socket);
  char text[INET_ADDRSTRLEN];
  return ::inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
}

FlowOffer to_group(FlowOffer offer, const std::string& group = own_group()) {
  offer.group = group;
  offer.hops = 0;
  offer.interface = "lo";
  return offer;
}
FlowOffer from_group(FlowOffer offer) {
  offer.joins_groups = true;
  offer.interface = "lo";
  return offer;
}

struct Groups : testing::Test {
  bool add(const Station& consumer, const Flows& flows = {"video"}) {
    return control->bind_devs(nullptr, consumer.seen_by(camera.orb()), any, flows);
  }
  std::string carrier_of(const Station& station) {
    const auto state = station.device->state();
    return state.flows().empty() ? "none" : state.flows().front().carrier();
  }

  Quality any;
  const std::shared_ptr<Shown> left = std::make_shared<Shown>(), right = std::make_shared<Shown>(),
                               alone = std::make_shared<Shown>();
  Station camera{{.offers = {to_group(camera_flow()), camera_flow("sound")}}};
  Station first{{.offers = {from_group(screen_flow(left))}}},
      second{{.offers = {from_group(screen_flow(right))}}},
      third{{.offers = {screen_flow(alone), screen_flow(alone, "sound")}}};
  Ref<Control> control = camera.device->make_control();
};

TEST_F(Groups, GetTheFramesOfOneProducer) {
  EXPECT_TRUE(control->bind_devs(camera.device->reference(), nullptr, any, {"video"}));
  EXPECT_TRUE(add(first));
  EXPECT_TRUE(add(second));
  control->start({});
  EXPECT_TRUE(left->grows_by(20));
  EXPECT_TRUE(right->grows_by(20));
  for (const Station* each : {&camera, &first, &second}) EXPECT_EQ(carrier_of(*each), "UDP=" + own_group());
  // One that joins no groups gets packets of its own.
  EXPECT_TRUE(add(third));
  EXPECT_TRUE(control->modify_QoS(any, {}));
  control->start({});
  EXPECT_TRUE(alone->grows_by(5));
  EXPECT_NE(carrier_of(camera).find(",UDP=127.0.0.1:"), std::string::npos) << carrier_of(camera);
  // One leaves, and the others stay.
  control->unbind_dev(first.seen_by(camera.orb()), {});
  EXPECT_TRUE(right->grows_by(10));
  EXPECT_EQ(carrier_of(first), "none");
  control->stop({});
  const auto frames = left->frames();
  for (std::size_t i = 1; i < frames.size(); ++i) {
    EXPECT_GT(frames[i].timestamp, frames[i - 1].timestamp);
    EXPECT_EQ(frames[i].octets.size(), 1 + (frames[i].timestamp / 450) * 997 % 20'000);
  }
  control->unbind();
  EXPECT_EQ(camera.device->state().end_points() + second.device->state().end_points(), 0u);
}

TEST_F(Groups, AreUsedForThoseFlowsThatHaveSome) {
  EXPECT_TRUE(control->bind_devs(camera.device->reference(), nullptr, any, {}));
  EXPECT_TRUE(add(third, {})) << "it joins no groups, and has both flows";
  EXPECT_TRUE(add(first, {})) << "it has only the flow of the group";
  control->start({});
  EXPECT_TRUE(left->grows_by(5));
  EXPECT_TRUE(alone->grows_by(10));
  EXPECT_EQ(exception_of([&] { add(second, {"sound"}); }), "noSuchFlow{}");
  bool met = false;
  const auto made = camera.device->reference()->bind_mcast(second.seen_by(camera.orb()), any, met, {"video"});
  made->start({});
  EXPECT_TRUE(met && right->grows_by(5)) << "another stream to the same group has a number of its own";
  made->unbind();
}

// Time stamps have the rate of each consumer's clock; in a group all would get those of the producer's.
TEST_F(Groups, ConsumersHaveClocksOfTheirOwn) {
  const auto slow = std::make_shared<Shown>();
  FlowOffer offer = from_group(screen_flow(slow));
  offer.clock_rate = 1000;
  Station watch{{.offers = {offer}}};
  EXPECT_TRUE(control->bind_devs(camera.device->reference(), nullptr, any, {"video"}));
  EXPECT_TRUE(add(watch));
  control->start({});
  ASSERT_TRUE(slow->grows_by(10));
  control->unbind();
  for (const takt::Frame& each : slow->frames())
    EXPECT_EQ(each.octets.front(), static_cast<std::uint8_t>(each.timestamp / 5)) << "200 frames a second";
}

struct JoinRow {
  const char* row;
  Flows entries;
  const char* thrown;
};

TEST_F(Groups, AreJoinedAsTheEntriesSay) {
  const std::string good = R"(video\IN\UNS:octets\takt:1.0:source=7:clock=90000\UDP=)";
  const JoinRow rows[] = {
      {"no entries", {}, "noSuchFlow{}"},
      {"another flow", {R"(sound\IN\\takt:1.0:source=7:clock=90000\UDP=239.255.0.1:5004)"}, "noSuchFlow{}"},
      {"no address",
       {"video"},
       "streamOpFailed{reason=\"flow video: the producer has given no group of takt:1.0\"}"},
      {"no number", {R"(video\IN\\takt:1.0\UDP=239.255.0.1:5004)"}, "streamOpFailed"},
      {"another protocol", {R"(video\IN\\SFP:1.0\UDP=239.255.0.1:5004)"}, "FPError{flow_name=\"video\"}"},
      {"another format",
       {R"(video\IN\MPEG\takt:1.0:source=7:clock=90000\UDP=239.255.0.1:5004)"},
       "streamOpFailed"},
      {"another direction",
       {R"(video\OUT\\takt:1.0:source=7:clock=90000\UDP=239.255.0.1:5004)"},
       "streamOpFailed"},
      {"a connection", {R"(video\IN\\takt:1.0:source=7:clock=90000\TCP=239.255.0.1:5004)"}, "streamOpFailed"},
      {"no group", {good + "127.0.0.1:5004"}, "streamOpFailed"},
      {"no group", {good + "240.0.0.1:5004"}, "streamOpFailed"},
      {"no group", {good + "host.example:5004"}, "streamOpFailed"},
      {"no port", {good + "239.255.0.1:0"}, "streamOpFailed"},
      {"a group of routers",
       {good + "224.0.0.251:5353"},
       "streamOpFailed{reason=\"flow video: the device does not join the group UDP=224.0.0.251:5353\"}"},
      {"a group of one network", {good + "[ff02::fb]:5353"}, "streamOpFailed"},
      {"a port of services", {good + "239.255.0.1:123"}, "streamOpFailed"},
      {"another clock",
       {R"(video\IN\\takt:1.0:source=7:clock=8000\UDP=)" + own_group()},
       "streamOpFailed{reason=\"flow video: the clock has 90000 units a second, not 8000\"}"},
      {"no numbers", {good + "239.255.0.1:x"}, "FPError{flow_name=\"video\"}"},
      {"a group", {good + own_group(), good + own_group()}, "nothing"},
      {"connected", {good + own_group()}, "streamOpFailed{reason=\"flow video is connected already\"}"},
  };
  Ref<AVStreams::VDev> device;
  bool met = false;
  std::string name;
  const auto end = first.seen_by(camera.orb())->create_B(nullptr, device, any, met, name, {"video"});
  for (const JoinRow& each : rows) {
    Flows entries = each.entries;
    expect_row(each.row, "", each.thrown, exception_of([&] { end->multiconnect(any, entries); }));
  }
  Flows entries{good + own_group()};
  const auto closed = third.seen_by(camera.orb())->create_B(nullptr, device, any, met, name, {});
  EXPECT_EQ(exception_of([&] { closed->request_connection(nullptr, true, any, entries); }),
            "streamOpDenied{reason=\"flow video: the device joins no groups\"}");
  EXPECT_EQ(third.device->state().refusals(), 1u);
  EXPECT_EQ(exception_of([&] {
              control->bind_devs(camera.device->reference(), nullptr, any,
                                 {R"(video\IN\\\UDP=239.255.250.250:5004)"});
            }),
            "streamOpFailed{reason=\"flow video: its group is " + own_group() + "\"}")
      << "no client chooses where frames go";
  EXPECT_EQ(camera.device->state().end_points(), 0u);
}

TEST_F(Groups, AreJoinedIfTheOfferHasThem) {
  FlowOffer offer = from_group(screen_flow(left));
  offer.allowed_groups = {"239.255.0.9:05004"};
  Station choosy{{.offers = {offer}}};
  Ref<AVStreams::VDev> device;
  bool met = false;
  std::string name;
  const auto end = choosy.seen_by(camera.orb())->create_B(nullptr, device, any, met, name, {"video"});
  const std::string good = R"(video\IN\\takt:1.0:source=7:clock=90000\UDP=)";
  Flows entries{good + own_group()};
  EXPECT_NE(exception_of([&] { end->multiconnect(any, entries); }), "nothing");
  entries = {good + "239.255.0.9:5004"};
  EXPECT_EQ(exception_of([&] { end->multiconnect(any, entries); }), "nothing");
}

// A machine that is not in the list does not become the sender, though its packets have the stream's number.
TEST_F(Groups, AreOfTheSendersThatTheOfferHas) {
  FlowOffer offer = from_group(screen_flow(left));
  offer.allowed_senders = {"192.0.2.7", own_address()};
  Station choosy{{.offers = {offer}}};
  offer = from_group(screen_flow(right));
  offer.allowed_senders = {"192.0.2.7"};
  Station other{{.offers = {offer}}};
  EXPECT_TRUE(control->bind_devs(camera.device->reference(), nullptr, any, {"video"}));
  EXPECT_TRUE(add(choosy));
  EXPECT_TRUE(add(other));
  control->start({});
  EXPECT_TRUE(left->grows_by(20));
  EXPECT_EQ(right->count(), 0u);
  // Each machine reads its packets by itself.
  EXPECT_TRUE(eventually([&] { return other.device->state().flows().front().refused() >= 20; }));
}

// A client asks a producer for its group, with wishes.
TEST_F(Groups, AreSentToAsTheEntriesSay) {
  const JoinRow rows[] = {
      {"another carrier", {R"(video\IN\\\TCP)"}, R"(video\IN\\\TCP)"},
      {"another format",
       {R"(video\IN\MPEG)"},
       "streamOpFailed{reason=\"flow video: the format is UNS:octets\"}"},
      {"another protocol",
       {R"(video\IN\\SFP:1.0)"},
       "streamOpFailed{reason=\"flow video: the flow protocol is takt:1.0\"}"},
      {"no group, and a client's address", {R"(sound\IN\\\UDP=239.9.9.9:5004)"}, R"(sound\IN\\\UDP)"},
      {"its own answer, sent back", {}, ""},
  };
  Ref<AVStreams::VDev> device;
  bool met = false;
  std::string name;
  const auto end = camera.device->reference()->create_A(nullptr, device, any, met, name, {});
  Flows own{"video"};
  EXPECT_TRUE(end->multiconnect(any, own));
  for (const JoinRow& each : rows) {
    Flows entries = each.entries.empty() ? own : each.entries;
    const std::string thrown = exception_of([&] { end->multiconnect(any, entries); });
    expect_row(each.row, "", each.entries.empty() ? own.front().c_str() : each.thrown,
               thrown == "nothing" ? entries.front() : thrown);
  }
  EXPECT_EQ(camera.device->state().refusals(), 2u);
}

// A flow that a client wants over a connection does not go to the group, though others do.
TEST_F(Groups, AreNotForThoseWhoWantConnections) {
  EXPECT_TRUE(control->bind_devs(camera.device->reference(), nullptr, any, {"video"}));
  EXPECT_TRUE(add(first, {R"(video\IN\\\TCP)"}));
  control->start({});
  EXPECT_TRUE(left->grows_by(3));
  EXPECT_EQ(carrier_of(first).substr(0, 4), "TCP=");
}

// Has ten frames, and fails.
class Failing final : public takt::streams::FrameSource {
 public:
  std::span<const std::uint8_t> frame(std::uint64_t number) override {
    if (number >= 10) throw std::runtime_error("no more frames");
    return octets_;
  }

 private:
  std::array<std::uint8_t, 3> octets_{};
};

// Consumers that come after the failure get frames of a new source in the same group.
TEST_F(Groups, BeginAgainAfterAFailure) {
  FlowOffer offer = to_group(camera_flow("video"));
  offer.source = [] { return std::make_unique<Failing>(); };
  Station weak{{.offers = {offer}}};
  const auto stream = weak.device->make_control();
  EXPECT_TRUE(stream->bind_devs(weak.device->reference(), nullptr, any, {"video"}));
  EXPECT_TRUE(stream->bind_devs(nullptr, first.seen_by(weak.orb()), any, {"video"}));
  stream->start({});
  EXPECT_TRUE(eventually([&] { return left->count() != 0; }));
  const auto is_dead = [&] {
    return weak.device->state().flows().front().state() == Takt::Streams::FlowState::dead;
  };
  EXPECT_TRUE(eventually(is_dead));
  EXPECT_TRUE(stream->bind_devs(nullptr, third.seen_by(weak.orb()), any, {"video"}));
  EXPECT_TRUE(stream->bind_devs(nullptr, second.seen_by(weak.orb()), any, {"video"}));
  stream->start({});
  EXPECT_TRUE(eventually([&] { return right->count() != 0 && alone->count() != 0; }));
  EXPECT_EQ(carrier_of(second), "UDP=" + own_group());
}

// An offer that could not be kept is refused at the start.
TEST(OffersOfGroups, AreChecked) {
  FlowOffer offers[7];
  for (FlowOffer& each : offers) each = screen_flow(std::make_shared<Shown>());
  offers[0].joins_groups = true;
  offers[0].interface = "eht0";
  offers[1].interface = "lo";
  offers[2].hops = 3;
  offers[3].allowed_groups = {"host.example:5004"};
  offers[4] = camera_flow();
  offers[4].joins_groups = true;
  offers[5].allowed_senders = {"192.0.2.7"};
  offers[6].joins_groups = true;
  offers[6].allowed_senders = {"host.example"};
  for (const FlowOffer& each : offers)
    EXPECT_EQ(exception_of([&] { const Station station({.offers = {each}}); }).substr(0, 9), "BAD_PARAM");
}

// A restriction to connections leaves no group, on either side.
TEST_F(Groups, AreOfUdpAlone) {
  Ref<AVStreams::VDev> device;
  bool met = false;
  std::string name;
  const auto from = camera.device->reference()->create_A(nullptr, device, any, met, name, {"video"});
  const auto to = first.seen_by(camera.orb())->create_B(nullptr, device, any, met, name, {"video"});
  EXPECT_TRUE(from->set_protocol_restriction({"TCP"}) && to->set_protocol_restriction({"TCP"}));
  Flows entries{"video"};
  EXPECT_TRUE(from->multiconnect(any, entries));
  EXPECT_EQ(entries, Flows{"video"});
  entries = {R"(video\IN\\takt:1.0:source=7:clock=90000\UDP=)" + own_group()};
  EXPECT_EQ(exception_of([&] { to->multiconnect(any, entries); }),
            "streamOpFailed{reason=\"flow video: no carrier that the device offers, not UDP\"}");
  EXPECT_TRUE(from->connect_leaf(to, any, {"video"}));
  from->start({});
  to->start({});
  EXPECT_TRUE(left->grows_by(3));
}

}  // namespace
}  // namespace feature

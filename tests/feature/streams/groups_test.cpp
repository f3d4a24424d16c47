// Flows to groups: one producer whose packets all consumers receive.
#include <gtest/gtest.h>

#include <unistd.h>

#include "../rows.h"
#include "studio.h"

namespace feature {
namespace {

// A group of this process, on the loopback interface.
std::string own_group() {
  const unsigned process = static_cast<unsigned>(::getpid());
  return "239.255." + std::to_string(process % 250 + 1) + '.' + std::to_string(process / 250 % 250 + 1) +
         ":" + std::to_string(30'000 + process % 20'000);
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

// Time stamps have the rate of each consumer's clock.
TEST_F(Groups, ConsumersHaveClocksOfTheirOwn) {
  const auto slow = std::make_shared<Shown>();
  FlowOffer offer = screen_flow(slow);
  offer.clock_rate = 1000;
  Station watch{{.offers = {offer}}};
  EXPECT_TRUE(control->bind_devs(camera.device->reference(), watch.seen_by(camera.orb()), any, {"video"}));
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

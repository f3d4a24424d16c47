// The full profile, in which flows are objects: flow devices, flow end points and flow connections.
#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <thread>

#include "../rows.h"
#include "studio.h"

namespace feature {
namespace {

using AVStreams::FDev;
using AVStreams::FlowConnection;
using AVStreams::FlowConsumer;
using AVStreams::FlowProducer;

struct FlowObjects : testing::Test {
  static Ref<FDev> flow_device(const Station& station, const Orb& orb, const std::string& flow = "video") {
    return IDL::traits<FDev>::narrow(station.seen_by(orb)->get_fdev(flow));
  }
  Ref<FlowProducer> producer() {
    return flow_device(camera, camera.orb())->create_producer(connection, quality, met, name);
  }
  Ref<FlowConsumer> consumer(const Station& of) {
    return flow_device(of, camera.orb())->create_consumer(connection, quality, met, name);
  }
  std::size_t end_points() {
    return camera.device->state().end_points() + screen.device->state().end_points() +
           wall.device->state().end_points();
  }

  AVStreams::QoS quality;
  bool met = false;
  std::string name;
  const std::shared_ptr<Shown> shown = std::make_shared<Shown>(), second = std::make_shared<Shown>();
  FlowOffer other = [] {
    FlowOffer offer = camera_flow("odd");
    offer.format = "MPEG";
    return offer;
  }();
  Station camera{{.offers = {camera_flow(), other}}};
  Station screen{{.offers = {screen_flow(shown)}}}, wall{{.offers = {screen_flow(second)}}};
  const Ref<FlowConnection> connection = camera.device->make_flow_connection();
};

TEST_F(FlowObjects, AreConnectedByDevices) {
  const auto from = flow_device(camera, camera.orb()), to = flow_device(screen, camera.orb());
  EXPECT_TRUE(connection->connect_devs(from, to, quality));
  EXPECT_EQ(shown->count(), 0u);
  connection->start();
  EXPECT_TRUE(shown->grows_by(5));
  quality.QoSParams({parameter("frame_rate", 500.0)});
  EXPECT_TRUE(connection->modify_QoS(quality));
  EXPECT_EQ(camera.device->state().flows().front().frame_rate(), 500.0);
  connection->stop();
  EXPECT_EQ(camera.device->state().flows().front().state(), Takt::Streams::FlowState::stopped);
  connection->start();
  EXPECT_TRUE(shown->grows_by(5));
  EXPECT_TRUE(connection->disconnect());
  EXPECT_FALSE(connection->disconnect());
  EXPECT_EQ(end_points(), 0u);
  connection->destroy();
  EXPECT_TRUE(exception_of([&] { connection->stop(); }).starts_with("OBJECT_NOT_EXIST"));
}

TEST_F(FlowObjects, HaveOneProducerAndConsumersThatComeAndGo) {
  const auto source = producer();
  const auto one = consumer(screen), two = consumer(wall);
  EXPECT_TRUE(connection->add_consumer(one, quality)) << "it waits for a producer";
  EXPECT_TRUE(connection->add_producer(source, quality));
  EXPECT_TRUE(connection->add_consumer(two, quality));
  connection->start();
  EXPECT_TRUE(shown->grows_by(5) && second->grows_by(5));
  EXPECT_TRUE(two->get_connected_fep()->_is_equivalent(source));
  EXPECT_TRUE(two->related_flow_connection()->_is_equivalent(connection));
  EXPECT_TRUE(connection->drop(one));
  EXPECT_TRUE(second->grows_by(5));
  EXPECT_EQ(screen.device->state().end_points(), 0u);
  const CallRow rows[] = {
      {"add_producer: alreadyConnected", [&] { connection->add_producer(source, quality); },
       "alreadyConnected"},
      {"add_consumer: alreadyConnected", [&] { connection->add_consumer(two, quality); }, "alreadyConnected"},
      {"add_consumer: one that is gone", [&] { EXPECT_FALSE(connection->add_consumer(one, quality)); },
       "nothing"},
      {"connect: alreadyConnected", [&] { connection->connect(source, two, quality); }, "alreadyConnected"},
      {"connect_devs: streamOpFailed", [&] { connection->connect_devs(nullptr, nullptr, quality); },
       "streamOpFailed"},
      {"drop: notConnected", [&] { connection->drop(one); }, "notConnected"},
      {"use_flow_protocol", [&] { EXPECT_TRUE(connection->use_flow_protocol("takt:1.0", {})); }, "nothing"},
      {"use_flow_protocol: FPError", [&] { connection->use_flow_protocol("SFP:1.0", {}); }, "FPError"},
      {"modify_QoS: QoSRequestFailed",
       [&] {
         AVStreams::QoS wrong("", {parameter("frame_rate", -1.0)});
         connection->modify_QoS(wrong);
       },
       "QoSRequestFailed"},
      {"drop of the producer", [&] { EXPECT_TRUE(connection->drop(source)); }, "nothing"},
  };
  expect_rows(rows, exception_of);
  connection->destroy();
  EXPECT_EQ(end_points(), 0u);
}

TEST_F(FlowObjects, AreCheckedBeforeTheyAreConnected) {
  const auto odd = flow_device(camera, camera.orb(), "odd")->create_producer(nullptr, quality, met, name);
  const auto source = producer();
  const auto sink = consumer(screen);
  const auto device = flow_device(screen, camera.orb());
  std::string protocol;
  const CallRow rows[] = {
      {"connect: formatMismatch", [&] { connection->connect(odd, sink, quality); }, "formatMismatch"},
      {"connect: FEPMismatch", [&] { connection->connect(nullptr, sink, quality); }, "FEPMismatch"},
      {"is_fep_compatible", [&] { EXPECT_TRUE(source->is_fep_compatible(sink)); }, "nothing"},
      {"is_fep_compatible: FALSE", [&] { EXPECT_FALSE(source->is_fep_compatible(nullptr)); }, "nothing"},
      {"is_fep_compatible: formatMismatch", [&] { odd->is_fep_compatible(sink); }, "formatMismatch"},
      {"get_connected_fep: notConnected", [&] { source->get_connected_fep(); }, "notConnected"},
      {"lock", [&] { EXPECT_TRUE(source->lock()); }, "nothing"},
      {"lock: FALSE", [&] { EXPECT_FALSE(source->lock()); }, "nothing"},
      {"unlock",
       [&] {
         source->unlock();
         EXPECT_TRUE(source->lock());
       },
       "nothing"},
      {"set_format", [&] { source->set_format("UNS:octets"); }, "nothing"},
      {"set_format: notSupported", [&] { source->set_format("MPEG"); }, "notSupported"},
      {"set_dev_params: PropertyException",
       [&] { source->set_dev_params({parameter("dscp", std::int32_t{99})}); }, "PropertyException"},
      {"set_protocol_restriction", [&] { source->set_protocol_restriction({"UDP"}); }, "nothing"},
      {"set_protocol_restriction: notSupported", [&] { source->set_protocol_restriction({"ATM"}); },
       "notSupported"},
      {"use_flow_protocol: FPError", [&] { source->use_flow_protocol("SFP:1.0", {}); }, "FPError"},
      {"related_sep", [&] { EXPECT_FALSE(source->related_sep()); }, "nothing"},
      {"connect_to_peer: failedToConnect without a peer",
       [&] { source->connect_to_peer(quality, "UDP=127.0.0.1:9", "takt:1.0:source=1:clock=90000"); },
       "failedToConnect"},
      {"set_peer", [&] { EXPECT_TRUE(source->set_peer(connection, sink, quality)); }, "nothing"},
      {"connect_to_peer: only to the peer's host",
       [&] { source->connect_to_peer(quality, "UDP=192.0.2.1:9", "takt:1.0:source=1:clock=90000"); },
       "failedToConnect"},
      {"connect_to_peer: FPError", [&] { source->connect_to_peer(quality, "UDP=127.0.0.1:9", "SFP:1.0"); },
       "FPError"},
      {"connect_to_peer: an address that is none", [&] { source->connect_to_peer(quality, "UDP=x", ""); },
       "failedToConnect"},
      {"connect_to_peer: a carrier that is none",
       [&] { source->connect_to_peer(quality, "ATM=127.0.0.1:9", "takt:1.0:source=1:clock=90000"); },
       "failedToConnect"},
      {"connect_mcast: notSupported", [&] { source->connect_mcast(quality, met, "", ""); }, "notSupported"},
      {"get_rev_channel", [&] { EXPECT_EQ(source->get_rev_channel("RTCP"), ""); }, "nothing"},
      {"go_to_listen: failedToListen of a producer",
       [&] { source->go_to_listen(quality, false, sink, protocol); }, "failedToListen"},
      {"go_to_listen: failedToListen at a group",
       [&] { sink->go_to_listen(quality, true, source, protocol); }, "failedToListen"},
      {"go_to_listen: FPError",
       [&] {
         std::string foreign = "SFP:1.0";
         sink->go_to_listen(quality, false, source, foreign);
       },
       "FPError"},
      {"go_to_listen",
       [&] {
         const std::string address = sink->go_to_listen(quality, false, source, protocol);
         EXPECT_TRUE(address.starts_with("UDP=127.0.0.1:")) << address;
         EXPECT_TRUE(source->connect_to_peer(quality, address, protocol));
       },
       "nothing"},
      {"go_to_listen: twice", [&] { sink->go_to_listen(quality, false, source, protocol); },
       "failedToListen"},
      {"connect_to_peer of a consumer: no group",
       [&] { sink->connect_to_peer(quality, "UDP=239.255.1.1:5004", "takt:1.0:source=1:clock=90000"); },
       "failedToConnect"},
      {"create_producer: notSupported", [&] { device->create_producer(nullptr, quality, met, name); },
       "notSupported"},
      {"destroy: notSupported for the end point of another", [&] { device->destroy(source, ""); },
       "notSupported"},
      {"destroy", [&] { device->destroy(sink, ""); }, "nothing"},
      {"destroy of an end point",
       [&] {
         source->destroy();
         odd->destroy();
       },
       "nothing"},
  };
  expect_rows(rows, exception_of);
  EXPECT_NE(exception_of([&] { device->bind(nullptr, quality, met); }).find("no device"), std::string::npos);
  EXPECT_NE(exception_of([&] { device->bind(device, quality, met); }), "nothing");  // no source
  EXPECT_EQ(end_points(), 0u);
}

// Either device may be asked; a limited number of connections exists.
TEST_F(FlowObjects, AreBoundByTheirDevices) {
  Station few{
      {.offers = {camera_flow()}, .limits = {.controls = 2, .unused_after = std::chrono::minutes(1)}}};
  const auto from = flow_device(few, few.orb()), to = flow_device(screen, few.orb());
  const auto flow = from->bind(to, quality, met);
  EXPECT_TRUE(met);
  flow->start();
  EXPECT_TRUE(shown->grows_by(3));
  const auto other_way = flow_device(wall, few.orb())->bind(from, quality, met);
  other_way->start();
  EXPECT_TRUE(second->grows_by(3));
  const auto next = from->bind_mcast(to, quality, met);
  next->start();
  EXPECT_TRUE(shown->grows_by(3));
  EXPECT_NE(exception_of([&] { from->bind(to, quality, met); }).find("all in use"), std::string::npos);
  next->destroy();
  EXPECT_EQ(exception_of([&] { from->bind(to, quality, met)->destroy(); }), "nothing");
  flow->destroy();
  other_way->destroy();
  EXPECT_EQ(few.device->state().end_points(), 0u);
}

// Calls that come together do not get more connections than calls one after the other.
TEST_F(FlowObjects, AreBoundUpToTheLimitBySimultaneousCalls) {
  Station few{
      {.offers = {camera_flow()}, .limits = {.controls = 2, .unused_after = std::chrono::minutes(1)}}};
  const auto from = flow_device(few, few.orb()), to = flow_device(screen, few.orb());
  std::atomic<int> made{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 6; ++i)
    callers.emplace_back([&] {
      AVStreams::QoS own;
      bool own_met = false;
      if (exception_of([&] { from->bind(to, own, own_met); }) == "nothing") ++made;
    });
  for (std::thread& each : callers) each.join();
  EXPECT_EQ(made, 2);
}

// The flows of a stream are objects as well.
TEST_F(FlowObjects, BelongToTheirStream) {
  const auto control = camera.device->make_control();
  Quality any;
  control->bind_devs(camera.device->reference(), screen.seen_by(camera.orb()), any, {"video"});
  const auto flow = IDL::traits<FlowConnection>::narrow(control->get_flow_connection("video"));
  flow->start();
  EXPECT_TRUE(shown->grows_by(3));
  Ref<AVStreams::StreamEndPoint> end;
  control->get_related_vdev(camera.device->reference(), end);
  const auto source = IDL::traits<FlowProducer>::narrow(end->get_fep("video"));
  ASSERT_TRUE(source);
  EXPECT_TRUE(source->related_sep()->_is_equivalent(end));
  std::string format;
  EXPECT_TRUE(source->get_property_value("Format") >>= format);
  EXPECT_EQ(format, "UNS:octets");
  source->stop();
  EXPECT_EQ(camera.device->state().flows().front().state(), Takt::Streams::FlowState::stopped);
  EXPECT_TRUE(flow->drop(source)) << "the flow leaves its stream";
  EXPECT_EQ(exception_of([&] { end->start({"video"}); }), "noSuchFlow{}");
  EXPECT_TRUE(exception_of([&] { source->start(); }).starts_with("OBJECT_NOT_EXIST"));
  flow->destroy();
  control->bind_devs(camera.device->reference(), wall.seen_by(camera.orb()), any, {"video"});
  const auto again = IDL::traits<FlowConnection>::narrow(control->get_flow_connection("video"));
  again->start();
  EXPECT_TRUE(second->grows_by(3)) << "a destroyed connection is replaced";
  control->unbind();
  EXPECT_TRUE(exception_of([&] { again->stop(); }).starts_with("OBJECT_NOT_EXIST"));
  EXPECT_EQ(end_points(), 0u);
}

// Many clients connect one flow at once: one of them does, and nothing of the others stays.
TEST_F(FlowObjects, AreConnectedOnceByManyClients) {
  const auto from = flow_device(camera, camera.orb()), to = flow_device(screen, camera.orb());
  std::atomic<int> connected{0};
  {
    std::vector<std::jthread> clients;
    for (int i = 0; i < 4; ++i)
      clients.emplace_back([&] {
        AVStreams::QoS own;
        if (exception_of([&] { connection->connect_devs(from, to, own); }) == "nothing") ++connected;
      });
  }
  EXPECT_EQ(connected, 1);
  EXPECT_EQ(end_points(), 2u);
  connection->destroy();
  EXPECT_EQ(end_points(), 0u);
}

TEST_F(FlowObjects, GoToGroups) {
  FlowOffer sent = camera_flow(), taken = screen_flow(shown);
  sent.group = "239.255.77.77:" + std::to_string(20'000 + ::getpid() % 9'000);
  sent.hops = 0;
  taken.joins_groups = true;
  sent.interface = taken.interface = "lo";
  Station tower{{.offers = {sent}}}, radio{{.offers = {taken}}};
  const auto source = flow_device(tower, camera.orb())->create_producer(nullptr, quality, met, name);
  EXPECT_TRUE(connection->add_producer(source, quality));
  EXPECT_TRUE(connection->add_consumer(consumer(radio), quality));
  EXPECT_TRUE(connection->add_consumer(consumer(wall), quality)) << "one that joins no groups";
  connection->start();
  EXPECT_TRUE(shown->grows_by(3) && second->grows_by(3));
  EXPECT_EQ(radio.device->state().flows().front().carrier(), "UDP=" + sent.group);
  connection->destroy();
}

}  // namespace
}  // namespace feature

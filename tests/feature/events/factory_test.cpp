// The factory of channels, as clients of omniEvents use it.
#include <gtest/gtest.h>

#include "../kept_port.h"
#include "served.h"

namespace feature {
namespace {

const CosLifeCycle::Key key{{"EventChannel", "object interface"}};

template <class Value>
CosLifeCycle::NameValuePair criterion(const std::string& name, Value value) {
  CORBA::Any any;
  any <<= std::move(value);
  return {name, any};
}

// The name of the criterion that the factory refuses.
std::string refused(const EventServer& server, const CosLifeCycle::Criteria& criteria) {
  try {
    server.factory->create_object(key, criteria);
  } catch (const CosLifeCycle::InvalidCriteria& refused) {
    return refused.invalid_criteria().at(0).name();
  }
  return "none";
}

TEST(EventFactory, MakesChannelsByTheCriteriaOfOmniEvents) {
  EventServer server;
  EXPECT_TRUE(server.factory->supports(key));
  EXPECT_TRUE(server.factory->is_alive());
  const auto made = IDL::traits<omniEvents::EventChannel>::narrow(server.factory->create_object(
      key,
      {criterion("PullRetryPeriod_ms", std::uint32_t{250}), criterion("MaxQueueLength", std::uint32_t{5}),
       criterion("MaxNumProxies", std::uint32_t{2}), criterion("CyclePeriod_ns", std::uint32_t{1000}),
       criterion("InsName", std::string("weather")), criterion("FilterId", std::string("IDL:x:1.0")),
       criterion("Unknown", std::string("is ignored"))}));
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->is_alive());
  const auto state = server.first_channel();
  EXPECT_EQ(state.settings.name, "weather");
  EXPECT_EQ(state.settings.filter, "IDL:x:1.0");
  EXPECT_EQ(state.settings.queued_events, 5u);
  EXPECT_EQ(state.settings.pull_proxies, 2u);
  EXPECT_EQ(state.settings.pull_period, 250ms);
}

TEST(EventFactory, RefusesOtherKeys) {
  EventServer server;
  for (const CosLifeCycle::Key& other :
       {CosLifeCycle::Key{}, {{"EventChannel", ""}}, {{"Other", "object interface"}}, {key[0], key[0]}}) {
    EXPECT_FALSE(server.factory->supports(other));
    try {
      server.factory->create_object(other, {});
      ADD_FAILURE();
    } catch (const CosLifeCycle::NoFactory& refused) {
      EXPECT_EQ(refused.search_key(), other);
    }
  }
}

TEST(EventFactory, RefusesCriteriaOfWrongTypes) {
  EventServer server;
  for (const char* name : {"PullRetryPeriod_ms", "MaxQueueLength", "MaxNumProxies", "CyclePeriod_ns"}) {
    EXPECT_EQ(refused(server, {criterion(name, std::string("x"))}), name);
    EXPECT_EQ(refused(server, {criterion(name, std::int32_t{-1})}), name);
    EXPECT_EQ(refused(server, {criterion(name, std::int32_t{1})}), "none");
  }
  for (const char* name : {"InsName", "FilterId"}) {
    EXPECT_EQ(refused(server, {criterion(name, std::uint32_t{1})}), name);
    EXPECT_EQ(refused(server, {criterion(name, std::string(1025, 'x'))}), name);
  }
}

TEST(EventFactory, ChannelsHaveNames) {
  EventServer server;
  const auto channel = server.factory->create_channel("weather");
  EXPECT_TRUE(server.factory->join_channel("weather")->_is_equivalent(channel));
  EXPECT_THROW(server.factory->create_channel("weather"), event::NameAlreadyUsed);
  EXPECT_THROW(server.factory->create_channel("omniEvents"), event::NameAlreadyUsed);
  EXPECT_EQ(refused(server, {criterion("InsName", std::string("weather"))}), "InsName");
  EXPECT_THROW(server.factory->join_channel("traffic"), event::EventChannelNotFound);
  channel->destroy();
  EXPECT_THROW(server.factory->join_channel("weather"), event::EventChannelNotFound);
  EXPECT_FALSE(server.factory->create_channel("weather")->_is_equivalent(channel));
}

TEST(EventFactory, NamedChannelsHavePlainKeys) {
  const KeptPort port;
  EventServer server({}, std::to_string(port.port()));
  const std::string at = "corbaloc::127.0.0.1:" + std::to_string(port.port()) + "/";
  EXPECT_TRUE(IDL::traits<omniEvents::EventChannelFactory>::narrow(
      server.client->string_to_object(at + "omniEvents")));
  const auto channel = server.factory->create_channel("weather");
  const auto found =
      IDL::traits<omniEvents::EventChannel>::narrow(server.client->string_to_object(at + "weather"));
  const auto consumer = make_consumer();
  server.connect(found, consumer);
  server.supplier(channel)->push(number(1));
  EXPECT_TRUE(consumer->receives(1));
  channel->destroy();
  EXPECT_THROW(found->for_consumers(), CORBA::OBJECT_NOT_EXIST);
}

TEST(EventFactory, FiltersByRepositoryId) {
  EventServer server;
  takt::events::ChannelSettings settings;
  settings.filter = "IDL:omg.org/CosNaming/NameComponent:1.0";
  const Channel channel = server.channel(settings);
  const auto consumer = make_consumer();
  server.connect(channel, consumer);
  const auto supplier = server.supplier(channel);
  CORBA::Any passes, text, other;
  passes <<= CosNaming::NameComponent("id", "kind");
  text <<= std::string("text");
  other <<= CosNaming::Binding();
  for (const CORBA::Any& each : {text, other, number(1), CORBA::Any(), passes}) supplier->push(each);
  ASSERT_TRUE(consumer->receives(1));
  EXPECT_EQ(consumer->all(), std::vector<CORBA::Any>{passes});
  EXPECT_EQ(server.first_channel().received, 5u);
  EXPECT_EQ(server.first_channel().filtered, 4u);
}

TEST(EventFactory, ANewPullSupplierReplacesTheLeastActiveOne) {
  EventServer server;
  takt::events::ChannelSettings settings;
  settings.pull_proxies = 2;
  const auto admin = server.channel(settings)->for_consumers();
  std::vector<CORBA::object_reference<CosEventChannelAdmin::ProxyPullSupplier>> pulls;
  bool has_event = false;
  for (int i = 0; i < 2; ++i) {
    pulls.push_back(admin->obtain_pull_supplier());
    pulls.back()->connect_pull_consumer(nullptr);
  }
  pulls[0]->try_pull(has_event);
  pulls.push_back(admin->obtain_pull_supplier());
  EXPECT_THROW(pulls[1]->try_pull(has_event), CosEventComm::Disconnected);
  pulls[0]->try_pull(has_event);
  EXPECT_EQ(server.service->look().proxies, 2u);
}

}  // namespace
}  // namespace feature

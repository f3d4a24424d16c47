// Calls of a registry that meet. An object may be removed while a call that has found it waits: that call
// fails, and nothing of the object comes back.
#include <gtest/gtest.h>

#include <future>

#include "../folder.h"
#include "served.h"

namespace feature {
namespace {

using takt::notification::AdminPtr;
using takt::notification::Combine;
using takt::notification::Form;
using takt::notification::Persistence;
using takt::notification::ProxyPtr;
using takt::notification::Refusal;
using takt::notification::Registry;
using takt::notification::Side;
using takt::notification::Store;
using takt::notification::StoredObjects;

// The objects of a service with a store. The tests hold objects as calls do that have found them and wait.
class NotifyRemoved : public ::testing::Test {
 protected:
  NotifyRemoved() {
    takt::notification::Limits limits;
    limits.persistent = true;
    registry = std::make_unique<Registry>(*orbs.server, limits,
                                          std::make_unique<Persistence>(*Store::open(path_), [](auto) {}));
    channel = *registry->make_channel("removed", persistent_, {});
    admin = *registry->make_admin(channel, Side::consumers, Combine::all);
    proxy = *registry->make_proxy(admin, takt::events::ProxyKind::push_supplier, Form::structured);
  }
  ~NotifyRemoved() override { end(); }
  // The registry must outlive its objects.
  void end() {
    proxy.reset();
    admin.reset();
    channel.reset();
    registry.reset();
  }
  // The outcomes of calls that found the object before it was removed.
  template <class T>
  void expect_gone_properties(T& object) {
    const auto set = registry->set_qos(object, persistent_);
    ASSERT_FALSE(set);
    EXPECT_EQ(std::get<Refusal>(set.error()), Refusal::gone);
  }
  template <class T>
  void expect_gone_parts(T& object) {
    expect_gone_properties(object);
    EXPECT_EQ(registry->change_types(object, {{"Telecom", "Alarm"}}, {}).error(), Refusal::gone);
    const auto added = registry->change(
        object,
        [&] {
          ADD_FAILURE() << "applied";
          return true;
        },
        [] {});
    EXPECT_EQ(added.error(), Refusal::gone);
  }
  void expect_gone_proxy() {
    expect_gone_parts(*proxy);
    EXPECT_EQ(registry->suspend(*proxy, true).error(), Refusal::gone);
    EXPECT_EQ(registry->want_updates(*proxy, false).error(), Refusal::gone);
    EXPECT_EQ(registry->connect(proxy, nullptr).error(), Refusal::gone);
    EXPECT_EQ(registry->disconnect(proxy).error(), Refusal::gone);
  }
  void expect_gone_admin() {
    expect_gone_parts(*admin);
    const auto made = registry->make_proxy(admin, takt::events::ProxyKind::push_supplier, Form::any);
    ASSERT_FALSE(made);
    EXPECT_EQ(std::get<Refusal>(made.error()), Refusal::gone);
    EXPECT_EQ(registry->destroy(admin).error(), Refusal::gone);
  }
  // The store, once the registry has ended.
  StoredObjects stored() {
    end();
    return *Store::open(path_)->read();
  }

  const OrbPair orbs;
  std::unique_ptr<Registry> registry;
  takt::notification::ChannelPtr channel;
  AdminPtr admin;
  ProxyPtr proxy;

 private:
  const CosNotification::QoSProperties persistent_{
      property("ConnectionReliability", CosNotification::Persistent)};
  const Folder folder_;
  const std::string path_ = folder_ / "notify.db";
};

TEST_F(NotifyRemoved, DisconnectedProxyDoesNotComeBackByAChange) {
  ASSERT_TRUE(registry->disconnect(proxy));
  expect_gone_proxy();
  EXPECT_EQ(channel->look(1).proxy_count, 0u);
  const auto left = stored();
  EXPECT_TRUE(left.proxies.empty());
  EXPECT_EQ(left.admins.size(), 3u);
}

TEST_F(NotifyRemoved, DestroyedAdministratorDoesNotComeBackByAChange) {
  ASSERT_TRUE(registry->destroy(admin));
  expect_gone_admin();
  expect_gone_proxy();
  const auto left = stored();
  EXPECT_TRUE(left.proxies.empty());
  EXPECT_EQ(left.admins.size(), 2u);  // the channel's own
}

TEST_F(NotifyRemoved, DestroyedChannelDoesNotComeBackByAChange) {
  ASSERT_TRUE(registry->destroy(channel));
  expect_gone_properties(*channel);
  const auto set = registry->set_admin(*channel, {property("MaxQueueLength", std::int32_t{7})});
  ASSERT_FALSE(set);
  EXPECT_EQ(std::get<Refusal>(set.error()), Refusal::gone);
  EXPECT_EQ(registry->make_admin(channel, Side::consumers, Combine::all).error(), Refusal::gone);
  expect_gone_admin();
  expect_gone_proxy();
  EXPECT_EQ(channel->admins(Side::consumers).size(), 0u);
  const auto left = stored();
  EXPECT_TRUE(left.channels.empty());
  EXPECT_TRUE(left.admins.empty());
  EXPECT_TRUE(left.proxies.empty());
}

TEST_F(NotifyRemoved, DestroyedFilterDoesNotComeBackByAChange) {
  const auto filter = *registry->make_filter("ETCL");
  ASSERT_TRUE(registry->change(*proxy, [&] { return proxy->filters.add(filter).has_value(); }, [] {}));
  ASSERT_TRUE(filter->stored);
  ASSERT_TRUE(registry->destroy(*filter));
  EXPECT_EQ(registry->destroy(*filter).error(), Refusal::gone);
  const auto changed = registry->change(
      *filter, [&] { return filter->constraints.add({{.expression = {{}, "TRUE"}}}).has_value(); }, [] {});
  EXPECT_EQ(changed.error(), Refusal::gone);
  EXPECT_TRUE(stored().filters.empty());
}

// The evaluation of filters may take long.
TEST_F(NotifyRemoved, ObjectsAreMadeWhileTheChannelAsksItsReceivers) {
  using namespace takt::notification;
  ASSERT_TRUE(registry->connect(proxy, nullptr));
  takt::events::Memory memory(1'000'000);
  const EventPtr event = std::make_shared<Event>(alarm(1), memory, std::make_shared<HeldEvents>(0));
  Candidate candidate("Telecom", "Alarm", [&]() -> const CORBA::Any& { return event->as_any(); }, 0);
  const Arrival arrival{.event = event, .candidate = candidate, .at = Moment::current()};
  std::future<bool> made;
  channel->offer(arrival, [&](Receiver&, const Placement&) {
    made = std::async(std::launch::async, [&] {
      return registry->make_proxy(admin, takt::events::ProxyKind::pull_supplier, Form::any).has_value() &&
             registry->make_admin(channel, Side::consumers, Combine::all).has_value();
    });
    EXPECT_EQ(made.wait_for(10s), std::future_status::ready);
  });
  ASSERT_TRUE(made.valid());
  EXPECT_TRUE(made.get());
}

// destroy() can be called between the creation of a channel and the registration of its name.
TEST_F(NotifyRemoved, NameOfADestroyedChannelIsNotRegistered) {
  const auto target = CORBA::make_reference<StructuredConsumer>();
  const auto object = orbs.root->id_to_reference(orbs.root->activate_object(target));
  const auto named = orbs.client->string_to_object(
      "corbaloc::" + takt::addresses::address_in(takt::addresses::ior_of(object)) + "/removed");
  registry->register_name(*channel, object);
  EXPECT_FALSE(named->_non_existent());
  ASSERT_TRUE(registry->destroy(channel));
  EXPECT_TRUE(named->_non_existent());
  registry->register_name(*channel, object);
  EXPECT_TRUE(named->_non_existent());
}

}  // namespace
}  // namespace feature

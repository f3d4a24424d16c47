// Observers of a channel learn what its consumers want and its suppliers offer.
#include <gtest/gtest.h>

#include "served.h"

namespace feature {
namespace {

namespace filters = takt::rt_events::filters;
using Kinds = std::vector<std::pair<std::int32_t, std::int32_t>>;

template <class List>
Kinds kinds_in(const List& list) {
  Kinds kinds;
  for (const auto& each : list)
    kinds.emplace_back(each.event().header().type(), each.event().header().source());
  return kinds;
}

// Records the last that it was told. `on_call` may throw or wait.
class Observer final : public virtual CORBA::servant_traits<admin::Observer>::base_type {
 public:
  explicit Observer(std::function<void()> on_call = {}) : on_call_(std::move(on_call)) {}
  void update_consumer(const admin::ConsumerQOS& qos) override {
    note(wanted_, kinds_in(qos.dependencies()));
  }
  void update_supplier(const admin::SupplierQOS& qos) override {
    note(offered_, kinds_in(qos.publications()));
  }
  bool is_told(const Kinds& wanted, const Kinds& offered) const {
    return eventually([&] {
      const std::lock_guard lock(mutex_);
      return wanted_ == wanted && offered_ == offered;
    });
  }
  std::atomic<int> calls{0};

 private:
  void note(Kinds& kept, Kinds kinds) {
    {
      const std::lock_guard lock(mutex_);
      kept = std::move(kinds);
      ++calls;
    }
    if (on_call_) on_call_();
  }

  const std::function<void()> on_call_;
  mutable std::mutex mutex_;
  Kinds wanted_, offered_;
};

TEST(RtEventObservers, GetTheMergedSubscriptionsAndPublications) {
  RtEventServer server;
  server.connect(make_consumer(), wants(filters::any({filters::event(20, 1), filters::every(10s)})));
  const auto early = CORBA::make_reference<Observer>();
  server.channel->append_observer(server.object<admin::Observer>(early));
  EXPECT_TRUE(early->is_told({{9, 1}, {20, 1}}, {}));
  const auto all_sources = server.connect(make_consumer(), wants(filters::event(20)));
  server.supplier(offers({{21, 2}, {20, 1}}));
  const auto supplier = server.supplier(offers({{20, 1}}));
  EXPECT_TRUE(early->is_told({{9, 1}, {20, 0}}, {{20, 1}, {21, 2}}));
  all_sources->disconnect_push_supplier();
  supplier->disconnect_push_consumer();
  EXPECT_TRUE(early->is_told({{9, 1}, {20, 1}}, {{20, 1}, {21, 2}}));
}

TEST(RtEventObservers, HearNothingOfGateways) {
  RtEventServer server;
  admin::ConsumerQOS gateway = wants(filters::event(20));
  gateway.is_gateway(true);
  server.connect(make_consumer(), gateway);
  admin::SupplierQOS offered = offers({{21, 1}});
  offered.is_gateway(true);
  server.supplier(offered);
  server.supplier(offers({{22, 1}}));
  const auto observer = CORBA::make_reference<Observer>();
  server.channel->append_observer(server.object<admin::Observer>(observer));
  EXPECT_TRUE(observer->is_told({}, {{22, 1}}));
}

TEST(RtEventObservers, CanBeRemoved) {
  RtEventServer server;
  const auto removed = CORBA::make_reference<Observer>(), kept = CORBA::make_reference<Observer>();
  const auto handle = server.channel->append_observer(server.object<admin::Observer>(removed));
  const auto other = server.channel->append_observer(server.object<admin::Observer>(kept));
  EXPECT_NE(handle, other);
  ASSERT_TRUE(eventually([&] { return removed->calls == 2 && kept->calls == 2; }));
  server.channel->remove_observer(handle);
  EXPECT_THROW(server.channel->remove_observer(handle), admin::EventChannel::CANT_REMOVE_OBSERVER);
  server.connect(make_consumer(), wants(filters::event(20)));
  EXPECT_TRUE(kept->is_told({{9, 1}, {20, 0}}, {}));
  EXPECT_EQ(removed->calls, 2);
  EXPECT_THROW(server.channel->append_observer(nullptr), CORBA::BAD_PARAM);
}

TEST(RtEventObservers, AreBoundedAndRemovedWhenTheyDie) {
  takt::rt_events::ServiceLimits limits;
  limits.observers = 1;
  RtEventServer server({.limits = limits});
  const auto observer = CORBA::make_reference<Observer>();
  const auto object = server.object<admin::Observer>(observer);
  server.channel->append_observer(object);
  EXPECT_THROW(server.channel->append_observer(object), admin::EventChannel::CANT_APPEND_OBSERVER);
  ASSERT_TRUE(eventually([&] { return observer->calls == 2; }));
  server.clients->deactivate_object(server.clients->reference_to_id(object));
  server.connect(make_consumer(), wants(filters::event(20)));
  EXPECT_TRUE(eventually([&] { return server.state().observers() == 0; }));
}

TEST(RtEventObservers, ThatHangDelayNobody) {
  RtEventServer server;
  std::mutex gate;
  std::unique_lock closed(gate);
  const auto hanging = CORBA::make_reference<Observer>([&] { const std::lock_guard pass(gate); });
  const auto prompt = CORBA::make_reference<Observer>();
  const auto object = server.object<admin::Observer>(hanging);
  for (int i = 0; i < 8; ++i) server.channel->append_observer(object);
  server.channel->append_observer(server.object<admin::Observer>(prompt));
  const auto consumer = make_consumer();
  server.connect(consumer, wants(filters::event(20)));
  EXPECT_TRUE(prompt->is_told({{9, 1}, {20, 0}}, {}));
  server.supplier()->push({event(20, 1)});
  EXPECT_TRUE(consumer->has(1));
  closed.unlock();
}

}  // namespace
}  // namespace feature

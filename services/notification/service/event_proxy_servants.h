// The proxies of clients of the OMG's event service, which use a notification channel as an event channel.
#pragma once

#include "CosEventChannelAdminS.h"
#include "notification/channel/receivers.h"
#include "notification/channel/senders.h"
#include "notification/service/access.h"

namespace takt::notification {

// `P` is one of the four classes of proxies.
template <class Interface, class P>
class EventProxyServant : public virtual CORBA::servant_traits<Interface>::base_type, protected Access {
 public:
  using Access::Access;
  bool _non_existent() override { return !find(); }

 protected:
  std::shared_ptr<P> find() const {
    auto proxy = found<P>();
    return proxy && proxy->form() == Form::cos_event ? proxy : nullptr;
  }
  // Throws Disconnected if there is no such proxy.
  std::shared_ptr<P> existing() const {
    auto proxy = find();
    if (!proxy) throw CosEventComm::Disconnected();
    return proxy;
  }
  void connect(const ObjectRef& client) const {
    const auto proxy = find();
    if (!proxy) throw_gone("proxy");
    events::require_client(client, proxy->kind());
    refuse_to_go_round(*proxy, client);
    if (const auto connected = registry_.connect(proxy, client); !connected)
      throw_refusal(connected.error(), "proxy");
  }
  void disconnect() const {
    const auto proxy = find();
    if (!proxy) throw_gone("proxy");
    if (const auto disconnected = registry_.disconnect(proxy); !disconnected)
      throw_refusal(disconnected.error(), "proxy");
  }
};

class EventPushConsumerServant final
    : public EventProxyServant<CosEventChannelAdmin::ProxyPushConsumer, PushedProxy> {
 public:
  using EventProxyServant::EventProxyServant;
  void push(const CORBA::Any& data) override { existing()->push(data); }
  void disconnect_push_consumer() override { disconnect(); }
  void connect_push_supplier(Ref<CosEventComm::PushSupplier> supplier) override { connect(supplier); }
};

class EventPullConsumerServant final
    : public EventProxyServant<CosEventChannelAdmin::ProxyPullConsumer, PullingProxy> {
 public:
  using EventProxyServant::EventProxyServant;
  void disconnect_pull_consumer() override { disconnect(); }
  void connect_pull_supplier(Ref<CosEventComm::PullSupplier> supplier) override { connect(supplier); }
};

class EventPushSupplierServant final
    : public EventProxyServant<CosEventChannelAdmin::ProxyPushSupplier, PushingProxy> {
 public:
  using EventProxyServant::EventProxyServant;
  void disconnect_push_supplier() override { disconnect(); }
  void connect_push_consumer(Ref<CosEventComm::PushConsumer> consumer) override { connect(consumer); }
};

class EventPullSupplierServant final
    : public EventProxyServant<CosEventChannelAdmin::ProxyPullSupplier, PulledProxy> {
 public:
  using EventProxyServant::EventProxyServant;
  CORBA::Any pull() override { return existing()->pull(1).front()->as_any(); }
  CORBA::Any try_pull(bool& has_event) override {
    const auto events = existing()->try_pull(1);
    has_event = !events.empty();
    return has_event ? events.front()->as_any() : CORBA::Any();
  }
  void disconnect_pull_supplier() override { disconnect(); }
  void connect_pull_consumer(Ref<CosEventComm::PullConsumer> consumer) override { connect(consumer); }
};

}  // namespace takt::notification

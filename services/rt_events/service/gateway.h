// Brings events of another channel into this one.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "RtecEventChannelAdminS.h"
#include "rt_events/dispatch/wake_up.h"
#include "rt_events/event_channel.h"
#include "rt_events/service/gateway_plan.h"
#include "rt_events/service/limits.h"

namespace takt::rt_events {

struct GatewayState {
  std::string channel;  // reference of the other channel
  bool connected = false;
  std::uint64_t received = 0;
  std::uint64_t expired = 0;  // received events whose ttl was 0
};

// Subscribes at the other channel, as a gateway, to the kinds of events that this channel's consumers want.
// An event whose ttl is 0 is dropped; others lose 1 of it. So channels that are gateways of each other pass
// no event in a circle. A thread of its own connects, follows what is wanted, and connects again after the
// other channel was away. Any thread. It is large because its thread shares what is wanted.
class Gateway {
 public:
  using Wanted = std::function<EventKinds()>;
  // Whether the proxy is one of this channel. Throws system exceptions.
  using IsOwn = std::function<bool(const CORBA::object_reference<CORBA::Object>& proxy)>;

  // `reference`: of a RtecEventChannelAdmin::EventChannel, also as corbaloc. `adapter` holds the object to
  // which the other channel pushes. All must outlive stop(). A reference that leads to this channel, as in a
  // list that all channels have, is left out.
  Gateway(CORBA::ORB& orb, PortableServer::POA& adapter, EventChannel& channel, std::string reference,
          const ServiceLimits& limits, Wanted wanted, IsOwn is_own, Report report);
  // As stop().
  ~Gateway();

  // Call it when consumers have come or gone. Takes no lock.
  void changed() { wake_up_.post(); }
  // Disconnects from the other channel, within ServiceLimits::call_timeout for each call.
  void stop();
  GatewayState look() const;

 private:
  class Receiver;
  using Proxy = CORBA::object_reference<RtecEventChannelAdmin::ProxyPushSupplier>;
  using Admin = CORBA::object_reference<RtecEventChannelAdmin::ConsumerAdmin>;

  void work();
  void follow();
  void follow_or_forget();
  void connect(const EventKinds& kinds);
  void disconnect_needless(const EventKinds& wanted);
  void forget(const char* why);
  void deactivate();

  CORBA::ORB& orb_;
  PortableServer::POA& adapter_;
  const std::string reference_;
  const ServiceLimits limits_;
  const Wanted wanted_;
  const IsOwn is_own_;
  const Report report_;
  const CORBA::servant_reference<Receiver> receiver_;
  // Used by the thread alone. Each connection has an object of its own, so that the other channel drops what
  // is left of an earlier one.
  CORBA::object_reference<RtecEventComm::PushConsumer> self_;
  Admin admin_;
  GatewayPlan plan_;
  std::vector<Proxy> proxies_;  // for each subscription of the plan
  bool has_reported_failure_ = false;
  bool leads_here_ = false;

  std::atomic<bool> stopping_{false}, connected_{false};
  WakeUp wake_up_;
  std::thread thread_;
};

}  // namespace takt::rt_events

// The proxies of a real-time event channel, and the clients that are connected to them.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "RtecEventChannelAdminC.h"
#include "events/delivery/client_watch.h"
#include "events/delivery/end_reason.h"
#include "rt_events/event_channel.h"
#include "rt_events/service/limits.h"
#include "rt_events/service/merged_qos.h"
#include "rt_events/service/remote_consumer.h"

namespace takt::rt_events {

using events::ClientWatch;
using events::EndReason;

// Random, so that a client cannot guess the id of another client's proxy.
using ProxyId = std::uint64_t;

enum class Refusal : std::uint8_t {
  gone,               // the proxy or the channel has ended
  already_connected,  // or another thread connects it now
  nil,
  too_long,          // the reference, or the list of publications
  bad_subscription,  // the filter has a fault, or its rt_info is unknown
  bad_publication,   // an rt_info is unknown
  too_many,
};

class Proxy;

// The objects and settings that the proxies of a channel share. It outlives them, but not its own parts.
class ProxyOwner {
 public:
  virtual CORBA::ORB& orb() const = 0;
  virtual EventChannel& channel() = 0;
  virtual const ServiceLimits& limits() const = 0;
  virtual const events::Limits& watch_limits() const = 0;
  virtual const EventChannelOptions& options() const = 0;
  virtual std::optional<std::size_t> level_of(std::int32_t rt_info) const = 0;
  virtual const ClientDeclarations& declarations() const = 0;
  // Wakes the thread that asks suspect clients. Takes no lock.
  virtual void wake() = 0;
  virtual void changed(Declared kinds) = 0;
  virtual void is_dead(Proxy& proxy, const ClientWatch& found) = 0;
  // Reports a connection that was refused.
  virtual void refused(const Proxy& proxy, const std::string& address, const std::string& why) = 0;

 protected:
  ~ProxyOwner() = default;
};

struct ProxyState {
  bool connected = false;
  bool answers = true;
  bool is_consumer = false;  // the client is
  std::string address;       // the client's; empty if it is nil, or has no address of IIOP
  std::uint64_t events = 0;  // sent to the client, or received from it
  std::uint64_t lost = 0;    // that could not be sent
  ConnectionCounts counts;   // only for a connected consumer
};

// Connected once, or again and again if ServiceLimits::reconnects. Any thread. end() may wait for a call to
// the client, the rest does not.
class Proxy : public events::WatchedClient, public std::enable_shared_from_this<Proxy> {
 public:
  Proxy(ProxyId id, ProxyOwner& owner) : owner_(owner), id_(id), made_(Clock::now()) {}

  ProxyId id() const { return id_; }
  virtual bool is_consumer() const = 0;
  Declared declares() const { return is_consumer() ? Declared::subscriptions : Declared::publications; }
  bool is_unused(Clock::time_point now) const;
  // Asks a client that is suspect, or was silent for too long.
  virtual void look_after(Clock::time_point now, events::Dispatcher& dispatcher);
  // False: it had ended. Later no event passes.
  bool end();
  // The same, unless another client than the one that the watch has found is connected, or connects now.
  bool end_if(const ClientWatch& found);
  // With the timeout of calls; nil if there is none.
  ObjectRef client() const;
  virtual ProxyState look() const;
  bool is_suspect() const;
  // Adds what the client wants or offers, unless it is a gateway to another channel.
  void add_kinds(EventKinds& kinds) const;

 protected:
  // While it is reconnecting, its earlier client is still connected.
  enum class State : std::uint8_t { unconnected, connecting, connected, reconnecting, ended };

  std::expected<void, Refusal> reserve(const ObjectRef& client);
  // Takes back what reserve() and a declaration have done, unless the proxy is connected. The declaration
  // goes first: without the reservation, another thread may declare.
  void give_back();
  // Calls give_back() at the end of connect(), also if that throws.
  class Reservation {
   public:
    explicit Reservation(Proxy& proxy) : proxy_(proxy) {}
    ~Reservation() { proxy_.give_back(); }
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;

   private:
    Proxy& proxy_;
  };
  // False: it has ended meanwhile. `keep` runs with the lock. `while_held`: as in ClientWatch.
  template <class Keep>
  bool complete(const ObjectRef& client, const ObjectRef& while_held, Keep keep) {
    auto bounded = client ? with_timeout(client, owner_.limits().call_timeout) : nullptr;
    const std::lock_guard lock(mutex_);
    if (state_ != State::connecting && state_ != State::reconnecting) return false;
    state_ = State::connected;
    address_ = connecting_address_;
    connected_.store(true, std::memory_order_release);
    client_ = std::move(bounded);
    watch_ = client_
                 ? std::make_shared<ClientWatch>(client_, while_held, owner_.watch_limits(), weak_from_this())
                 : nullptr;
    keep();
    return true;
  }
  virtual void stop() {}  // without the lock
  std::shared_ptr<ClientWatch> watch() const;
  void is_dead(const ClientWatch& found) override;
  // Whether the client that the watch has found is still the proxy's. With the lock.
  bool is_present(const ClientWatch& found) const { return watch_.get() == &found; }
  bool has_client() const { return state_ == State::connected || state_ == State::reconnecting; }

  ProxyOwner& owner_;
  mutable std::mutex mutex_;
  State state_ = State::unconnected;
  std::atomic<bool> connected_{false};
  std::string address_, connecting_address_;  // the latter is of the client that connects
  EventKinds kinds_;                          // that the client wants or offers

 private:
  bool end(const ClientWatch* found);

  const ProxyId id_;
  const Clock::time_point made_;
  ObjectRef client_;
  std::shared_ptr<ClientWatch> watch_;
};

// A ProxyPushSupplier: its client is a consumer.
class ConsumerProxy final : public Proxy {
 public:
  using Proxy::Proxy;
  using Dependencies = RtecEventChannelAdmin::DependencySet;

  bool is_consumer() const override { return true; }
  std::expected<void, Refusal> connect(const ObjectRef& consumer,
                                       const RtecEventChannelAdmin::ConsumerQOS& qos);
  // Also before it is connected.
  void suspend(bool suspended);
  void look_after(Clock::time_point now, events::Dispatcher& dispatcher) override;
  ProxyState look() const override;

 private:
  void answers(const ClientWatch& found) override;
  bool is_held() const override;
  void stop() override;
  std::expected<EventSubscription, std::string> subscription_of(const Dependencies& dependencies) const;
  void apply_suspension();  // with the lock

  std::shared_ptr<RemoteConsumer> consumer_;
  std::unique_ptr<EventConnection> connection_;
  bool suspended_ = false;
};

// A ProxyPushConsumer: its client is a supplier, or nil.
class SupplierProxy final : public Proxy {
 public:
  using Proxy::Proxy;

  bool is_consumer() const override { return false; }
  std::expected<void, Refusal> connect(const ObjectRef& supplier,
                                       const RtecEventChannelAdmin::SupplierQOS& qos);
  // Events of a supplier that is not connected are discarded and counted. Takes no lock.
  void push(std::span<const RtecEventComm::Event> events);
  ProxyState look() const override;

 private:
  std::atomic<std::uint64_t> pushed_{0}, unconnected_{0};
};

}  // namespace takt::rt_events

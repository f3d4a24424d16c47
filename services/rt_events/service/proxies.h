// All proxies of a channel, and the threads that look after their clients.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "rt_events/dispatch/wake_up.h"
#include "rt_events/service/observers.h"
#include "rt_events/service/proxy.h"
#include "rt_events/service/service_options.h"

namespace takt::rt_events {

// Any thread. Events pass by, as adapters find proxies. It is large because proxies share what it has.
class Proxies final : private ProxyOwner {
 public:
  // Makes the object of a proxy unknown to clients.
  using Deactivate = std::function<void(ProxyId id)>;
  struct Counts {
    std::size_t proxies = 0, observers = 0;
    std::uint64_t dead = 0;  // clients that were disconnected because they did not answer
    events::Dispatcher::Counts threads{};
  };

  Proxies(CORBA::object_reference<CORBA::ORB> orb, std::unique_ptr<EventChannel> channel,
          EventChannelServiceOptions options, Deactivate deactivate);
  // As stop().
  ~Proxies();

  // Null if there are too many, or the channel was destroyed. P: ConsumerProxy or SupplierProxy.
  template <class P>
  std::shared_ptr<P> make() {
    const std::unique_lock lock(mutex_);
    if (destroyed_ || all_.size() >= options_.limits.proxies) return nullptr;
    const auto proxy = std::make_shared<P>(new_id(), static_cast<ProxyOwner&>(*this));
    all_.emplace(proxy->id(), proxy);
    return proxy;
  }
  // Ends the proxy, and tells its client unless that has asked for it. False: it had ended.
  bool remove(Proxy& proxy, EndReason reason);
  // Ends all proxies, in other threads. Later there are no new ones. False: it was called before.
  bool destroy();
  // destroy(), and waits until the clients have been told, up to ServiceLimits::goodbye_within. Ends all
  // threads, and stops the channel.
  void stop();

  // `changed` is called when the subscriptions have changed. Before the first client.
  void on_subscriptions(std::function<void()> changed) { on_subscriptions_ = std::move(changed); }
  // The kinds of events that the consumers want, or that the suppliers offer, merged.
  EventKinds kinds(Declared which) const;
  bool is_destroyed() const;
  bool has(ProxyId id) const;
  EventChannel& channel() override { return *channel_; }
  const ServiceLimits& limits() const override { return options_.limits; }
  Observers& observers() { return observers_; }
  std::vector<std::shared_ptr<Proxy>> all() const;
  Counts counts() const;

 private:
  CORBA::ORB& orb() const override { return *orb_; }
  const events::Limits& watch_limits() const override { return watch_limits_; }
  const EventChannelOptions& options() const override { return options_.channel; }
  std::optional<std::size_t> level_of(std::int32_t rt_info) const override;
  const ClientDeclarations& declarations() const override { return options_.declarations; }
  void wake() override { wake_up_.post(); }
  void changed(Declared kinds) override;
  void is_dead(Proxy& proxy, const ClientWatch& found) override;
  void refused(const Proxy& proxy, const std::string& address, const std::string& why) override;

  ProxyId new_id() const;  // with the lock
  void sweep();
  void look_after_all(Clock::time_point now);

  const CORBA::object_reference<CORBA::ORB> orb_;
  const EventChannelServiceOptions options_;
  const Deactivate deactivate_;
  std::function<void()> on_subscriptions_;
  const events::Limits watch_limits_;
  const std::unique_ptr<EventChannel> channel_;
  mutable std::shared_mutex mutex_;
  std::map<ProxyId, std::shared_ptr<Proxy>> all_;
  bool destroyed_ = false;
  std::atomic<std::uint64_t> dead_{0}, refusals_{0};
  std::atomic<std::int64_t> last_refusal_{0};
  std::atomic<bool> stopping_{false};
  events::Dispatcher dispatcher_;
  Observers observers_;
  WakeUp wake_up_;
  std::thread sweeper_;
};

}  // namespace takt::rt_events

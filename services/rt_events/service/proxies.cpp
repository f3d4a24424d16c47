#include "rt_events/service/proxies.h"

#include <algorithm>
#include <new>
#include <utility>

#include "octets/random.h"

namespace takt::rt_events {
namespace {

constexpr std::chrono::seconds between_refusals{1};

events::Limits watch_limits_of(const ServiceLimits& limits) {
  events::Limits all;
  all.threads = limits.threads;
  all.max_threads = std::max(limits.max_threads, limits.threads);
  all.hanging_threads = 0;
  all.call_timeout = limits.call_timeout;
  all.give_up_after = limits.give_up_after;
  all.ping_after = limits.ping_after;
  return all;
}

// Runs a function in a dispatcher's thread.
class Once final : public events::Task {
 public:
  Once(std::function<void()> run, events::Standing standing) : run_(std::move(run)), standing_(standing) {}
  std::optional<Clock::time_point> run() override {
    run_();
    return {};
  }
  events::Standing standing() const override { return standing_; }

 private:
  const std::function<void()> run_;
  const events::Standing standing_;
};

void say_goodbye(const ObjectRef& client, bool is_consumer) {
  events::answer_of([&] {
    if (is_consumer)
      IDL::traits<RtecEventComm::PushConsumer>::unchecked_narrow(client)->disconnect_push_consumer();
    else
      IDL::traits<RtecEventComm::PushSupplier>::unchecked_narrow(client)->disconnect_push_supplier();
  });
}

}  // namespace

Proxies::Proxies(CORBA::object_reference<CORBA::ORB> orb, std::unique_ptr<EventChannel> channel,
                 EventChannelServiceOptions options, Deactivate deactivate)
    : orb_(std::move(orb)),
      options_(std::move(options)),
      deactivate_(std::move(deactivate)),
      watch_limits_(watch_limits_of(options_.limits)),
      channel_(std::move(channel)),
      dispatcher_(watch_limits_),
      observers_(dispatcher_, watch_limits_, [this](Declared which) { return kinds(which); }),
      sweeper_([this] { sweep(); }) {}

Proxies::~Proxies() { stop(); }

ProxyId Proxies::new_id() const {
  while (true) {
    const ProxyId id = octets::random_number();
    if (id != 0 && !all_.contains(id)) return id;
  }
}

std::optional<std::size_t> Proxies::level_of(std::int32_t rt_info) const {
  if (options_.level_of) return options_.level_of(rt_info);
  const std::size_t levels = channel_->levels().size();
  if (levels == 1 || rt_info == 0) return levels - 1;
  if (rt_info < 0 || static_cast<std::size_t>(rt_info) > levels) return {};
  return static_cast<std::size_t>(rt_info) - 1;
}

bool Proxies::remove(Proxy& proxy, EndReason reason) {
  std::shared_ptr<Proxy> kept;
  {
    const std::unique_lock lock(mutex_);
    const auto found = all_.find(proxy.id());
    if (found == all_.end()) return false;
    kept = std::move(found->second);
    all_.erase(found);
  }
  deactivate_(proxy.id());
  const ObjectRef client = proxy.client();
  proxy.end();
  // A connect() in progress that declares later finds the end, and takes its declaration back.
  if (options_.declarations.ended) options_.declarations.ended(proxy.id());
  if (reason == EndReason::dead) dead_.fetch_add(1);
  if (!client || reason == EndReason::client) return true;
  try {
    dispatcher_.ready(std::make_shared<Once>(
        [client, is_consumer = proxy.is_consumer()] { say_goodbye(client, is_consumer); },
        events::Standing::leaving));
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): it is not told
  }
  return true;
}

void Proxies::changed(Declared kinds) {
  observers_.changed(kinds);
  if (kinds == Declared::subscriptions && on_subscriptions_) on_subscriptions_();
}

void Proxies::is_dead(Proxy& proxy, const ClientWatch& found) {
  const ProxyState state = proxy.look();
  if (!proxy.end_if(found) || !remove(proxy, EndReason::dead) || !options_.report) return;
  options_.report(std::string(state.is_consumer ? "consumer" : "supplier") + " at '" + state.address +
                  "' does not exist or does not answer, and was disconnected; " + std::to_string(state.lost) +
                  " events were lost");
}

void Proxies::refused(const Proxy& proxy, const std::string& address, const std::string& why) {
  const std::uint64_t refusals = refusals_.fetch_add(1) + 1;
  const std::int64_t now = Clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
  std::int64_t last = last_refusal_.load();
  if (!options_.report || (last != 0 && now - last < std::chrono::nanoseconds(between_refusals).count()))
    return;
  if (!last_refusal_.compare_exchange_strong(last, now)) return;
  options_.report(std::string("the ") + (proxy.is_consumer() ? "consumer" : "supplier") + " at '" + address +
                  "' was not connected: " + why + " (" + std::to_string(refusals) +
                  " refusals since the start)");
}

bool Proxies::destroy() {
  std::vector<std::shared_ptr<Proxy>> ending;
  {
    const std::unique_lock lock(mutex_);
    if (std::exchange(destroyed_, true)) return false;
    for (const auto& [id, proxy] : all_) ending.push_back(proxy);
  }
  observers_.clear();
  for (const auto& proxy : ending)
    dispatcher_.ready(
        std::make_shared<Once>([this, proxy] { remove(*proxy, EndReason::destroyed); },
                               proxy->is_suspect() ? events::Standing::suspect : events::Standing::proven));
  return true;
}

void Proxies::stop() {
  if (stopping_.exchange(true)) return;
  wake();
  sweeper_.join();
  destroy();
  const auto end = Clock::now() + options_.limits.goodbye_within;
  constexpr std::chrono::milliseconds pause{1};
  const auto busy = [this] { return !all().empty() || dispatcher_.counts().ready > 0; };
  while (busy() && Clock::now() < end) std::this_thread::sleep_for(pause);
  dispatcher_.stop();
  channel_->stop();
  for (const auto& proxy : all()) remove(*proxy, EndReason::destroyed);
}

bool Proxies::is_destroyed() const {
  const std::shared_lock lock(mutex_);
  return destroyed_;
}

bool Proxies::has(ProxyId id) const {
  const std::shared_lock lock(mutex_);
  return all_.contains(id);
}

std::vector<std::shared_ptr<Proxy>> Proxies::all() const {
  const std::shared_lock lock(mutex_);
  std::vector<std::shared_ptr<Proxy>> all;
  all.reserve(all_.size());
  for (const auto& [id, proxy] : all_) all.push_back(proxy);
  return all;
}

EventKinds Proxies::kinds(Declared which) const {
  EventKinds kinds;
  for (const auto& proxy : all())
    if (proxy->declares() == which) proxy->add_kinds(kinds);
  merge(kinds);
  return kinds;
}

Proxies::Counts Proxies::counts() const {
  Counts counts{.observers = observers_.size(), .dead = dead_.load(), .threads = dispatcher_.counts()};
  const std::shared_lock lock(mutex_);
  counts.proxies = all_.size();
  return counts;
}

void Proxies::look_after_all(Clock::time_point now) {
  for (const auto& proxy : all()) {
    if (proxy->is_unused(now))
      remove(*proxy, EndReason::unused);
    else
      proxy->look_after(now, dispatcher_);
  }
}

void Proxies::sweep() {
  const auto period = std::min(options_.limits.ping_after, options_.limits.connect_within) / 4;
  while (!stopping_.load()) {
    wake_up_.wait(os::Clock::now() + period);
    try {
      if (!stopping_.load()) look_after_all(Clock::now());
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): it does so again after the period
    }
  }
}

}  // namespace takt::rt_events

#include "events/watch_rt.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <iostream>
#include <mutex>
#include <optional>
#include <span>

#include "RtecEventCommS.h"
#include "Takt_EventRingC.h"
#include "common/interrupt.h"
#include "common/serving.h"
#include "event_ring/ring_consumer.h"
#include "events/shown_event.h"
#include "rt_events/model/designators.h"

namespace takt::command {
namespace {

namespace admin = RtecEventChannelAdmin;

constexpr std::size_t most_waiting = 10'000;
constexpr std::size_t most_octets = std::size_t{64} << 20;

// About the memory that an event takes.
std::size_t octets_of(const RtecEventComm::Event& event) {
  return sizeof event + event.data().payload().size() + event.data().any_value()._content().octets.size();
}

// Keeps events until they are printed.
class Watcher final : public virtual CORBA::servant_traits<RtecEventComm::PushConsumer>::base_type {
 public:
  void push(const RtecEventComm::EventSet& events) override {
    const std::lock_guard lock(mutex_);
    for (const RtecEventComm::Event& each : events) {
      waiting_.push_back(each);
      octets_ += octets_of(each);
      while (waiting_.size() > most_waiting || octets_ > most_octets) {
        take();
        ++left_out_;
      }
    }
    changed_.notify_one();
  }
  void disconnect_push_consumer() override {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_one();
  }

  // The next event; none if there was none for a while, or the channel has ended.
  std::optional<RtecEventComm::Event> next() {
    constexpr std::chrono::milliseconds a_while{20};
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, a_while, [this] { return ended_ || !waiting_.empty(); });
    if (waiting_.empty()) return {};
    return take();
  }
  bool has_ended() const {
    const std::lock_guard lock(mutex_);
    return ended_ && waiting_.empty();
  }
  std::uint64_t left_out() const {
    const std::lock_guard lock(mutex_);
    return left_out_;
  }

 private:
  // The oldest event, with the lock.
  RtecEventComm::Event take() {
    octets_ -= octets_of(waiting_.front());
    RtecEventComm::Event event = std::move(waiting_.front());
    waiting_.pop_front();
    return event;
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<RtecEventComm::Event> waiting_;
  std::size_t octets_ = 0;  // in waiting_
  std::uint64_t left_out_ = 0;
  bool ended_ = false;
};

// A disjunction of all types with all sources.
admin::ConsumerQOS wanted(const RtWatch& settings) {
  const std::vector<std::int32_t> any{0};
  const auto& types = settings.types.empty() ? any : settings.types;
  const auto& sources = settings.sources.empty() ? any : settings.sources;
  admin::ConsumerQOS qos;
  const auto add = [&](std::int32_t type, std::int32_t source) {
    RtecEventComm::EventHeader& header = qos.dependencies().emplace_back().event().header();
    header.type(type);
    header.source(source);
  };
  add(rt_events::disjunction, static_cast<std::int32_t>(types.size() * sources.size()));
  for (const std::int32_t type : types)
    for (const std::int32_t source : sources) add(type, source);
  return qos;
}

// A channel that is silent is asked whether it exists: its process may have died without a word.
class Silence {
 public:
  // `proxy`: null for a shared buffer, whose end is noticed.
  explicit Silence(CORBA::Object* proxy) : proxy_(proxy) {}

  void end() { since_ = Clock::now(); }
  void lasts() {
    if (!proxy_ || Clock::now() - since_ < longest) return;
    try {
      if (proxy_->_non_existent()) fail("the channel has no such consumer any more", negative);
    } catch (const CORBA::SystemException& failure) {
      fail(std::string("the channel does not answer any more: ") + failure.what(), negative);
    }
    end();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds longest{1};

  CORBA::Object* const proxy_;
  Clock::time_point since_ = Clock::now();
};

void print_until_enough(Watcher& watcher, const RtWatch& settings, Silence silence) {
  std::uint64_t seen = 0;
  while (!interrupted && (settings.count == 0 || seen < settings.count)) {
    const auto event = watcher.next();
    if (!event) {
      if (watcher.has_ended()) fail("the channel was destroyed, or has disconnected this consumer", negative);
      silence.lasts();
      continue;
    }
    silence.end();
    CORBA::Any whole;
    whole <<= *event;
    if (!settings.filter.matches(whole)) continue;
    print_event(whole);
    ++seen;
  }
}

void tell_left_out(const Watcher& watcher) {
  if (const std::uint64_t left_out = watcher.left_out(); left_out > 0)
    std::cerr << left_out << " events were not shown, because they came faster than they could be printed"
              << std::endl;
}

}  // namespace

CORBA::object_reference<admin::EventChannel> rt_channel_at(
    const CORBA::object_reference<CORBA::Object>& object) {
  if (!object->_is_a(admin::EventChannel::_interface_repository_id())) return nullptr;
  return IDL::traits<admin::EventChannel>::unchecked_narrow(object);
}

void watch_rt(const ClientOrb& orb, admin::EventChannel& channel, const RtWatch& settings) {
  end_at_interrupt();
  const auto watcher = CORBA::make_reference<Watcher>();
  const auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  const TakesRequests serving(orb.reference());
  const auto consumer = IDL::traits<RtecEventComm::PushConsumer>::unchecked_narrow(
      root->id_to_reference(root->activate_object(watcher)));
  const auto proxy = channel.for_consumers()->obtain_push_supplier();
  try {
    proxy->connect_push_consumer(consumer, wanted(settings));
  } catch (const admin::TypeError&) {
    fail("the channel does not take the types and sources as a subscription", unusable);
  }
  std::cerr << "watching" << std::endl;
  print_until_enough(*watcher, settings, Silence(proxy.get()));
  proxy->disconnect_push_supplier();
  tell_left_out(*watcher);
}

bool watch_ring(const ClientOrb& orb, const CORBA::object_reference<CORBA::Object>& object,
                const RtWatch& settings) {
  const auto source = IDL::traits<Takt::EventRing::Source>::narrow(object);
  if (!source) return false;
  end_at_interrupt();
  event_ring::RingConsumerOptions options;
  const admin::ConsumerQOS qos = wanted(settings);
  for (const admin::Dependency& each : qos.dependencies())
    options.filter.push_back({each.event().header().type(), each.event().header().source()});
  options.level = std::max(source->rings().levels(), 1u) - 1;
  options.report = [](const std::string& text) { std::cerr << text << std::endl; };
  const auto watcher = CORBA::make_reference<Watcher>();
  options.ended = [&watcher](const std::string&) { watcher->disconnect_push_consumer(); };
  const TakesRequests serving(orb.reference());
  const auto consumer = event_ring::RingConsumer::connect(
      orb.reference(), object, std::move(options), [&watcher](std::span<const RtecEventComm::Event> events) {
        watcher->push(RtecEventComm::EventSet(events.begin(), events.end()));
      });
  if (!consumer) fail(consumer.error(), unusable);
  std::cerr << "watching" << std::endl;
  print_until_enough(*watcher, settings, Silence(nullptr));
  tell_left_out(*watcher);
  if (const std::uint64_t lost = (*consumer)->counts().lost; lost > 0)
    std::cerr << lost << " events were lost, because they came faster than they were read" << std::endl;
  return true;
}

}  // namespace takt::command

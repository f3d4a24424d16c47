#include "rt_events/service/gateway.h"

#include <algorithm>
#include <utility>

#include "rt_events/service/remote_consumer.h"

namespace takt::rt_events {
namespace {

namespace admin = RtecEventChannelAdmin;

// Between two looks whether the other channel is there.
constexpr std::chrono::milliseconds longest_pause{1'000};

admin::ConsumerQOS qos_of(const filters::Entries& entries) {
  admin::ConsumerQOS qos;
  qos.is_gateway(true);
  for (const FilterEntry& entry : entries) {
    RtecEventComm::EventHeader& header = qos.dependencies().emplace_back().event().header();
    header.type(entry.type);
    header.source(entry.source);
  }
  return qos;
}

template <class Interface>
CORBA::object_reference<Interface> within(const CORBA::object_reference<Interface>& object,
                                          std::chrono::milliseconds timeout) {
  return IDL::traits<Interface>::unchecked_narrow(with_timeout(object, timeout));
}

void disconnect(admin::ProxyPushSupplier& proxy) {
  try {
    proxy.disconnect_push_supplier();
  } catch (const CORBA::Exception&) {  // it has ended, or cannot be reached: then the other channel drops it
  }
}

}  // namespace

// The object to which the other channel pushes.
class Gateway::Receiver final : public virtual CORBA::servant_traits<RtecEventComm::PushConsumer>::base_type {
 public:
  Receiver(EventChannel& channel, WakeUp& wake_up) : channel_(channel), wake_up_(wake_up) {}
  void push(const RtecEventComm::EventSet& events) override {
    received.fetch_add(events.size(), std::memory_order_relaxed);
    expired.fetch_add(channel_.forward(events), std::memory_order_relaxed);
  }
  // The other channel ends this subscription; the thread finds that its proxy has gone.
  void disconnect_push_consumer() override { wake_up_.post(); }
  std::atomic<std::uint64_t> received{0}, expired{0};

 private:
  EventChannel& channel_;
  WakeUp& wake_up_;
};

Gateway::Gateway(CORBA::ORB& orb, PortableServer::POA& adapter, EventChannel& channel, std::string reference,
                 const ServiceLimits& limits, Wanted wanted, IsOwn is_own, Report report)
    : orb_(orb),
      adapter_(adapter),
      reference_(std::move(reference)),
      limits_(limits),
      wanted_(std::move(wanted)),
      is_own_(std::move(is_own)),
      report_(std::move(report)),
      receiver_(CORBA::make_reference<Receiver>(channel, wake_up_)),
      thread_([this] { work(); }) {}

Gateway::~Gateway() { stop(); }

void Gateway::stop() {
  if (stopping_.exchange(true)) return;
  wake_up_.post();
  thread_.join();
}

void Gateway::deactivate() {
  if (!self_) return;
  try {
    adapter_.deactivate_object(adapter_.reference_to_id(self_));
  } catch (const CORBA::Exception&) {  // the adapter has ended
  }
  self_ = nullptr;
}

GatewayState Gateway::look() const {
  return {reference_, connected_.load(), receiver_->received.load(), receiver_->expired.load()};
}

void Gateway::work() {
  const auto pause = std::min(limits_.ping_after, longest_pause);
  while (!stopping_.load() && !leads_here_) {
    try {
      follow_or_forget();
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): it tries again after the pause
    }
    if (!leads_here_) wake_up_.wait(os::Clock::now() + pause);
  }
  disconnect_needless({});
  deactivate();
}

void Gateway::follow_or_forget() {
  try {
    follow();
  } catch (const CORBA::Exception& failure) {
    forget(failure.what());
  }
}

void Gateway::follow() {
  const bool lost = std::ranges::any_of(proxies_, [](const Proxy& proxy) { return proxy->_non_existent(); });
  if (lost) forget("a subscription has ended");
  if (!admin_) {
    const auto object = with_timeout(orb_.string_to_object(reference_), limits_.call_timeout);
    admin_ = within(IDL::traits<admin::EventChannel>::unchecked_narrow(object)->for_consumers(),
                    limits_.call_timeout);
    self_ = IDL::traits<RtecEventComm::PushConsumer>::unchecked_narrow(
        adapter_.id_to_reference(adapter_.activate_object(receiver_)));
  }
  const EventKinds wanted = wanted_();
  const EventKinds missing = plan_.missing(wanted);
  if (!missing.empty()) connect(missing);
  if (leads_here_) return;
  disconnect_needless(wanted);
  connected_.store(true);
  has_reported_failure_ = false;
}

void Gateway::connect(const EventKinds& kinds) {
  const Proxy proxy = within(admin_->obtain_push_supplier(), limits_.call_timeout);
  if (is_own_(proxy)) {
    leads_here_ = true;
    if (report_) report_("the channel at " + reference_ + " is this channel itself, and is left out");
    disconnect(*proxy);
    return;
  }
  proxy->connect_push_consumer(self_, qos_of(plan_.filter_for(kinds)));
  plan_.add(kinds);
  proxies_.push_back(proxy);
}

void Gateway::disconnect_needless(const EventKinds& wanted) {
  for (const std::size_t part : plan_.needless(wanted)) {
    disconnect(*proxies_[part]);
    proxies_.erase(proxies_.begin() + static_cast<std::ptrdiff_t>(part));
    plan_.remove(part);
  }
}

// Ends the other channel's subscriptions that are still there, because new ones follow.
void Gateway::forget(const char* why) {
  if (report_ && !std::exchange(has_reported_failure_, true))
    report_("the channel at " + reference_ + " is not connected, and is tried again: " + why);
  connected_.store(false);
  disconnect_needless({});
  deactivate();
  admin_ = nullptr;
}

}  // namespace takt::rt_events

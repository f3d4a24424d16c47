// The way of events through a channel.
#include <algorithm>
#include <utility>

#include "notification/channel/channel.h"
#include "notification/channel/rows.h"
#include "notification/channel/senders.h"
#include "sqlite/octets.h"

namespace takt::notification {
namespace {

Candidate candidate_of(const Event& event) {
  return Candidate(
      event.domain(), event.type(), [&event]() -> const CORBA::Any& { return event.as_any(); },
      event.came_as_any() ? decoding_steps(event.as_any()) : decoding_steps(event.as_structured()));
}

[[noreturn]] void throw_not_stored(const StoreFault& fault) {
  throw CORBA::PERSIST_STORE(
      0, fault.maybe_done ? CORBA::COMPLETED_MAYBE : CORBA::COMPLETED_NO,
      "the notification service cannot write its store, so no consumer gets the event: "
      "send it again later; the service's own output says why");
}

}  // namespace

std::shared_ptr<Event> Channel::stored_event(bool is_any, const std::string& octets,
                                             cdr::Environment* environment) const {
  CORBA::Any any;
  CosNotification::StructuredEvent structured;
  if (is_any && sqlite::read_octets(octets, any, environment))
    return std::make_shared<Event>(any, parts_.memory, held_);
  if (!is_any && sqlite::read_octets(octets, structured, environment))
    return std::make_shared<Event>(structured, parts_.memory, held_);
  return nullptr;
}

bool Channel::is_persistent(const Event& event) const {
  const auto own = event.qos().reliability;
  return stored && (own ? *own == CosNotification::Persistent : keeps_events_.load());
}

bool Channel::enters(Candidate& candidate, Proxy& from) {
  const bool passes = from.admin().passes(from.filters, candidate);
  if (!passes) from.note_filtered();
  return passes;
}

Arrival Channel::arrival_of(const EventPtr& event, Candidate& candidate, const Proxy& from) const {
  const Qos qos = from.qos();
  return {.event = event,
          .candidate = candidate,
          .priority = qos.priority,
          .timeout = qos.timeout,
          .at = Moment::current()};
}

void Channel::publish(const CORBA::Any& data, Proxy& from) {
  publish_one(std::make_shared<Event>(data, parts_.memory, held_), from);
}

void Channel::publish_one(std::shared_ptr<Event> event, Proxy& from) {
  if (is_persistent(*event)) return pass_on_stored({{std::move(event)}}, from);
  Ready ready(parts_.dispatcher);
  pass_on(event, from, ready);
  event.reset();
  relieve();
}

void Channel::publish(const CosNotification::StructuredEvent& event, Proxy& from) {
  publish_one(std::make_shared<Event>(event, parts_.memory, held_), from);
}

void Channel::publish(const CosNotification::EventBatch& events, Proxy& from) {
  std::vector<Delivery> batch;
  batch.reserve(events.size());
  for (const auto& each : events) batch.push_back({std::make_shared<Event>(each, parts_.memory, held_)});
  if (std::ranges::any_of(batch, [this](const Delivery& each) { return is_persistent(*each.event); }))
    return pass_on_stored(std::move(batch), from);
  Ready ready(parts_.dispatcher);
  for (const Delivery& each : batch) pass_on(each.event, from, ready);
  batch.clear();
  relieve();
}

void Channel::pass_on(const EventPtr& event, Proxy& from, Ready& ready) {
  received_.fetch_add(1, std::memory_order_relaxed);
  Candidate candidate = candidate_of(*event);
  if (!enters(candidate, from)) return;
  const Arrival arrival = arrival_of(event, candidate, from);
  offer(arrival,
        [&](Receiver& to, const Placement& placement) { to.put(event, placement, arrival.at.now, ready); });
}

void Channel::relieve() {
  parts_.shares.relieve();
  const auto crowded = [this] {
    const std::int32_t most = most_held_;
    return most > 0 && *held_ > static_cast<std::uint64_t>(most);
  };
  if (!crowded()) return;
  const std::lock_guard lock(relieving_);
  std::vector<std::shared_ptr<Receiver>> receivers;
  for (const AdminPtr& admin : admins(Side::consumers))
    for (const ProxyPtr& proxy : admin->proxies())
      receivers.push_back(std::static_pointer_cast<Receiver>(proxy));
  events::shrink_fullest(
      receivers, [](const Receiver& each) { return each.fullness().events(); },
      [&](Receiver& each, std::uint64_t events) {
        return each.shrink_while(
            [&](const events::Fullness& fullness) { return fullness.events() > events && crowded(); });
      },
      crowded);
}

void Channel::choose(Delivery& delivery, Proxy& from) const {
  Candidate candidate = candidate_of(*delivery.event);
  if (!enters(candidate, from)) return;
  const EventPtr event = delivery.event;
  const Arrival arrival = arrival_of(event, candidate, from);
  const bool persists = is_persistent(*event);
  offer(arrival, [&](Receiver& to, Placement placement) {
    placement.stored = persists && to.stored;
    delivery.targets.emplace_back(std::static_pointer_cast<Receiver>(to.shared_from_this()), placement);
  });
}

void Channel::write(std::vector<Delivery>& batch) {
  std::vector<Change> rows;
  const Moment now = Moment::current();
  for (Delivery& each : batch) {
    std::vector<StoredTarget> targets;
    for (const auto& [to, placement] : each.targets)
      if (placement.stored) targets.push_back(target_of(to->object_id(), placement, now));
    if (targets.empty()) continue;
    each.event->note_stored(parts_.persistence->next_number(), static_cast<std::uint32_t>(targets.size()));
    rows.emplace_back(row_of(*each.event, object_id(), targets));
  }
  if (rows.empty()) return;
  const auto written = parts_.persistence->write(rows);
  if (written) {
    parts_.persistence->stored += rows.size();
    return;
  }
  rejected_ += batch.size();
  for (const Delivery& each : batch)
    if (written.error().maybe_done && each.event->number() != 0)
      parts_.persistence->withdraw(each.event->number());
  throw_not_stored(written.error());
}

void Channel::pass_on_stored(std::vector<Delivery> batch, Proxy& from) {
  for (Delivery& each : batch) choose(each, from);
  write(batch);
  received_.fetch_add(batch.size(), std::memory_order_relaxed);
  Ready ready(parts_.dispatcher);
  const auto now = Clock::now();
  for (const Delivery& each : batch)
    for (const auto& [to, placement] : each.targets) to->put(each.event, placement, now, ready);
  batch.clear();
  relieve();
}

}  // namespace takt::notification

#include "notification/channel/receivers.h"

#include <algorithm>
#include <utility>

#include <takt/invocation/client_call.h>
#include <takt/invocation/local_target.h>

#include "events/delivery/waiting_pull.h"
#include "notification/channel/admin.h"
#include "notification/channel/channel.h"

namespace takt::notification {
namespace {

// The shortest time between two alarms of a proxy, and the longest for which one is set.
constexpr std::chrono::milliseconds alarm_grain{1};
constexpr std::chrono::seconds longest_alarm{1};
// Batches until more events are tried together, after one that may not have arrived.
constexpr std::uint32_t first_pause = 16, longest_pause = 4'096;

// Makes a proxy choose what to do.
class Alarm final : public events::Task {
 public:
  explicit Alarm(std::weak_ptr<events::ClientLink> link) : link_(std::move(link)) {}
  std::optional<Clock::time_point> run() override {
    if (const auto link = link_.lock()) link->wake();
    return {};
  }
  events::Standing standing() const override { return events::Standing::proven; }

 private:
  const std::weak_ptr<events::ClientLink> link_;
};

// The value that the mapping filter gives to the event; nothing if there is no filter, or its value is not
// used: an event's own value is replaced only by a constraint that it matches.
template <class Value>
std::optional<Value> mapped(const MappingFilterPtr& filter, const Arrival& arrival, bool has_own,
                            std::size_t steps) {
  if (!filter || filter->has_ended()) return std::nullopt;
  const auto match = filter->match(arrival.candidate, steps);
  if (!match && has_own) return std::nullopt;
  Value value{};
  const CORBA::Any& any = match ? match->text.value : filter->default_value();
  return (any >>= value) ? std::optional(value) : std::nullopt;
}

}  // namespace

Receiver::Receiver(ObjectId id, std::int32_t number, ProxyKind kind, Form form, std::shared_ptr<Admin> admin)
    : Proxy(id, number, kind, form, std::move(admin)),
      queue_(parts().memory, own_qos().queue(parts().limits),
             [this](const Queued& event) { give_up_event(event); }),
      share_(parts().shares, queue_.fullness(), [this](std::uint64_t bytes, std::uint64_t enough) {
        return shrink_while([&](const events::Fullness& fullness) {
          return fullness.bytes() > bytes && parts().memory.used_bytes() > enough;
        });
      }) {}

void Receiver::settle(const Queued& event) {
  if (event.placement.stored)
    parts().persistence->settle(event.event->number(), object_id(), event.event->settle());
}

void Receiver::give_up_event(const Queued& event) {
  if (!parts().stopping) settle(event);  // otherwise it is delivered after the restart
}

void Receiver::settle(const std::vector<Queued>& events) {
  for (const Queued& each : events) settle(each);
}

void Receiver::add_to(ProxyState& state) const {
  state.pending = queue_.size();
  state.discarded = queue_.discarded();
  state.expired = queue_.expired();
}

Placement Receiver::placement_of(const Arrival& arrival, const Qos& qos) const {
  const EventQos& own = arrival.event->qos();
  const std::size_t steps = parts().limits.filter_steps;
  const auto first_of = [](MappingFilterPtr proxy, MappingFilterPtr admin) { return proxy ? proxy : admin; };
  const auto priority = mapped<std::int16_t>(first_of(mapping.priority(), admin().mapping.priority()),
                                             arrival, own.priority.has_value(), steps);
  const auto lifetime = mapped<Units>(first_of(mapping.lifetime(), admin().mapping.lifetime()), arrival,
                                      own.timeout.has_value(), steps);
  Placement placement;
  placement.priority =
      priority ? *priority : own.priority.value_or(qos.priority ? qos.priority : arrival.priority);
  const Units timeout =
      lifetime ? *lifetime : own.timeout.value_or(qos.timeout ? qos.timeout : arrival.timeout);
  if (timeout > 0) placement.expiry = arrival.at.now + duration_of(timeout);
  if (own.stop_time && qos.stop_time_supported)
    placement.expiry = std::min(placement.expiry, moment_of(*own.stop_time, arrival.at));
  if (own.start_time && qos.start_time_supported) placement.start = moment_of(*own.start_time, arrival.at);
  return placement;
}

std::optional<Placement> Receiver::choose(const Arrival& arrival) {
  Qos qos;
  {
    const std::lock_guard lock(mutex_);
    if (!is_live()) return std::nullopt;
    if (!wants_type(arrival.candidate)) {
      ++filtered_;
      return std::nullopt;
    }
    qos = own_qos();
  }
  if (!admin().passes(filters, arrival.candidate)) {
    note_filtered();
    return std::nullopt;
  }
  return placement_of(arrival, qos);
}

void Receiver::put(const EventPtr& event, const Placement& placement, Clock::time_point now, Ready& ready) {
  const std::lock_guard lock(mutex_);
  if (!is_live()) return give_up_event({event, placement, 0});
  queue_.add(event, placement, now);
  if (arrived()) ready.add(shared_from_this());
}

void Receiver::drop_expired(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  queue_.due(now);
}

bool PushingProxy::attach_client(const ObjectRef& client) {
  if (form() == Form::structured)
    structured_ = IDL::traits<CosNotifyComm::StructuredPushConsumer>::unchecked_narrow(client);
  else if (form() == Form::sequence)
    sequence_ = IDL::traits<CosNotifyComm::SequencePushConsumer>::unchecked_narrow(client);
  else
    any_ = IDL::traits<CosEventComm::PushConsumer>::unchecked_narrow(client);
  return false;
}

bool PushingProxy::next_call() {
  if (is_suspended()) return false;
  const auto now = Clock::now();
  std::size_t most = calls_.most();
  if (form() == Form::sequence) {
    most = std::min(most_together_, static_cast<std::size_t>(own_qos().maximum_batch_size));
    if (awaits_more(most, now)) return false;
  }
  current_ = queue_.take(most, parts().limits.batch_bytes, now);
  if (!current_.empty()) return true;
  if (const auto start = queue_.next_start()) run_at(*start, now);
  return false;
}

bool PushingProxy::awaits_more(std::size_t most, Clock::time_point now) {
  const std::size_t due = queue_.due(now);
  const bool fills = due >= most || queue_.due_bytes() >= parts().limits.batch_bytes;
  if (due == 0) batch_due_.reset();
  if (due > 0 && !fills && own_qos().pacing_interval > 0) {
    if (!batch_due_) batch_due_ = now + duration_of(own_qos().pacing_interval);
    if (now < *batch_due_) {
      run_at(*batch_due_, now);
      return true;
    }
  }
  batch_due_.reset();
  return false;
}

void PushingProxy::adapt_batch(Answer answer, std::size_t size) {
  if (answer == Answer::gone || answer == Answer::not_reached) return;
  if (answer != Answer::done) {
    most_together_ = std::max<std::size_t>(1, size / 2);
    pauses_ = pause_ = std::clamp(2 * pause_, first_pause, longest_pause);
  } else if (pauses_ > 0) {
    --pauses_;
  } else {
    most_together_ = std::max(most_together_, std::min<std::size_t>(2 * size, parts().limits.batch));
  }
}

void PushingProxy::run_at(Clock::time_point time, Clock::time_point now) {
  time = std::min(time, now + longest_alarm);
  const bool is_set = alarm_ > now && alarm_ <= time + alarm_grain;
  if (is_set) return;
  parts().dispatcher.ready_at(time, std::make_shared<Alarm>(weak_from_this()));
  alarm_ = time;
}

std::size_t PushingProxy::sendable() const {
  std::uint64_t bytes = 0;
  std::size_t count = 0;
  for (const Queued& each : current_) {
    bytes += each.event->bytes();
    if (count > 0 && bytes > parts().limits.bytes_together) break;
    ++count;
  }
  return count;
}

Answer PushingProxy::call() {
  const auto first = [this]() -> const Event& { return *current_.front().event; };
  if (form() == Form::structured)
    return calls_.make<CosNotifyComm::StructuredPushConsumer::_operations::push_structured_event>(
        *structured_, sendable(),
        [this](std::size_t i) -> const auto& { return current_[i].event->structured_push_arguments(); },
        [&] { first().push_to(structured_); });
  if (form() != Form::sequence)
    return calls_.make<CosEventComm::PushConsumer::_operations::push>(
        *any_, sendable(),
        [this](std::size_t i) -> const auto& { return current_[i].event->push_arguments(); },
        [&] { first().push_to(any_); });
  bool sent = true;
  const Answer answer = events::answer_of([&] { sent = push_sequence(); });
  return sent ? answer : Answer::again;
}

bool PushingProxy::push_sequence() const {
  if (invocation::is_local(*sequence_)) {
    CosNotification::EventBatch batch;
    for (const Queued& each : current_) batch.push_back(each.event->as_structured());
    sequence_->push_structured_events(batch);
    return true;
  }
  using Call = invocation::ClientCall;
  Call call(*sequence_, CosNotifyComm::SequencePushConsumer::_operations::push_structured_events::name,
            {.response_expected = true, .has_arguments = true});
  Call::Outcome outcome{};
  do {
    cdr::Encoder& request = call.begin();
    const std::size_t begin = request.position();
    request.put_count(current_.size());
    for (const Queued& each : current_) {
      each.event->write(request);
      if (current_.size() > 1 && request.position() - begin > 2 * parts().limits.batch_bytes) return false;
    }
    outcome = call.exchange();
  } while (outcome == Call::Outcome::again);
  const bool disconnected = call.exception_id() == CosEventComm::Disconnected::_description.id;
  if (outcome == Call::Outcome::user_exception && !disconnected) call.throw_unlisted_exception();
  call.finish();
  if (outcome == Call::Outcome::user_exception) throw CosEventComm::Disconnected();
  return true;
}

std::optional<Clock::time_point> PushingProxy::after_call(Answer of_batch, Clock::time_point) {
  std::vector<Queued> events = std::exchange(current_, {});
  auto kept = events.begin();  // up to here: those that are sent again, without memory for another list
  if (form() == Form::sequence) adapt_batch(of_batch, events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    Queued& each = events[i];
    const Answer answer = form() == Form::sequence ? of_batch : calls_.answer_to(i);
    const bool refused = answer == Answer::not_reached || answer == Answer::again;
    const bool repeats = refused || (answer == Answer::lost && each.placement.stored);
    events_ += answer == Answer::done;
    failures_ += answer != Answer::done && !refused;
    if (!repeats) {
      settle(each);
    } else if (is_live()) {
      if (answer == Answer::lost) ++parts().persistence->repeated;
      if (&*kept != &each) *kept = std::move(each);
      ++kept;
    } else {
      give_up_event(each);
    }
  }
  events.erase(kept, events.end());
  queue_.put_back(std::move(events));
  return {};
}

void PulledProxy::replace() {
  ++connection_;
  if (!handed_out_.empty()) parts().persistence->repeated += handed_out_.size();
  queue_.put_back(std::exchange(handed_out_, {}));
  arrived_.notify_all();
}

std::vector<EventPtr> PulledProxy::take(std::size_t most, Clock::time_point now) {
  if (parts().stopping)
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO,
                           "the notification service ends: pull again when it has restarted");
  if (!is_live()) throw CosEventComm::Disconnected();
  note_activity();
  settle(handed_out_);
  handed_out_.clear();
  std::vector<EventPtr> events;
  for (Queued& each : queue_.take(most, parts().limits.batch_bytes, now)) {
    events.push_back(each.event);
    if (each.placement.stored) handed_out_.push_back(std::move(each));
  }
  events_ += events.size();
  return events;
}

std::vector<EventPtr> PulledProxy::try_pull(std::size_t most) {
  const std::lock_guard lock(mutex_);
  return take(most, Clock::now());
}

std::vector<EventPtr> PulledProxy::pull(std::size_t most) {
  std::unique_lock lock(mutex_);
  auto now = Clock::now();
  auto events = take(most, now);
  if (!events.empty()) return events;
  const events::WaitingPull waiting(
      parts().waiting_pulls, parts().limits.waiting_pulls,
      "too many calls of pull operations wait for events: call the try_ operation");
  const auto end = now + parts().limits.pull_patience;
  const auto connection = connection_;
  while (events.empty()) {
    if (now >= end) throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "there has been no event yet: pull again");
    arrived_.wait_until(lock, std::min(end, queue_.next_start().value_or(end)));
    // The earlier client may be gone: an event that this call took would be lost.
    if (connection_ != connection)
      throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "the consumer has connected again: pull again");
    now = Clock::now();
    events = take(most, now);
  }
  return events;
}

}  // namespace takt::notification

#include "notification_parts/model/event.h"

#include <algorithm>
#include <string>
#include <utility>

#include <takt/standard/TimeBaseC.h>

#include "notification_parts/model/event_types.h"
#include "octets/type_bytes.h"

namespace takt::notification {
namespace {

constexpr std::uint64_t overhead_bytes = 512;  // estimate of an Event

std::uint64_t size_of(const CORBA::Any& value) { return 64 + octets::any_bytes(value); }

std::uint64_t size_of(const CosNotification::PropertySeq& properties) {
  std::uint64_t bytes = 0;
  for (const auto& property : properties) bytes += 64 + property.name().size() + size_of(property.value());
  return bytes;
}

std::uint64_t size_of(const CosNotification::StructuredEvent& event) {
  const auto& fixed = event.header().fixed_header();
  return fixed.event_type().domain_name().size() + fixed.event_type().type_name().size() +
         fixed.event_name().size() + size_of(event.header().variable_header()) +
         size_of(event.filterable_data()) + size_of(event.remainder_of_body());
}

template <class Value>
void take(const CORBA::Any& from, std::optional<Value>& to) {
  Value value{};
  if (from >>= value) to = value;
}

void take_time(const CORBA::Any& from, std::optional<Units>& to) {
  TimeBase::UtcT time;
  if (from >>= time) to = time.time();
}

bool are_self_contained(const CosNotification::PropertySeq& properties) {
  return std::ranges::all_of(properties,
                             [](const auto& each) { return octets::is_self_contained(each.value()); });
}

EventQos qos_of(const CosNotification::PropertySeq& properties) {
  EventQos qos;
  for (const auto& property : properties) {
    const std::string& name = property.name();
    if (name == CosNotification::Priority) take(property.value(), qos.priority);
    if (name == CosNotification::EventReliability) take(property.value(), qos.reliability);
    if (name == CosNotification::Timeout) take(property.value(), qos.timeout);
    if (name == CosNotification::StartTime) take_time(property.value(), qos.start_time);
    if (name == CosNotification::StopTime) take_time(property.value(), qos.stop_time);
  }
  return qos;
}

}  // namespace

Event::Event(const CORBA::Any& data, Memory& memory, std::shared_ptr<HeldEvents> held)
    : came_as_any_(true),
      any_(data),
      sent_bytes_(size_of(data)),
      bytes_(2 * sent_bytes_ + overhead_bytes),
      memory_(memory),
      held_(std::move(held)) {
  memory_.take(bytes_);
  ++*held_;
}

Event::Event(const CosNotification::StructuredEvent& event, Memory& memory, std::shared_ptr<HeldEvents> held)
    : came_as_any_(false),
      structured_(event),
      qos_(qos_of(event.header().variable_header())),
      sent_bytes_(size_of(event)),
      bytes_(3 * sent_bytes_ + overhead_bytes),
      memory_(memory),
      held_(std::move(held)) {
  memory_.take(bytes_);
  ++*held_;
}

Event::~Event() {
  --*held_;
  memory_.give_back(bytes_);
}

std::string_view Event::domain() const {
  return came_as_any_ ? std::string_view() : structured_.header().fixed_header().event_type().domain_name();
}

std::string_view Event::type() const {
  return came_as_any_ ? any_type
                      : std::string_view(structured_.header().fixed_header().event_type().type_name());
}

const CORBA::Any& Event::as_any() const {
  if (!came_as_any_) std::call_once(any_made_, [this] { any_ <<= structured_; });
  return any_;
}

const CosNotification::StructuredEvent& Event::as_structured() const {
  if (came_as_any_)
    std::call_once(structured_made_, [this] {
      structured_.header().fixed_header().event_type().type_name(std::string(any_type));
      structured_.remainder_of_body(any_);
    });
  return structured_;
}

const Event::AnyPush& Event::any_push() const {
  std::call_once(any_push_made_, [this] { any_push_.emplace(as_any()); });
  return *any_push_;
}

const Event::StructuredPush& Event::structured_push() const {
  std::call_once(structured_push_made_, [this] { structured_push_.emplace(as_structured()); });
  return *structured_push_;
}

void Event::write(cdr::Encoder& out) const {
  const CosNotification::StructuredEvent& event = as_structured();
  in_sequence_.put(
      out, [&](cdr::Encoder& to) { cdr::write(to, event); },
      [&] {
        return octets::is_self_contained(event.remainder_of_body()) &&
               are_self_contained(event.header().variable_header()) &&
               are_self_contained(event.filterable_data());
      });
}

void Event::push_to(const CORBA::object_reference<CosEventComm::PushConsumer>& consumer) const {
  any_push()(consumer);
}

void Event::push_to(const CORBA::object_reference<CosNotifyComm::StructuredPushConsumer>& consumer) const {
  structured_push()(consumer);
}

}  // namespace takt::notification

// An event on its way through a notification channel, in all forms that clients want.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include <takt/corba.h>
#include <takt/invocation/prepared_call.h>

#include "CosNotifyCommC.h"
#include "events/model/event.h"
#include "notification_parts/model/times.h"
#include "octets/encoded_once.h"

namespace takt::notification {

using events::Memory;

// Events of one channel that exist now; shared by them and the channel.
using HeldEvents = std::atomic<std::uint64_t>;

// The properties in the variable header of an event that concern its delivery; properties of wrong types are
// ignored.
struct EventQos {
  std::optional<std::int16_t> priority{};
  std::optional<Units> timeout{};
  std::optional<Units> start_time{}, stop_time{};  // as in UtcT
  std::optional<std::int16_t> reliability{};
};

// Shared by the queues of all consumers. Each form is made when the first consumer needs it, and encoded once
// for all of them. Immutable; thread-safe. It is large because each form of the event, and its encoding, is a
// member.
class Event {
 public:
  Event(const CORBA::Any& data, Memory& memory, std::shared_ptr<HeldEvents> held);
  Event(const CosNotification::StructuredEvent& event, Memory& memory, std::shared_ptr<HeldEvents> held);
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  std::string_view domain() const;
  std::string_view type() const;  // any_type if the event came as an any
  const EventQos& qos() const { return qos_; }
  bool came_as_any() const { return came_as_any_; }

  // The store has the event under this number, for that many consumers. Before it is shared.
  void note_stored(std::uint64_t number, std::uint32_t consumers) {
    number_ = number;
    owed_ = consumers;
  }
  std::uint64_t number() const { return number_; }  // 0: it is not stored
  // One of these consumers needs it no longer. Returns whether that was the last.
  bool settle() const { return owed_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  // A structured event as an any that holds the whole of it.
  const CORBA::Any& as_any() const;
  // An any as the remainder of a structured event of the type any_type.
  const CosNotification::StructuredEvent& as_structured() const;

  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t sent_bytes() const { return sent_bytes_; }  // estimate: the value in a message
  // The arguments of these operations, for calls that are sent together.
  const invocation::PreparedArguments& push_arguments() const { return any_push().arguments(); }
  const invocation::PreparedArguments& structured_push_arguments() const {
    return structured_push().arguments();
  }
  // Appends the structured event to a request, as its codec does. It is encoded once for all sequences that
  // have it. The request may borrow octets until it has been sent.
  void write(cdr::Encoder& out) const;
  // These call push() and push_structured_event(). They block up to the reference's timeout.
  void push_to(const CORBA::object_reference<CosEventComm::PushConsumer>& consumer) const;
  void push_to(const CORBA::object_reference<CosNotifyComm::StructuredPushConsumer>& consumer) const;

 private:
  using AnyPush = PreparedCall<CosEventComm::PushConsumer, CosEventComm::PushConsumer::_operations::push>;
  using StructuredPush =
      PreparedCall<CosNotifyComm::StructuredPushConsumer,
                   CosNotifyComm::StructuredPushConsumer::_operations::push_structured_event>;

  const AnyPush& any_push() const;
  const StructuredPush& structured_push() const;

  const bool came_as_any_;
  mutable std::once_flag any_made_, structured_made_, any_push_made_, structured_push_made_;
  mutable CORBA::Any any_;
  mutable CosNotification::StructuredEvent structured_;
  mutable std::optional<AnyPush> any_push_;
  mutable std::optional<StructuredPush> structured_push_;
  octets::EncodedOnce<4> in_sequence_;
  EventQos qos_;
  std::uint64_t number_ = 0;
  mutable std::atomic<std::uint32_t> owed_{0};
  const std::uint64_t sent_bytes_;
  const std::uint64_t bytes_;  // estimate: the value, as it is held and as it is sent
  Memory& memory_;
  const std::shared_ptr<HeldEvents> held_;
};

using EventPtr = std::shared_ptr<const Event>;

}  // namespace takt::notification

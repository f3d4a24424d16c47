#include <takt/async/poller.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "async/deferred/deferred_calls.h"
#include "async/deferred/program_context.h"
#include "async/polling/polled_waits.h"
#include "reference/object_ref.h"

namespace CORBA {

const std::string& Pollable::_repository_id() {
  static const std::string id = "IDL:omg.org/CORBA/Pollable:1.0";
  return id;
}
typecode_reference Pollable::_type_code() {
  return takt::cdr::value_typecode<Pollable>("IDL:omg.org/CORBA/Pollable:1.0", "Pollable", VM_ABSTRACT,
                                             nullptr, [] { return std::vector<takt::cdr::ValueMember>{}; });
}

const std::string& DIIPollable::_repository_id() {
  static const std::string id = "IDL:omg.org/CORBA/DIIPollable:1.0";
  return id;
}
typecode_reference DIIPollable::_type_code() {
  return takt::cdr::value_typecode<DIIPollable>("IDL:omg.org/CORBA/DIIPollable:1.0", "DIIPollable",
                                                VM_ABSTRACT, nullptr,
                                                [] { return std::vector<takt::cdr::ValueMember>{}; });
}

}  // namespace CORBA

namespace Messaging {

const std::string& Poller::_repository_id() {
  static const std::string id = "IDL:omg.org/Messaging/Poller:1.0";
  return id;
}
CORBA::typecode_reference Poller::_type_code() {
  return takt::cdr::value_typecode<Poller>("IDL:omg.org/Messaging/Poller:1.0", "Poller", CORBA::VM_ABSTRACT,
                                           nullptr, [] { return std::vector<takt::cdr::ValueMember>{}; });
}

}  // namespace Messaging

namespace takt::async {

namespace {

using HandlerRef = CORBA::object_reference<Messaging::ReplyHandler>;

[[noreturn]] void throw_taken() {
  throw CORBA::OBJECT_NOT_EXIST(
      CORBA::omg_minor(5), CORBA::COMPLETED_NO,
      "the outcome of the call was taken from the poller, or has gone to a handler");
}

}  // namespace

void throw_not_ready(std::uint32_t timeout, const char* why) {
  if (timeout == 0) throw CORBA::NO_RESPONSE(CORBA::omg_minor(1), CORBA::COMPLETED_NO, why);
  throw CORBA::TIMEOUT(CORBA::omg_minor(1), CORBA::COMPLETED_NO, why);
}

PolledCall::PolledCall(const CORBA::Object& target, std::string_view operation)
    : target_(target._ref() ? reference::make_stub<CORBA::Object>(target._ref())
                            : CORBA::object_reference<CORBA::Object>()),
      operation_(operation),
      waits_(std::make_unique<Waits>()) {}

PolledCall::~PolledCall() = default;

bool PolledCall::is_ready(std::uint32_t timeout) const {
  os::PriorityCondition::Lock lock(waits_->signal.mutex);
  return wait_for(waits_->signal, lock, timeout, [this] { return waits_->state != Waits::State::waits; });
}

void PolledCall::take(std::uint32_t timeout) {
  os::PriorityCondition::Lock lock(waits_->signal.mutex);
  const bool there =
      wait_for(waits_->signal, lock, timeout, [this] { return waits_->state != Waits::State::waits; });
  if (waits_->state == Waits::State::ready) {
    waits_->state = Waits::State::gone;
    return;
  }
  waits_->last = Waits::Last::of_poller;
  if (!there) throw_not_ready(timeout, "the call has no outcome yet");
  throw_taken();
}

void PolledCall::throw_other_operation() {
  {
    const std::lock_guard lock(waits_->signal.mutex);
    waits_->last = Waits::Last::of_poller;
  }
  throw CORBA::BAD_OPERATION(0, CORBA::COMPLETED_NO,
                             "the poller is that of a call of " + std::string(operation_));
}

void PolledCall::note_raised() {
  const std::lock_guard lock(waits_->signal.mutex);
  waits_->last = Waits::Last::of_call;
}

bool PolledCall::is_from_poller() const {
  const std::lock_guard lock(waits_->signal.mutex);
  if (waits_->last == Waits::Last::none)
    throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(22), CORBA::COMPLETED_NO,
                               "no operation of the poller has raised an exception");
  return waits_->last == Waits::Last::of_poller;
}

HandlerRef PolledCall::handler() const {
  const std::lock_guard lock(waits_->signal.mutex);
  return waits_->handler;
}

void PolledCall::use_handler(const std::shared_ptr<PolledCall>& self, HandlerRef handler) {
  if (handler && !fits(handler))
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "the handler is not one of the interface whose operation was called");
  const std::lock_guard lock(waits_->signal.mutex);
  if (waits_->state == Waits::State::gone) throw_taken();
  if (handler && waits_->state == Waits::State::ready) {
    // Under the lock, so that no other thread takes the outcome, which stays if this throws.
    DeferredCalls::of_programs().add([self, handler] { self->give_quietly(handler); }, waits_->urgency);
    waits_->state = Waits::State::gone;
  }
  waits_->handler.swap(handler);  // the one before ends without the lock
}

// Exceptions of handlers end here.
void PolledCall::give_quietly(const HandlerRef& handler) noexcept {
  const client::Client& client = client::client_of(*target_->_ref()->references());
  const ProgramContext context(client, std::nullopt);
  run_at(client, waits_->priority);
  try {
    give_to(handler);
  } catch (...) {  // as those of other handlers
  }
}

void PolledCall::end() {
  HandlerRef handler;
  std::shared_ptr<Signal> of_set;
  {
    const std::lock_guard lock(waits_->signal.mutex);
    handler = waits_->handler;
    waits_->state = handler ? Waits::State::gone : Waits::State::ready;
    of_set = waits_->of_set;
    waits_->signal.changed.notify_all();
  }
  if (of_set) {
    const std::lock_guard lock(of_set->mutex);
    of_set->changed.notify_all();
  }
  if (handler) give_to(handler);
}

CORBA::valuetype_reference<CORBA::ValueBase> PollerOfCall::_copy_value() const {
  throw CORBA::MARSHAL(0, CORBA::COMPLETED_NO, "a poller cannot be copied");
}

// The id of no concrete value, since a poller stays in its process.
const cdr::ValueDescription& PollerOfCall::_value_type() const {
  static constexpr std::string_view ids[] = {"IDL:omg.org/Messaging/Poller:1.0"};
  static constexpr cdr::ValueDescription description{ids};
  return description;
}

void PollerOfCall::_write_state(cdr::Encoder& to) const { to.fail(cdr::Error::bad_value); }

bool PollerOfCall::_read_state(cdr::Decoder&) { return false; }

}  // namespace takt::async

// Pollers of the classic mapping, and sets of them.
#include <takt/classic/pollers.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

#include <takt/classic/corba.h>
#include <takt/classic/system_exceptions.h>

#include "classic_async/bridge/polled_calls.h"
#include "threads/locks/priority_mutex.h"

namespace CORBA {
inline namespace takt_classic_ {

const char* const Pollable::_PD_repoId = "IDL:omg.org/CORBA/Pollable:1.0";
const char* const DIIPollable::_PD_repoId = "IDL:omg.org/CORBA/DIIPollable:1.0";
const char* const PollableSet::_PD_repoId = "IDL:omg.org/CORBA/PollableSet:1.0";

void PollableSet::NoPossiblePollable::_raise() const { throw *this; }
const char* PollableSet::NoPossiblePollable::_name() const { return "NoPossiblePollable"; }
const char* PollableSet::NoPossiblePollable::_rep_id() const {
  return "IDL:omg.org/CORBA/PollableSet/NoPossiblePollable:1.0";
}
void PollableSet::UnknownPollable::_raise() const { throw *this; }
const char* PollableSet::UnknownPollable::_name() const { return "UnknownPollable"; }
const char* PollableSet::UnknownPollable::_rep_id() const {
  return "IDL:omg.org/CORBA/PollableSet/UnknownPollable:1.0";
}

PollableSet_ptr PollableSet::_duplicate(PollableSet_ptr set) {
  return takt::classic::Locals<PollableSet>::duplicate(set);
}
bool PollableSet::_takt_has_type(const char* id) const {
  return std::strcmp(id, _PD_repoId) == 0 || Object::_takt_has_type(id);
}

namespace {

struct NilSet final : PollableSet {
  NilSet() : LocalObject(takt::classic::Nil()) {}
  DIIPollable* create_dii_pollable() override { takt::classic::raise_nil(); }
  void add_pollable(Pollable*) override { takt::classic::raise_nil(); }
  Pollable* get_ready_pollable(ULong) override { takt::classic::raise_nil(); }
  void remove(Pollable*) override { takt::classic::raise_nil(); }
  UShort number_left() override { takt::classic::raise_nil(); }
};

PollableSet_ptr set_with(Pollable& pollable);

// Ready while the program has not taken a reply of a deferred dynamic request.
class DynamicPollable final : public virtual DIIPollable, public virtual DefaultValueRefCountBase {
 public:
  explicit DynamicPollable(takt::classic::PolledCall* replies) : replies_(replies) {}

  Boolean is_ready(ULong timeout) override { return takt::classic::polled::is_ready(*replies_, timeout); }
  PollableSet_ptr create_pollable_set() override { return set_with(*this); }
  takt::classic::PolledCall& replies() const { return *replies_; }

  ValueBase* _copy_value() override { throw MARSHAL(0, COMPLETED_NO); }
  const takt::classic::ValueType& _takt_value_type() const override {
    static const char* const ids[] = {DIIPollable::_PD_repoId};
    static const takt::classic::ValueType type(ids, 1);
    return type;
  }
  void _takt_write_state(takt::classic::Writer&) const override { throw MARSHAL(0, COMPLETED_NO); }
  void _takt_read_state(takt::classic::Reader&) override { throw MARSHAL(0, COMPLETED_NO); }
  takt::classic::ValueImplementation* _takt_make() const override { return nullptr; }

 private:
  ~DynamicPollable() override { takt::classic::polled::free_call(replies_); }
  takt::classic::PolledCall* const replies_;
};

// The runtime's. Null for a pollable of the program's.
takt::classic::PolledCall* call_of(Pollable* pollable) {
  if (auto* const poller = dynamic_cast<takt::classic::PollerOfCall*>(pollable)) return &poller->_takt_call();
  auto* const replies = dynamic_cast<DynamicPollable*>(pollable);
  return replies ? &replies->replies() : nullptr;
}

// The runtime's set knows which calls are ready; this one has the pollers.
class SetOfPollers final : public PollableSet {
 public:
  SetOfPollers() : set_(takt::classic::polled::make_set()) {}
  ~SetOfPollers() override { takt::classic::polled::free_set(set_); }

  DIIPollable* create_dii_pollable() override {
    return new DynamicPollable(takt::classic::polled::make_dynamic(*set_));
  }
  void add_pollable(Pollable* potential) override {
    takt::classic::PolledCall* const call = call_of(potential);
    if (!call) throw BAD_PARAM(0, COMPLETED_NO);
    const std::lock_guard<takt::os::PriorityMutex> lock(mutex_);
    pollers_.push_back({Pollable_var(Pollable::_duplicate(potential)), takt::classic::polled::key(*call)});
    try {
      takt::classic::polled::add(*set_, *call);
    } catch (...) {
      pollers_.pop_back();
      throw;
    }
  }
  Pollable* get_ready_pollable(ULong timeout) override {
    const void* const ready = takt::classic::polled::take_ready(*set_, timeout);
    if (!ready) throw NoPossiblePollable();
    return taken_out(ready)._retn();
  }
  void remove(Pollable* potential) override {
    takt::classic::PolledCall* const call = call_of(potential);
    if (!call || !takt::classic::polled::remove(*set_, *call)) throw UnknownPollable();
    taken_out(takt::classic::polled::key(*call));
  }
  UShort number_left() override { return takt::classic::polled::number_left(*set_); }

 private:
  struct Member {
    Pollable_var poller;
    const void* key;  // The key of its call.
  };

  Pollable_var taken_out(const void* key) {
    const std::lock_guard<takt::os::PriorityMutex> lock(mutex_);
    const auto found =
        std::find_if(pollers_.begin(), pollers_.end(), [&](const Member& one) { return one.key == key; });
    if (found == pollers_.end()) throw INTERNAL(0, COMPLETED_NO);
    Pollable_var poller = found->poller;
    pollers_.erase(found);
    return poller;
  }

  takt::os::PriorityMutex mutex_;
  std::vector<Member> pollers_;
  takt::classic::PolledCalls* const set_;
};

PollableSet_ptr set_with(Pollable& pollable) {
  PollableSet_var set = new SetOfPollers;
  set->add_pollable(&pollable);
  return set._retn();
}

}  // namespace

PollableSet_ptr PollableSet::_nil() {
  static NilSet* const nil = new NilSet;
  return nil;
}

}  // namespace takt_classic_
}  // namespace CORBA

namespace Messaging {
inline namespace takt_classic_ {
const char* const Poller::_PD_repoId = "IDL:omg.org/Messaging/Poller:1.0";
}
}  // namespace Messaging

namespace takt {
namespace classic {

PolledOperation::PolledOperation(const Operation& operation, AsynchronousOperation::Deliver deliver,
                                 AsynchronousOperation::Release release, AsynchronousOperation::Copy copy)
    : type_(polled::make_type(operation, deliver, release, copy)) {}

PollerOfCall::PollerOfCall(CORBA::Object_ptr target, Reference* reference, const PolledOperation& operation)
    : operation_(operation),
      target_(CORBA::Object::_duplicate(target)),
      call_(polled::make_call(reference, operation.type_)) {}
PollerOfCall::~PollerOfCall() { polled::free_call(call_); }

CORBA::Boolean PollerOfCall::is_ready(CORBA::ULong timeout) { return polled::is_ready(*call_, timeout); }

CORBA::PollableSet_ptr PollerOfCall::create_pollable_set() { return CORBA::set_with(*this); }

CORBA::Object_ptr PollerOfCall::operation_target() { return CORBA::Object::_duplicate(target_.in()); }
char* PollerOfCall::operation_name() { return CORBA::string_dup(polled::operation(*call_)); }
CORBA::Boolean PollerOfCall::is_from_poller() { return polled::is_from_poller(*call_); }

Messaging::ReplyHandler_ptr PollerOfCall::associated_handler() {
  return Messaging::ReplyHandler::_duplicate(handler_.in());
}
void PollerOfCall::associated_handler(Messaging::ReplyHandler_ptr handler) {
  void* const narrowed = CORBA::is_nil(handler) ? nullptr : _takt_narrowed(handler);
  if (!narrowed && !CORBA::is_nil(handler)) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO);
  polled::use_handler(*call_, operation_.type_, narrowed);
  handler_ = Messaging::ReplyHandler::_duplicate(handler);
}

DeliveredReply& PollerOfCall::_takt_take(const char* operation, CORBA::ULong timeout) {
  return polled::take(*call_, operation, timeout);
}
void PollerOfCall::_takt_note_raised() { polled::note_raised(*call_); }

CORBA::ValueBase* PollerOfCall::_copy_value() { throw CORBA::MARSHAL(0, CORBA::COMPLETED_NO); }
const ValueType& PollerOfCall::_takt_value_type() const {
  static const char* const ids[] = {Messaging::Poller::_PD_repoId};
  static const ValueType type(ids, 1);
  return type;
}
void PollerOfCall::_takt_write_state(Writer&) const { throw CORBA::MARSHAL(0, CORBA::COMPLETED_NO); }
void PollerOfCall::_takt_read_state(Reader&) { throw CORBA::MARSHAL(0, CORBA::COMPLETED_NO); }

PolledSending::PolledSending(Reference* target, const PolledOperation& operation,
                             const PollerOfCall& poller) {
  polled::begin_sending(memory_, sizeof memory_, target, operation.type_, poller._takt_call());
}
PolledSending::~PolledSending() { asynchronous::end_sending(memory_); }
Writer& PolledSending::begin() { return asynchronous::begin_arguments(memory_); }
bool PolledSending::send() { return asynchronous::send(memory_); }

}  // namespace classic
}  // namespace takt

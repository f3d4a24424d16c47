// Pollers of asynchronous calls in the classic mapping, sets of them, and how generated sendp_ functions make
// calls (CORBA 3.1, 17.9 to 17.11; takt-idl --mapping classic --ami). C++14.
//
//   Stock::AMI_QuoterPoller_var poller = quoter->sendp_get_quote("RHAT");
//   CORBA::Double result;
//   poller->get_quote(1000, result);  // waits a second at most
#pragma once

#include <takt/classic/asynchronous.h>

namespace takt {
namespace classic {
class PolledCall;   // incomplete: the runtime's
class PolledCalls;  // incomplete: a set of them
}  // namespace classic
}  // namespace takt

namespace CORBA {
inline namespace takt_classic_ {

class PollableSet;
typedef PollableSet* PollableSet_ptr;
typedef takt::classic::ObjectVar<PollableSet> PollableSet_var;
typedef takt::classic::ObjectOut<PollableSet> PollableSet_out;

class Pollable;
typedef Pollable* Pollable_ptr;
typedef takt::classic::ObjectVar<Pollable> Pollable_var;
typedef takt::classic::ObjectOut<Pollable> Pollable_out;
// A poller becomes ready once; a DIIPollable, for each reply. Any thread. Timeouts are in milliseconds; 0
// does not wait, 0xffffffff waits as long as it takes.
class Pollable : public virtual ValueBase {
 public:
  typedef Pollable_ptr _ptr_type;
  typedef Pollable_var _var_type;
  static Pollable* _downcast(ValueBase* value) { return dynamic_cast<Pollable*>(value); }
  static Pollable* _duplicate(Pollable* value) {
    if (value) value->_add_ref();
    return value;
  }
  static Pollable* _nil() { return nullptr; }
  static const char* const _PD_repoId;
  static const char* _takt_formal_id() { return _PD_repoId; }

  // Whether it is ready. Waits for that.
  virtual Boolean is_ready(ULong timeout) = 0;
  // A new set that contains this one, the caller's. Throws BAD_PARAM (OMG minor 43) for one that is in a set.
  virtual PollableSet_ptr create_pollable_set() = 0;

 protected:
  Pollable() {}
  ~Pollable() override {}
};

class DIIPollable;
typedef DIIPollable* DIIPollable_ptr;
typedef takt::classic::ObjectVar<DIIPollable> DIIPollable_var;
class DIIPollable : public virtual Pollable {
 public:
  typedef DIIPollable_ptr _ptr_type;
  typedef DIIPollable_var _var_type;
  static DIIPollable* _downcast(ValueBase* value) { return dynamic_cast<DIIPollable*>(value); }
  static DIIPollable* _duplicate(DIIPollable* value) {
    if (value) value->_add_ref();
    return value;
  }
  static DIIPollable* _nil() { return nullptr; }
  static const char* const _PD_repoId;
  static const char* _takt_formal_id() { return _PD_repoId; }

 protected:
  DIIPollable() {}
  ~DIIPollable() override {}
};

// Several pollables, for a thread that waits for whichever is ready first. Any thread.
class PollableSet : public virtual LocalObject {
 public:
  typedef PollableSet_ptr _ptr_type;
  typedef PollableSet_var _var_type;
  static PollableSet_ptr _duplicate(PollableSet_ptr set);
  static PollableSet_ptr _nil();
  static const char* const _PD_repoId;
  bool _takt_has_type(const char* id) const override;

  TAKT_CLASSIC_USER_EXCEPTION(NoPossiblePollable)
  TAKT_CLASSIC_USER_EXCEPTION(UnknownPollable)

  // A pollable for replies of deferred dynamic requests, of all ORBs of the process; the caller's. It is
  // ready while there is a reply that was not taken. Not in the set.
  virtual DIIPollable* create_dii_pollable() = 0;
  // Throws BAD_PARAM (OMG minor 43) for one that is in a set, and BAD_PARAM for null.
  virtual void add_pollable(Pollable* potential) = 0;
  // Waits for one that is ready and takes it out of the set; the caller's. Throws NoPossiblePollable for an
  // empty set, NO_RESPONSE (OMG minor 1) if `timeout` is 0, TIMEOUT (OMG minor 1) if it has passed.
  virtual Pollable* get_ready_pollable(ULong timeout) = 0;
  // Throws UnknownPollable for one that is not in the set.
  virtual void remove(Pollable* potential) = 0;
  virtual UShort number_left() = 0;

 protected:
  PollableSet() {}
  ~PollableSet() override {}
};

}  // namespace takt_classic_
}  // namespace CORBA

namespace Messaging {
inline namespace takt_classic_ {

class Poller;
typedef Poller* Poller_ptr;
typedef takt::classic::ObjectVar<Poller> Poller_var;
typedef takt::classic::ObjectOut<Poller> Poller_out;
// An asynchronous call whose outcome a thread asks for. Generated pollers have an operation for each
// operation and attribute of their interface. The operation that was called returns the results, or throws
// the exception of the call, once. Without an outcome it throws NO_RESPONSE (OMG minor 1) if the timeout is
// 0, and TIMEOUT (OMG minor 1) if it has passed. It throws OBJECT_NOT_EXIST (OMG minor 5) after the outcome
// was taken or went to a handler. Operations that were not called throw BAD_OPERATION. A poller cannot be
// sent.
class Poller : public virtual ::CORBA::Pollable {
 public:
  typedef Poller_ptr _ptr_type;
  typedef Poller_var _var_type;
  static Poller* _downcast(::CORBA::ValueBase* value) { return dynamic_cast<Poller*>(value); }
  static Poller* _duplicate(Poller* value) {
    if (value) value->_add_ref();
    return value;
  }
  static Poller* _nil() { return nullptr; }
  static const char* const _PD_repoId;
  static const char* _takt_formal_id() { return _PD_repoId; }

  // Both are the caller's.
  virtual ::CORBA::Object_ptr operation_target() = 0;
  virtual char* operation_name() = 0;
  // The handler that gets the outcome, the caller's; nil if there is none.
  virtual ReplyHandler_ptr associated_handler() = 0;
  // As long as the outcome was not taken. If it is there, a thread of the ORB delivers it. One thread at a
  // time. Throws BAD_PARAM for a handler of another interface, OBJECT_NOT_EXIST (OMG minor 5) if the outcome
  // was taken.
  virtual void associated_handler(ReplyHandler_ptr handler) = 0;
  // Whether the last exception of an operation was the poller's and not the call's. Throws BAD_INV_ORDER (OMG
  // minor 22) before the first.
  virtual ::CORBA::Boolean is_from_poller() = 0;

 protected:
  Poller() {}
  ~Poller() override {}
};

}  // namespace takt_classic_
}  // namespace Messaging

namespace takt {
namespace classic {

// The part that polled calls of one operation share. Never destroyed.
class PolledOperation {
 public:
  // `deliver`, `release` and `copy` as those of AsynchronousOperation.
  PolledOperation(const Operation& operation, AsynchronousOperation::Deliver deliver,
                  AsynchronousOperation::Release release, AsynchronousOperation::Copy copy);

 private:
  friend class PollerOfCall;
  friend class PolledSending;
  const void* const type_;  // the runtime's
};

// The base of generated pollers.
class PollerOfCall : public virtual Messaging::Poller, public virtual CORBA::DefaultValueRefCountBase {
 public:
  PollerOfCall(CORBA::Object_ptr target, Reference* reference, const PolledOperation& operation);

  CORBA::Boolean is_ready(CORBA::ULong timeout) override;
  CORBA::PollableSet_ptr create_pollable_set() override;
  CORBA::Object_ptr operation_target() override;
  char* operation_name() override;
  Messaging::ReplyHandler_ptr associated_handler() override;
  void associated_handler(Messaging::ReplyHandler_ptr handler) override;
  CORBA::Boolean is_from_poller() override;

  CORBA::ValueBase* _copy_value() override;  // throws MARSHAL
  const ValueType& _takt_value_type() const override;
  void _takt_write_state(Writer& out) const override;  // throws MARSHAL
  void _takt_read_state(Reader& in) override;
  ValueImplementation* _takt_make() const override { return nullptr; }

  PolledCall& _takt_call() const { return *call_; }

 protected:
  ~PollerOfCall() override;
  // Waits for the outcome of that operation, as it is named on the wire. Valid as long as the poller.
  DeliveredReply& _takt_take(const char* operation, CORBA::ULong timeout);
  // The exception is the call's.
  void _takt_note_raised();
  // The handler as one of the interface's, the caller's; null if it is another.
  virtual void* _takt_narrowed(Messaging::ReplyHandler_ptr handler) = 0;

 private:
  const PolledOperation& operation_;
  const CORBA::Object_var target_;
  PolledCall* const call_;
  Messaging::ReplyHandler_var handler_;
};

// Sends a call as AsynchronousCall does. The poller gets the outcome.
class PolledSending {
 public:
  PolledSending(Reference* target, const PolledOperation& operation, const PollerOfCall& poller);
  ~PolledSending();
  PolledSending(const PolledSending&) = delete;
  PolledSending& operator=(const PolledSending&) = delete;

  Writer& begin();
  bool send();  // false: once more

 private:
  alignas(16) unsigned char memory_[1536];  // the runtime's Sending
};

}  // namespace classic
}  // namespace takt

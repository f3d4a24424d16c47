// Pollers of asynchronous calls, and sets of them (modules CORBA and Messaging; CORBA 3.1, 17.9 to 17.11).
//
//   auto poller = greeter->sendp_greet("world");
//   std::string text;
//   poller->greet(1000, text);  // waits a second at most
#pragma once

#include <cstdint>
#include <string>

#include <takt/async/messaging.h>
#include <takt/cdr/exception.h>
#include <takt/cdr/value.h>
#include <takt/reference/object.h>
#include <takt/reference/reference_codec.h>

namespace CORBA {

class Pollable;
class DIIPollable;

// Several pollables, for a thread that waits for whichever is ready first. Local. Any thread.
class PollableSet : public virtual LocalObject {
 public:
  using _traits_type = IDL::traits<PollableSet>;
  using _ref_type = object_reference<PollableSet>;

  // get_ready_pollable() was called for an empty set.
  class NoPossiblePollable final : public UserException {
   public:
    const char* what() const noexcept override {
      return "CORBA::PollableSet::NoPossiblePollable: the set is empty";
    }
    const char* _rep_id() const noexcept override {
      return "IDL:omg.org/CORBA/PollableSet/NoPossiblePollable:1.0";
    }
    const char* _name() const noexcept override { return "NoPossiblePollable"; }
    [[noreturn]] void _raise() const override { throw *this; }
  };
  class UnknownPollable final : public UserException {
   public:
    const char* what() const noexcept override {
      return "CORBA::PollableSet::UnknownPollable: the pollable is not in the set";
    }
    const char* _rep_id() const noexcept override {
      return "IDL:omg.org/CORBA/PollableSet/UnknownPollable:1.0";
    }
    const char* _name() const noexcept override { return "UnknownPollable"; }
    [[noreturn]] void _raise() const override { throw *this; }
  };

  // A pollable for replies of deferred dynamic requests, of all ORBs of the process. It is ready while there
  // is a reply that was not taken. Not in the set.
  virtual valuetype_reference<DIIPollable> create_dii_pollable() = 0;
  // Throws BAD_PARAM (OMG minor 43) for one that is in a set, and BAD_PARAM for nil and for one that this ORB
  // did not make.
  virtual void add_pollable(const valuetype_reference<Pollable>& potential) = 0;
  // Waits for one that is ready, `timeout` milliseconds at most (see Pollable::is_ready), and takes it out of
  // the set. The first of those that are ready in the order in which they were added. Throws
  // NoPossiblePollable, NO_RESPONSE (OMG minor 1) if `timeout` is 0, TIMEOUT (OMG minor 1) if it has passed.
  virtual valuetype_reference<Pollable> get_ready_pollable(std::uint32_t timeout) = 0;
  // Throws UnknownPollable.
  virtual void remove(const valuetype_reference<Pollable>& potential) = 0;
  // How many are in the set.
  virtual std::uint16_t number_left() = 0;

  static const std::string& _interface_repository_id();
  bool _is_a_local(const std::string& id) const override;
  static typecode_reference _type_code();

 protected:
  PollableSet() = default;
};
inline constexpr takt::cdr::TypeCodeConstant _tc_PollableSet{&PollableSet::_type_code};

// A poller becomes ready once; a DIIPollable, for each reply. Any thread.
class Pollable : public virtual ValueBase {
 public:
  using _traits_type = IDL::traits<Pollable>;
  using _ref_type = valuetype_reference<Pollable>;
  // A timeout without end; 0 is one that does not wait.
  static constexpr std::uint32_t _for_ever = 0xffffffff;

  // Whether it is ready. Waits for that, `timeout` milliseconds at most.
  virtual bool is_ready(std::uint32_t timeout) = 0;
  // Returns a new set that contains this one, which must not be in a set: BAD_PARAM (OMG minor 43).
  virtual object_reference<PollableSet> create_pollable_set() = 0;

  static const std::string& _repository_id();
  static typecode_reference _type_code();

 protected:
  Pollable() = default;
};
inline constexpr takt::cdr::TypeCodeConstant _tc_Pollable{&Pollable::_type_code};

class DIIPollable : public virtual Pollable {
 public:
  using _traits_type = IDL::traits<DIIPollable>;
  using _ref_type = valuetype_reference<DIIPollable>;

  static const std::string& _repository_id();
  static typecode_reference _type_code();

 protected:
  DIIPollable() = default;
};
inline constexpr takt::cdr::TypeCodeConstant _tc_DIIPollable{&DIIPollable::_type_code};

}  // namespace CORBA

namespace Messaging {

// An asynchronous call whose outcome a thread asks for. Generated pollers have an operation for each
// operation and attribute of their interface, with a timeout as Pollable::is_ready() has. The operation that
// was called returns the results, or throws the exception of the call, once. Without an outcome it throws
// NO_RESPONSE (OMG minor 1) if the timeout is 0, and TIMEOUT (OMG minor 1) if it has passed. It throws
// OBJECT_NOT_EXIST (OMG minor 5) after the outcome was taken or went to a handler. Operations that were not
// called throw BAD_OPERATION. A poller cannot be sent to another process. Must not wait in a thread that
// delivers outcomes.
class Poller : public virtual CORBA::Pollable {
 public:
  using _traits_type = IDL::traits<Poller>;
  using _ref_type = CORBA::valuetype_reference<Poller>;

  virtual CORBA::object_reference<CORBA::Object> operation_target() = 0;
  // The operation that was called: "op", "_get_x" or "_set_x".
  virtual std::string operation_name() = 0;
  // The handler that gets the outcome; nil if there is none.
  virtual CORBA::object_reference<ReplyHandler> associated_handler() = 0;
  // As long as the outcome was not taken. If it is there, a thread of the ORB delivers it. Throws BAD_PARAM
  // for a handler of another interface, OBJECT_NOT_EXIST (OMG minor 5) if the outcome was taken.
  virtual void associated_handler(const CORBA::object_reference<ReplyHandler>& handler) = 0;
  // Whether the last exception of an operation was the poller's and not the call's. Throws BAD_INV_ORDER (OMG
  // minor 22) before the first.
  virtual bool is_from_poller() = 0;

  static const std::string& _repository_id();
  static CORBA::typecode_reference _type_code();

 protected:
  Poller() = default;
};
inline constexpr takt::cdr::TypeCodeConstant _tc_Poller{&Poller::_type_code};

}  // namespace Messaging

// Reply handlers in the classic mapping, and how generated sendc_ functions make calls (CORBA 3.1, 17.8 and
// 17.13; takt-idl --mapping classic --ami). C++14.
//
//   class Handler : public virtual POA_Stock::AMI_QuoterHandler {
//     void get_quote(CORBA::Double result) override { ... }
//     void get_quote_excep(Messaging::ExceptionHolder* holder) override {
//       try { holder->raise_exception(); } catch (const Stock::Invalid_Symbol&) { ... }
//     }
//   };
//   Stock::AMI_QuoterHandler_var handler = servant->_this();
//   quoter->sendc_get_quote(handler, "RHAT");
#pragma once

#include <cstddef>
#include <exception>

#include <takt/classic/call.h>
#include <takt/classic/servant.h>
#include <takt/classic/value.h>

namespace takt {
namespace classic {
class ArrivedException;  // incomplete: the runtime's exception holder
}
}  // namespace takt

namespace Messaging {
inline namespace takt_classic_ {

class ReplyHandler;
typedef ReplyHandler* ReplyHandler_ptr;
typedef takt::classic::ObjectVar<ReplyHandler> ReplyHandler_var;
typedef takt::classic::ObjectOut<ReplyHandler> ReplyHandler_out;
// The base of reply handlers. One of the two operations for a call is called once, in a thread of the ORB;
// the handler may also be in another process. Exceptions that a handler throws are logged.
class ReplyHandler : public virtual ::CORBA::Object {
 public:
  typedef ReplyHandler_ptr _ptr_type;
  typedef ReplyHandler_var _var_type;
  static ReplyHandler_ptr _duplicate(ReplyHandler_ptr object);
  static ReplyHandler_ptr _narrow(::CORBA::Object_ptr object);
  static ReplyHandler_ptr _unchecked_narrow(::CORBA::Object_ptr object);
  static ReplyHandler_ptr _nil();
  static const char* const _PD_repoId;
  bool _takt_has_type(const char* id) const override;

 protected:
  ReplyHandler() {}
};

class ExceptionHolder;
typedef ExceptionHolder* ExceptionHolder_ptr;
typedef takt::classic::ObjectVar<ExceptionHolder> ExceptionHolder_var;
typedef takt::classic::ObjectOut<ExceptionHolder> ExceptionHolder_out;
// The exception that ended an asynchronous call. The ORB's; _add_ref() keeps it. Any thread.
class ExceptionHolder : public virtual ::CORBA::DefaultValueRefCountBase {
 public:
  typedef ExceptionHolder_ptr _ptr_type;
  typedef ExceptionHolder_var _var_type;
  static ExceptionHolder* _downcast(::CORBA::ValueBase* value) {
    return dynamic_cast<ExceptionHolder*>(value);
  }
  static ExceptionHolder* _duplicate(ExceptionHolder* value) {
    if (value) value->_add_ref();
    return value;
  }
  static ExceptionHolder* _nil() { return nullptr; }
  static const char* const _PD_repoId;
  static const char* _takt_formal_id() { return _PD_repoId; }

  // Holds what is being handled: an exception of CORBA's.
  explicit ExceptionHolder(std::exception_ptr held);
  ExceptionHolder();  // for one that arrives

  // Throws the exception with its full type, any number of times. A holder from another process throws system
  // exceptions, and user exceptions of IDL compiled with --ami. It throws UNKNOWN (OMG minor 1) for others,
  // and MARSHAL if it cannot be read.
  void raise_exception();

  const takt::classic::ValueType& _takt_value_type() const override;
  void _takt_write_state(takt::classic::Writer& out) const override;
  void _takt_read_state(takt::classic::Reader& in) override;
  takt::classic::ValueImplementation* _takt_make() const override { return new ExceptionHolder; }

 protected:
  ~ExceptionHolder() override;

 private:
  const std::exception_ptr held_;  // null in one that has arrived
  takt::classic::ArrivedException* arrived_;
};

}  // namespace takt_classic_
}  // namespace Messaging

namespace POA_Messaging {

// The base of reply handlers' skeletons.
class ReplyHandler : public virtual ::PortableServer::ServantBase {
 public:
  ::Messaging::ReplyHandler_ptr _this();
  const char* _takt_repository_id() override;
  const takt::classic::Entry* _takt_find(const char* name, std::size_t length, void*& skeleton) override;
  bool _takt_supports(const char* id) const override;
};

}  // namespace POA_Messaging

namespace takt {
namespace classic {

template <>
struct Proxies< ::Messaging::ExceptionHolder> : ValueProxies< ::Messaging::ExceptionHolder> {};

// A call's outcome. Lives while it is delivered; one thread.
class DeliveredReply {
 public:
  // Throws the system exception that ended the call, if one did.
  bool is_user_exception() const;
  // As in Call.
  bool raised(const char* repository_id) const;
  void throw_unlisted() const;
  Reader& reply() const;
  void finish() const;

 private:
  DeliveredReply();  // a name for an object of the runtime
};

// The part that asynchronous calls of one operation share. Never destroyed: calls may be under way when a
// process exits.
class AsynchronousOperation {
 public:
  // Calls the handler. Exceptions may leave it.
  typedef void (*Deliver)(void* handler, DeliveredReply& reply);
  typedef void (*Release)(void* handler);
  // Reads the arguments and writes them again, for another connection.
  typedef void (*Copy)(Reader& in, Writer& out);

  AsynchronousOperation(const Operation& operation, Deliver deliver, Release release, Copy copy);

 private:
  friend class AsynchronousCall;
  const void* const type_;  // the runtime's CallType
};

// Use in a sendc_ function:
//
//   AsynchronousCall call(_takt_reference(), operation, handler);
//   do write(call.begin(), argument); while (!call.send());
//
// Takes over the handler, which may be null: then the outcome is dropped. All functions throw the system
// exceptions of a call that was not sent, and may block to connect.
class AsynchronousCall {
 public:
  AsynchronousCall(Reference* target, const AsynchronousOperation& operation, void* handler);
  ~AsynchronousCall();
  AsynchronousCall(const AsynchronousCall&) = delete;
  AsynchronousCall& operator=(const AsynchronousCall&) = delete;

  Writer& begin();
  bool send();  // false: once more

 private:
  alignas(16) unsigned char memory_[1536];  // the runtime's Sending
};

// For the generated parameter: nil becomes null.
template <class Handler>
void* handler_of(Handler* handler) {
  return CORBA::is_nil(handler) ? nullptr : Handler::_duplicate(handler);
}
template <class Handler>
void release_handler(void* handler) {
  CORBA::release(static_cast<Handler*>(handler));
}

// A user exception that holders from other processes may have. Generated for interfaces with sendc_
// functions.
class KnownException {
 public:
  // Throws the exception if its members can be read.
  typedef void (*Raise)(Reader& members);
  KnownException(const char* id, Raise raise);

 private:
  const void* const known_;  // the runtime's; never destroyed
};
template <class Exception>
void raise_from(Reader& members) {
  Exception exception;
  exception._takt_read(members);
  if (good(members)) throw exception;
}

}  // namespace classic
}  // namespace takt

// Requests without generated code: the dynamic invocation interface (CORBA 3.0.3, chapter 7; after the IDL to
// C++11 mapping).
//
//   const auto request = object->_request("add");
//   request->add_in_arg() <<= std::int32_t{1};
//   request->add_in_arg() <<= std::int32_t{2};
//   request->set_return_type(IDL::type_code<std::int32_t>());
//   request->invoke();
//   std::int32_t sum = 0;
//   request->return_value() >>= sum;
//
//   request->_reset();  // and again, with other values: nothing is built anew
//   request->arguments()->item(0)->value() <<= std::int32_t{5};
//   request->invoke();
#pragma once

#include <exception>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <takt/cdr/mapping/value_text.h>
#include <takt/dynamic/named_values.h>
#include <takt/reference/object.h>

namespace takt::dynamic {
struct Arrivals;
class RequestCompletion;
class RequestMemory;
class ShownRequest;
}  // namespace takt::dynamic
namespace takt::invocation {
class InterceptedCalls;
}

namespace CORBA {

// A user exception as it came, since nothing in the program stands for its type.
class UnknownUserException final : public UserException {
 public:
  UnknownUserException() = default;
  explicit UnknownUserException(Any exception) : exception_(std::make_shared<Any>(std::move(exception))) {}
  Any& exception() { return *exception_; }
  const Any& exception() const { return *exception_; }
  const char* _rep_id() const noexcept override { return "IDL:omg.org/CORBA/UnknownUserException:1.0"; }
  const char* _name() const noexcept override { return "UnknownUserException"; }
  // Which one it is.
  const char* what() const noexcept override;
  [[noreturn]] void _raise() const override { throw *this; }

 private:
  std::shared_ptr<Any> exception_ = std::make_shared<Any>();  // shared, so that copying cannot throw
  takt::cdr::ExceptionText text_;
};

// One operation on one object, made by Object::_request() and Object::_create_request(). It takes the
// path of a generated stub's call, with the same policies, deadlines, service contexts and forwards. A call
// to an object in this process goes through memory to its servant. Names of arguments are not sent.
//
// Values that are received are of the type that their Any had before; tk_null receives nothing. In a request
// that is made again, values of basic types, enums and strings use the memory of the last.
//
// invoke() and get_response() throw what the operation raises: system exceptions, and, as
// UnknownUserException, the user exceptions in exceptions(); UNKNOWN (OMG minor 1) for others. Out values
// have then no particular value. BAD_INV_ORDER: minor 10, the request has been sent; 11, it has not; 12, its
// result has been taken; 13, it was not sent as deferred.
//
// One thread at a time; while a deferred request is on its way, its values are not to be touched.
class Request final : public LocalObject, public std::enable_shared_from_this<Request> {
 public:
  using _ref_type = object_reference<Request>;
  // For Object's own use.
  Request(object_reference<Object> target, std::string operation);
  Request(object_reference<Object> target, std::string operation, object_reference<NVList> arguments,
          object_reference<NamedValue> result);
  ~Request() override;

  object_reference<Object> target() const { return target_; }
  const std::string& operation() const { return operation_; }
  object_reference<NVList> arguments() const { return arguments_; }
  object_reference<NamedValue> result() const { return result_; }
  ExceptionList& exceptions() { return exceptions_; }
  // Patterns of names. Matching values of ctx() are sent after the arguments.
  ContextList& contexts() { return contexts_; }
  object_reference<Context> ctx() const { return context_; }
  void ctx(object_reference<Context> context);

  // Appends an argument. The value is put into what is returned; for an out argument one of the type that is
  // expected, or only that type: `request->add_out_arg(type)`.
  Any& add_in_arg(const std::string& name = {}) { return add(name, ARG_IN); }
  Any& add_inout_arg(const std::string& name = {}) { return add(name, ARG_INOUT); }
  Any& add_out_arg(const std::string& name = {}) { return add(name, ARG_OUT); }
  Any& add_out_arg(const typecode_reference& type, const std::string& name = {});
  // void, unless this says something else.
  void set_return_type(const typecode_reference& type);
  Any& return_value() { return result_->value(); }

  // Blocks until the reply is there.
  void invoke();
  // Returns as a stub's oneway call does, by the reference's SyncScope.
  void send_oneway();
  // Returns at once; a thread of the process makes the call, with what the calling thread's calls carry.
  void send_deferred();
  // Blocks until the reply is there. Once for each send_deferred().
  void get_response();
  // Whether get_response() would return, or throw, at once.
  bool poll_response();

  // Takt's own. Ready to be sent again, with the same arguments, types and exceptions: BAD_INV_ORDER (OMG
  // minor 10) while its reply is to come.
  void _reset();
  // For a request that was sent together with others: the exception that get_response() would throw. Null if
  // the request has its results.
  std::exception_ptr _failure() const { return failure_; }

 private:
  friend class Object;
  friend class takt::dynamic::OrbRequests;
  friend class takt::dynamic::RequestMemory;
  friend class takt::dynamic::ShownRequest;
  enum class State : unsigned char { ready, sent, deferred, taken };

  static const Any& no_value();  // has type void
  Any& add(const std::string& name, Flags flags);
  void require_ready() const;
  void begin(State state);
  void run(bool response_expected);
  bool run_here(bool response_expected);
  bool run_here_intercepted(takt::invocation::InterceptedCalls& interceptors, bool response_expected);
  void run_remotely(bool response_expected);
  bool is_local() const;
  bool sends() const;
  void write(takt::cdr::Encoder& out) const;
  std::map<std::string, std::string> sent_context() const;
  void read(takt::cdr::Decoder& in);
  bool raise_listed(takt::cdr::Decoder& in, std::string_view id, std::exception_ptr& raised) const;
  void send_deferred_for(std::shared_ptr<takt::dynamic::Arrivals> arrivals);
  void complete_deferred() noexcept;
  void wait();
  void take();
  void drop_reply() noexcept;
  // For requests that several were sent with: its outcome is taken, and kept in _failure().
  void send_oneway_quietly();
  void take_quietly();

  object_reference<Object> target_;
  std::string operation_;
  object_reference<NVList> arguments_;
  object_reference<NamedValue> result_;
  ExceptionList exceptions_;
  ContextList contexts_;
  object_reference<Context> context_;
  State state_ = State::ready;
  std::exception_ptr failure_;
  std::shared_ptr<takt::dynamic::RequestCompletion> completion_;  // null unless it was deferred
};

using RequestSeq = std::vector<object_reference<Request>>;

}  // namespace CORBA

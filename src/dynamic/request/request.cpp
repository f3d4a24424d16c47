#include <takt/dynamic/request.h>

#include <new>
#include <optional>
#include <string_view>

#include <takt/invocation/client_call.h>

#include "async/deferred/local_exchange.h"
#include "async/deferred/program_context.h"
#include "dynamic/request/object_operations.h"
#include "dynamic/request/request_memory.h"
#include "dynamic/request/results.h"
#include "dynamic/request/shown_request.h"
#include "invocation/intercepted_calls.h"
#include "reference/local_calls.h"
#include "reference/object_ref.h"

namespace CORBA {

using takt::dynamic::Results;
using takt::invocation::ClientCall;

namespace {

[[noreturn]] void throw_order(std::uint32_t minor, const char* why) {
  throw BAD_INV_ORDER(omg_minor(minor), COMPLETED_NO, why);
}

// The exception that a request got.
Any raised_value(const UserException& raised) {
  const auto* const unknown = dynamic_cast<const UnknownUserException*>(&raised);
  return unknown ? unknown->exception() : Any();
}

}  // namespace

const char* UnknownUserException::what() const noexcept {
  try {
    const std::string& id = exception_->type()->_unaliased()._parts().id;
    const std::string text = takt::cdr::text_of(*exception_);  // any M::Failed{why="x"}
    const auto members = text.find('{');
    const bool has_members = members != std::string::npos && !text.ends_with("{}");
    return text_.keep(has_members ? id + text.substr(members) : id);
  } catch (...) {
    return _rep_id();
  }
}

Request::Request(object_reference<Object> target, std::string operation)
    : Request(std::move(target), std::move(operation), make_reference<NVList>(),
              make_reference<NamedValue>(ARG_OUT, "", no_value())) {}

const Any& Request::no_value() {
  static const Any nothing(takt::cdr::basic_typecode(TCKind::tk_void), nullptr);
  return nothing;
}

Request::Request(object_reference<Object> target, std::string operation, object_reference<NVList> arguments,
                 object_reference<NamedValue> result)
    : target_(std::move(target)),
      operation_(std::move(operation)),
      arguments_(std::move(arguments)),
      result_(std::move(result)) {}

void Request::require_ready() const {
  if (state_ != State::ready)
    throw_order(10, "the request has been sent already; _reset() lets it be sent again");
}

void Request::ctx(object_reference<Context> context) {
  require_ready();
  context_ = std::move(context);
}

Any& Request::add(const std::string& name, Flags flags) {
  require_ready();
  return arguments_->_add(name, flags)->value();
}

Any& Request::add_out_arg(const typecode_reference& type, const std::string& name) {
  Any& value = add_out_arg(name);
  value.type(type);
  return value;
}

void Request::set_return_type(const typecode_reference& type) {
  require_ready();
  if (!type) throw BAD_TYPECODE(0, COMPLETED_NO, "a nil TypeCode as the type of a result");
  result_->value() = Any(type, nullptr);
}

void Request::_reset() {
  if (state_ == State::deferred) throw_order(10, "the request's reply is still to be taken");
  state_ = State::ready;
}

void Request::begin(State state) {
  require_ready();
  state_ = state;
}

void Request::invoke() {
  begin(State::sent);
  run(true);
}

void Request::send_oneway() {
  begin(State::sent);
  run(false);
}

bool Request::sends() const { return arguments_->_has(ARG_IN) || !contexts_.empty(); }

void Request::write(takt::cdr::Encoder& out) const {
  for (const auto& item : arguments_->_items())
    if ((item->flags() & ARG_IN) != 0) takt::dynamic::write_value(out, item->value());
  if (contexts_.empty()) [[likely]]
    return;
  const std::map<std::string, std::string> values = sent_context();
  out.put_count(2 * values.size());
  for (const auto& [name, value] : values) {
    out.put_string(name);
    out.put_string(value);
  }
}

std::map<std::string, std::string> Request::sent_context() const {
  std::map<std::string, std::string> values;
  for (const std::string& pattern : contexts_)
    if (context_) values.merge(context_->_matching(pattern));
  return values;
}

void Request::read(takt::cdr::Decoder& in) {
  Results::read(in, *result_);
  for (const auto& item : arguments_->_items())
    if ((item->flags() & ARG_OUT) != 0) Results::read(in, *item);
}

void Request::run(bool response_expected) {
  if (is_local()) {
    takt::reference::ObjectRef& ref = *target_->_ref();
    auto* const interceptors = takt::invocation::interceptors_of(ref);
    try {
      if (interceptors ? run_here_intercepted(*interceptors, response_expected) : run_here(response_expected))
        return;
    } catch (const takt::reference::LocalForward& forward) {
      ref.redirect_to(forward.target);
    }
  }
  run_remotely(response_expected);
}

bool Request::run_here_intercepted(takt::invocation::InterceptedCalls& interceptors, bool response_expected) {
  const takt::dynamic::ShownRequest shown(*this, nullptr);
  return takt::invocation::run_intercepted(
      interceptors, *target_->_ref(), operation_, response_expected,
      [&] { return run_here(response_expected); }, &raised_value);
}

// One of this ORB's own, which is not on its way down.
bool Request::is_local() const {
  const auto& ref = target_->_ref();
  return !ref->local_key().empty() && !ref->references()->down();
}

void Request::run_remotely(bool response_expected) {
  ClientCall call(*target_, operation_, {.response_expected = response_expected, .has_arguments = sends()});
  std::optional<takt::dynamic::ShownRequest> shown;
  if (target_->_ref()->intercepted()) shown.emplace(*this, &call);
  try {
    ClientCall::Outcome outcome;
    do {
      write(call.begin());
      outcome = call.exchange();
    } while (outcome == ClientCall::Outcome::again);
    if (!response_expected) return;
    if (outcome == ClientCall::Outcome::user_exception) [[unlikely]] {
      std::exception_ptr raised;
      if (!raise_listed(call.reply(), call.exception_id(), raised)) call.throw_unlisted_exception();
      call.finish();
      std::rethrow_exception(raised);
    }
    read(call.reply());
    call.finish();
  } catch (const std::bad_alloc&) {
    call.throw_no_memory();
  }
}

// False: the object is elsewhere, or its servant must be called over a connection.
bool Request::run_here(bool response_expected) {
  takt::async::LocalExchange exchange(*target_->_ref(), operation_, response_expected);
  write(exchange.arguments());
  std::optional<takt::async::ProgramContext> in_a_thread_of_the_orb;
  if (state_ == State::deferred)
    in_a_thread_of_the_orb.emplace(takt::client::client_of(*target_->_ref()->references()),
                                   takt::reference::ThreadContext::mine().priority());
  const auto outcome = exchange.run();
  in_a_thread_of_the_orb.reset();
  using Outcome = takt::async::LocalExchange::Outcome;
  if (exchange.needs_connection()) return false;
  if (outcome == Outcome::elsewhere) {
    takt::cdr::Ior target;
    if (!target_->_ref()->intercepted() || !takt::cdr::read_ior(exchange.reply(), target)) return false;
    throw takt::reference::LocalForward{std::move(target)};
  }
  if (!response_expected) return true;
  if (outcome == Outcome::user_exception) {
    std::exception_ptr raised;
    if (!raise_listed(exchange.reply(), exchange.exception_id(), raised)) exchange.throw_unlisted_exception();
    exchange.finish();
    std::rethrow_exception(raised);
  }
  read(exchange.reply());
  exchange.finish();
  return true;
}

// False: it is none of exceptions(). What was read holds only if the decoder has not failed.
bool Request::raise_listed(takt::cdr::Decoder& in, std::string_view id, std::exception_ptr& raised) const {
  for (const typecode_reference& type : exceptions_) {
    if (!type) continue;
    const takt::cdr::TypeCodeParts& parts = type->_unaliased()._parts();
    if (parts.kind != TCKind::tk_except || parts.id != id) continue;
    Any exception;
    takt::dynamic::read_exception(in, type, exception);
    raised = std::make_exception_ptr(UnknownUserException(std::move(exception)));
    return true;
  }
  return false;
}

namespace {

void check_operation(const Object& target, const std::string& operation) {
  if (!target._ref())
    throw NO_IMPLEMENT(omg_minor(4), COMPLETED_NO, "a request cannot be made for a local object");
  if (operation.empty()) throw BAD_PARAM(0, COMPLETED_NO, "a request without an operation");
  if (takt::dynamic::is_object_operation(operation))
    throw BAD_PARAM(omg_minor(32), COMPLETED_NO, operation + " is called by the method of CORBA::Object");
}

// Another reference to what it refers to, since an object does not know its own.
object_reference<Object> reference_to(const Object& target) {
  return takt::reference::make_stub<Object>(target._ref());
}

}  // namespace

object_reference<Request> Object::_request(const std::string& operation) {
  check_operation(*this, operation);
  return takt::dynamic::RequestMemory::make(*this, operation);
}

void Object::_create_request(const object_reference<Context>& context, const std::string& operation,
                             const object_reference<NVList>& arguments,
                             const object_reference<NamedValue>& result, object_reference<Request>& request,
                             std::uint32_t) {
  check_operation(*this, operation);
  request = make_reference<Request>(
      reference_to(*this), operation, arguments ? arguments : make_reference<NVList>(),
      result ? result : make_reference<NamedValue>(ARG_OUT, "", Request::no_value()));
  if (context) request->ctx(context);
}

}  // namespace CORBA

// Requests without generated code.
#include <takt/classic/orb.h>
#include <takt/classic/request.h>
#include <takt/classic/system_exceptions.h>

#include <atomic>

#include "classic/bridge/request_bridge.h"
#include "classic/mapping/asked.h"

namespace CORBA {
inline namespace takt_classic_ {

namespace bridge = takt::classic::request;
namespace contexts = takt::classic::context;
using takt::classic::asked;

namespace {

[[noreturn]] void raise_order(ULong minor, const char* text) {
  takt::classic::raise_system("IDL:omg.org/CORBA/BAD_INV_ORDER:1.0", 0x4f4d0000 + minor, COMPLETED_NO, text);
}
std::atomic<bool> requests_throw{false};

const char* text(const char* text) { return text ? text : ""; }
template <class T>
T* or_new(T* given) {
  return given ? T::_duplicate(given) : new T;
}

}  // namespace

void UnknownUserException::_raise() const { throw *this; }
const char* UnknownUserException::_name() const { return "UnknownUserException"; }
const char* UnknownUserException::_rep_id() const { return "IDL:omg.org/CORBA/UnknownUserException:1.0"; }

NamedValue_ptr NVList::add_item_consume(char* name, Flags flags) {
  const String_var own(name);
  return add_item(name, flags);
}
NamedValue_ptr NVList::add_value_consume(char* name, Any* value, Flags flags) {
  const String_var own(name);
  const Any_var own_value(value);
  return add_value(name, *value, flags);
}

void ExceptionList::add_consume(TypeCode_ptr type) {
  if (is_nil(type)) takt::classic::raise_bad_param("a nil TypeCode as an exception of a request");
  add_own(type);
}

void ContextList::add(const char* name) {
  names_.length(names_.length() + 1);
  names_[names_.length() - 1] = name;
}
void ContextList::add_consume(char* name) {
  const String_var own(name);
  add(name);
}
const char* ContextList::item(ULong index) const {
  if (index >= names_.length()) throw Bounds();
  return names_[index];
}
void ContextList::remove(ULong index) {
  if (index >= names_.length()) throw Bounds();
  for (ULong i = index; i + 1 < names_.length(); ++i) names_[i] = string_dup(names_[i + 1]);
  names_.length(names_.length() - 1);
}

Context::Context(takt::classic::ContextHandle* handle, Context_ptr parent)
    : handle_(handle), parent_(parent) {}
Context::~Context() { contexts::free(handle_); }
const char* Context::context_name() const { return contexts::name(*handle_); }
void Context::create_child(const char* name, Context_out child) {
  child = new Context(contexts::create_child(*handle_, text(name)), _duplicate(this));
}
void Context::set_one_value(const char* name, const Any& value) {
  contexts::set(*handle_, text(name), value._takt_handle());
}
void Context::set_values(NVList_ptr values) {
  for (ULong i = 0; i < values->count(); ++i)
    set_one_value(values->item(i)->name(), *values->item(i)->value());
}
void Context::delete_values(const char* pattern) { contexts::remove(*handle_, text(pattern)); }
void Context::get_values(const char* start_scope, Flags flags, const char* pattern, NVList_out values) {
  NVList_var list = new NVList;
  for (const auto& found : contexts::get(*handle_, text(start_scope), flags, text(pattern)))
    list->add_item(found.first.c_str(), 0)->value()->_takt_replace(found.second);
  values = list._retn();
}

Request::Request(Object_ptr target, const char* operation, NVList_ptr arguments, NamedValue_ptr result,
                 ExceptionList_ptr exceptions, ContextList_ptr contexts, Context_ptr context)
    : target_(target),
      operation_(operation),
      arguments_(arguments),
      result_(result),
      exceptions_(exceptions),
      contexts_(contexts),
      context_(context),
      environment_(new Environment),
      handle_(nullptr),
      arguments_sent_(0),
      state_(ready) {}
Request::~Request() { bridge::free(handle_); }

void Request::require_ready() const {
  if (state_ != ready) raise_order(10, "the request has been sent already");
}

void Request::ctx(Context_ptr context) {
  require_ready();
  context_ = Context::_duplicate(context);
}
Any& Request::added(const char* name, Flags flags) {
  require_ready();
  return *arguments_->add_item(name, flags)->value();
}
void Request::set_return_type(TypeCode_ptr type) {
  require_ready();
  return_type_ = TypeCode::_duplicate(type);
}

// Makes the runtime's request of what this one has.
takt::classic::RequestHandle& Request::begin() {
  require_ready();
  takt::classic::RequestHandle* const made = bridge::make(asked(*target_.in()), operation_.in());
  bridge::free(handle_);
  handle_ = made;
  arguments_sent_ = arguments_->count();
  for (ULong i = 0; i < arguments_sent_; ++i)
    bridge::add_argument(*made, arguments_->item(i)->flags(), arguments_->item(i)->value()->_takt_handle());
  TypeCode_var type =
      is_nil(return_type_.in()) ? result_->value()->type() : TypeCode::_duplicate(return_type_.in());
  if (type->kind() != tk_null) bridge::set_return_type(*made, *type->_takt_handle());
  for (ULong i = 0; i < exceptions_->count(); ++i)
    bridge::add_exception(*made, *exceptions_->item(i)->_takt_handle());
  for (ULong i = 0; i < contexts_->count(); ++i) bridge::add_context(*made, contexts_->item(i));
  if (!is_nil(context_.in())) bridge::set_context(*made, context_->_takt_handle());
  return *made;
}

// Runs the action, and takes what it gives: results, or an exception.
void Request::finish(void (*action)(takt::classic::RequestHandle&)) {
  environment_->clear();
  try {
    action(*handle_);
  } catch (const SystemException& failure) {
    return environment_->exception(takt::classic::copy_of(failure));
  } catch (const UnknownUserException& unknown) {
    return environment_->exception(new UnknownUserException(unknown));
  }
  // The program may have changed the list meanwhile.
  for (ULong i = 0; i < arguments_sent_ && i < arguments_->count(); ++i)
    if (arguments_->item(i)->flags() & ARG_OUT)
      arguments_->item(i)->value()->_takt_replace(bridge::argument(*handle_, i));
  result_->value()->_takt_replace(bridge::result(*handle_));
}

void Request::throw_failure() const {
  const Exception* const failure = environment_->exception();
  if (failure && requests_throw.load(std::memory_order_relaxed)) failure->_raise();
}

void Request::invoke() {
  begin();
  state_ = sent;
  finish(&bridge::invoke);
  throw_failure();
}
void Request::send_oneway() {
  begin();
  state_ = sent;
  environment_->clear();
  try {
    bridge::send_oneway(*handle_);
  } catch (const SystemException& failure) {
    environment_->exception(takt::classic::copy_of(failure));
  }
  throw_failure();
}
// May be sent again if no thread can be had for it.
void Request::send_deferred() {
  bridge::send_deferred(begin());
  state_ = deferred;
}
void Request::require_deferred() const {
  if (state_ == ready) raise_order(11, "the request has not been sent");
  if (state_ == sent) raise_order(13, "the request was not sent as deferred");
  if (state_ == taken) raise_order(12, "the request's response has been taken");
}
void Request::get_response() {
  require_deferred();
  const bool is_there = state_ == polled;
  state_ = taken;
  if (!is_there) finish(&bridge::get_response);
  throw_failure();
}
Boolean Request::poll_response() {
  require_deferred();
  if (state_ == polled) return true;
  if (!bridge::poll_response(*handle_)) return false;
  state_ = polled;
  finish(&bridge::get_response);
  return true;
}

Request_ptr Object::_request(const char* operation) {
  Request_ptr request = nullptr;
  _create_request(nullptr, operation, nullptr, nullptr, nullptr, nullptr, request, 0);
  return request;
}
void Object::_create_request(Context_ptr context, const char* operation, NVList_ptr arguments,
                             NamedValue_ptr result, Request*& request, Flags flags) {
  _create_request(context, operation, arguments, result, nullptr, nullptr, request, flags);
}
void Object::_create_request(Context_ptr context, const char* operation, NVList_ptr arguments,
                             NamedValue_ptr result, ExceptionList_ptr exceptions, ContextList_ptr contexts,
                             Request*& request, Flags) {
  bridge::free(bridge::make(asked(*this), text(operation)));  // throws if it cannot be made
  request = new Request(_duplicate(this), operation, or_new(arguments),
                        result ? NamedValue::_duplicate(result) : new NamedValue("", 0), or_new(exceptions),
                        or_new(contexts), Context::_duplicate(context));
}

void ORB::create_list(Long, NVList*& list) { list = new NVList; }
void ORB::create_named_value(NamedValue*& value) { value = new NamedValue("", 0); }
void ORB::create_environment(Environment*& environment) { environment = new Environment; }
void ORB::create_exception_list(ExceptionList*& list) { list = new ExceptionList; }
void ORB::create_context_list(ContextList*& list) { list = new ContextList; }
void ORB::get_default_context(Context*& context) {
  context = new Context(contexts::default_of(handle()), Context::_nil());
}

}  // namespace takt_classic_
}  // namespace CORBA

namespace takt {
namespace classic {

void let_requests_throw() { CORBA::requests_throw.store(true, std::memory_order_relaxed); }

void write_context(Writer& out, CORBA::Context_ptr context, const char* const* patterns, std::size_t count) {
  context::write(out, context ? &context->_takt_handle() : nullptr, patterns, count);
}
CORBA::Context_ptr read_context(Reader& in) {
  return new CORBA::Context(context::read(in), CORBA::Context::_nil());
}

}  // namespace classic
}  // namespace takt

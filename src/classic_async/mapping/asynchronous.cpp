// Reply handlers and asynchronous calls of the classic mapping.
#include <takt/classic/asynchronous.h>

#include <cstring>

#include <takt/classic/corba.h>
#include <takt/classic/system_exceptions.h>

#include "classic_async/bridge/asynchronous_bridge.h"
#include "classic_async/bridge/asynchronous_calls.h"

namespace Messaging {
inline namespace takt_classic_ {

using Handlers = takt::classic::Proxies<ReplyHandler>;

const char* const ReplyHandler::_PD_repoId = "IDL:omg.org/Messaging/ReplyHandler:1.0";
ReplyHandler_ptr ReplyHandler::_duplicate(ReplyHandler_ptr object) { return Handlers::duplicate(object); }
ReplyHandler_ptr ReplyHandler::_narrow(::CORBA::Object_ptr object) { return Handlers::narrow(object); }
ReplyHandler_ptr ReplyHandler::_unchecked_narrow(::CORBA::Object_ptr object) {
  return Handlers::unchecked(object);
}
ReplyHandler_ptr ReplyHandler::_nil() { return Handlers::nil(); }
bool ReplyHandler::_takt_has_type(const char* id) const {
  return std::strcmp(id, _PD_repoId) == 0 || ::CORBA::Object::_takt_has_type(id);
}

const char* const ExceptionHolder::_PD_repoId = "IDL:omg.org/Messaging/ExceptionHolder:1.0";

namespace {

takt::classic::ValueImplementation* make_holder() { return new ExceptionHolder; }
const takt::classic::ValueRegistration registration(ExceptionHolder::_PD_repoId, &make_holder);

void write_system(takt::classic::Writer& out, const void* exception) {
  const auto& of = *static_cast<const ::CORBA::SystemException*>(exception);
  takt::classic::write(out, static_cast<std::uint32_t>(of.minor()));
  takt::classic::write(out, static_cast<std::uint32_t>(of.completed()));
}
void write_user(takt::classic::Writer& out, const void* exception) {
  static_cast<const ::CORBA::UserException*>(exception)->_takt_write(out);
}

}  // namespace

ExceptionHolder::ExceptionHolder(std::exception_ptr held) : held_(held), arrived_(nullptr) {}
ExceptionHolder::ExceptionHolder() : arrived_(nullptr) {}
ExceptionHolder::~ExceptionHolder() { takt::classic::free_holder(arrived_); }

void ExceptionHolder::raise_exception() {
  if (held_) std::rethrow_exception(held_);
  if (arrived_) takt::classic::raise_arrived(*arrived_);
  throw ::CORBA::UNKNOWN(0, ::CORBA::COMPLETED_MAYBE);
}

const takt::classic::ValueType& ExceptionHolder::_takt_value_type() const {
  static const char* const ids[] = {_PD_repoId};
  static const takt::classic::ValueType type(ids, 1);
  return type;
}

void ExceptionHolder::_takt_write_state(takt::classic::Writer& out) const {
  if (arrived_) return takt::classic::write_again(out, *arrived_);
  try {
    if (held_) std::rethrow_exception(held_);
    throw ::CORBA::UNKNOWN(0, ::CORBA::COMPLETED_MAYBE);
  } catch (const ::CORBA::SystemException& exception) {
    takt::classic::write_holder(out, true, exception._rep_id(), &write_system, &exception);
  } catch (const ::CORBA::UserException& exception) {
    takt::classic::write_holder(out, false, exception._rep_id(), &write_user, &exception);
  }
}

void ExceptionHolder::_takt_read_state(takt::classic::Reader& in) {
  takt::classic::free_holder(arrived_);
  arrived_ = takt::classic::read_holder(in);
}

}  // namespace takt_classic_
}  // namespace Messaging

namespace POA_Messaging {

::Messaging::ReplyHandler_ptr ReplyHandler::_this() {
  return takt::classic::Proxies< ::Messaging::ReplyHandler>::make(takt::classic::this_reference(*this));
}
const char* ReplyHandler::_takt_repository_id() { return ::Messaging::ReplyHandler::_PD_repoId; }
bool ReplyHandler::_takt_supports(const char* id) const {
  return std::strcmp(id, ::Messaging::ReplyHandler::_PD_repoId) == 0;
}
const takt::classic::Entry* ReplyHandler::_takt_find(const char*, std::size_t, void*&) { return nullptr; }

}  // namespace POA_Messaging

namespace takt {
namespace classic {

bool DeliveredReply::is_user_exception() const { return asynchronous::is_user_exception(*this); }
bool DeliveredReply::raised(const char* repository_id) const {
  return asynchronous::raised(*this, repository_id);
}
void DeliveredReply::throw_unlisted() const { asynchronous::throw_unlisted(*this); }
Reader& DeliveredReply::reply() const { return asynchronous::results(*this); }
void DeliveredReply::finish() const { asynchronous::finish(*this); }

AsynchronousOperation::AsynchronousOperation(const Operation& operation, Deliver deliver, Release release,
                                             Copy copy)
    : type_(asynchronous::make_type(operation, deliver, release, copy)) {}

AsynchronousCall::AsynchronousCall(Reference* target, const AsynchronousOperation& operation, void* handler) {
  asynchronous::begin_sending(memory_, sizeof memory_, target, operation.type_, handler);
}
AsynchronousCall::~AsynchronousCall() { asynchronous::end_sending(memory_); }
Writer& AsynchronousCall::begin() { return asynchronous::begin_arguments(memory_); }
bool AsynchronousCall::send() { return asynchronous::send(memory_); }

KnownException::KnownException(const char* id, Raise raise) : known_(asynchronous::know(id, raise)) {}

}  // namespace classic
}  // namespace takt

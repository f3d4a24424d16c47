#include "interceptors/common/raised.h"

namespace takt::interceptors {

namespace {

CORBA::typecode_reference completion_status() {
  static const CORBA::typecode_reference type = [] {
    cdr::TypeCodeParts parts;
    parts.kind = CORBA::TCKind::tk_enum;
    parts.id = "IDL:omg.org/CORBA/completion_status:1.0";
    parts.name = "completion_status";
    for (const char* const name : {"COMPLETED_YES", "COMPLETED_NO", "COMPLETED_MAYBE"})
      parts.members.push_back({.name = name});
    return cdr::make_typecode(std::move(parts));
  }();
  return type;
}

CORBA::typecode_reference type_of(const CORBA::SystemException& exception) {
  cdr::TypeCodeParts parts;
  parts.kind = CORBA::TCKind::tk_except;
  parts.id = exception._rep_id();
  parts.name = exception._name();
  parts.members.push_back({.name = "minor", .type = cdr::basic_typecode(CORBA::TCKind::tk_ulong)});
  parts.members.push_back({.name = "completed", .type = completion_status()});
  return cdr::make_typecode(std::move(parts));
}

template <class Exception>
std::exception_ptr pointer_to(std::uint32_t minor, CORBA::CompletionStatus completed, const char* why) {
  return std::make_exception_ptr(Exception(minor, completed, why));
}

}  // namespace

CORBA::Any any_of(const CORBA::SystemException& exception) {
  GatherBuffer buffer(128);
  cdr::Encoder out(buffer, cdr::any_format());
  out.set_borrowing(false);
  out.put_raw_string(exception._rep_id());
  out.put(exception.minor());
  out.put(static_cast<std::uint32_t>(exception.completed()));
  auto content = std::make_shared<cdr::AnyContent>();
  content->octets.assign(buffer.owned(), buffer.owned() + buffer.owned_size());
  return CORBA::Any(type_of(exception), std::move(content));
}

CORBA::Any any_of_unknown() { return any_of(CORBA::UNKNOWN(CORBA::omg_minor(1), CORBA::COMPLETED_YES)); }

CORBA::CompletionStatus completion_of(const std::exception_ptr& outcome) {
  try {
    std::rethrow_exception(outcome);
  } catch (const CORBA::SystemException& exception) {
    return exception.completed();
  }
}

Thrown thrown_by_interceptor(bool may_forward, CORBA::CompletionStatus completed) {
  constexpr std::uint32_t not_allowed = CORBA::omg_minor(1);
  try {
    throw;
  } catch (const PortableInterceptor::ForwardRequest& request) {
    if (!may_forward)
      return {{}, pointer_to<CORBA::UNKNOWN>(not_allowed, completed, "an interceptor cannot forward here")};
    if (!request.forward() || !request.forward()->_ref())
      return {{}, pointer_to<CORBA::BAD_PARAM>(0, completed, "an interceptor forwards to no object")};
    return {request.forward(), nullptr};
  } catch (const CORBA::SystemException&) {
    return {{}, std::current_exception()};
  } catch (...) {
    return {
        {},
        pointer_to<CORBA::UNKNOWN>(not_allowed, completed,
                                   "an interceptor has thrown an exception that its point does not allow")};
  }
}

}  // namespace takt::interceptors

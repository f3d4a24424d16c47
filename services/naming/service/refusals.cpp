#include "naming/service/refusals.h"

#include <variant>

#include <takt/cdr/exception.h>

namespace takt::naming {
namespace {

using CosNaming::NamingContext;
using Reason = NamingContext::NotFoundReason;

[[noreturn]] void throw_refusal(Refusal refusal, const CosNaming::Name& rest) {
  switch (refusal) {
    case Refusal::no_context:
      throw_no_context();
    case Refusal::missing_node:
      throw NamingContext::NotFound(Reason::missing_node, rest);
    case Refusal::not_context:
      throw NamingContext::NotFound(Reason::not_context, rest);
    case Refusal::not_object:
      throw NamingContext::NotFound(Reason::not_object, rest);
    case Refusal::already_bound:
      throw NamingContext::AlreadyBound();
    case Refusal::not_empty:
      throw NamingContext::NotEmpty();
    case Refusal::is_root:
      throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO, "the root context cannot be destroyed");
    case Refusal::too_many_bindings:
      throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "the service has its maximum number of bindings");
    case Refusal::too_many_bytes:
      throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                             "the service has its maximum of octets of names and references");
    case Refusal::too_many_contexts:
      break;
  }
  throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "the service has its maximum number of contexts");
}

}  // namespace

void throw_no_context() {
  throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the context was destroyed");
}

void throw_out_of_date() {
  throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO,
                         "the service cannot reach the store that it shares with others, and its copy of the "
                         "names is too old to answer from");
}

void throw_failure(const Changes::Failure& failure, const CosNaming::Name& rest) {
  if (const auto* refusal = std::get_if<Refusal>(&failure)) throw_refusal(*refusal, rest);
  const auto& fault = std::get<StoreFault>(failure);
  throw CORBA::PERSIST_STORE(0, fault.maybe_done ? CORBA::COMPLETED_MAYBE : CORBA::COMPLETED_NO, fault.text);
}

}  // namespace takt::naming

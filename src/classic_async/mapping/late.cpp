// Late answers of the classic mapping.
#include <takt/classic/late.h>

#include <takt/classic/servant_manager.h>
#include <takt/classic/system_exceptions.h>

#include "classic/bridge/failures.h"
#include "classic_async/bridge/late_bridge.h"

namespace takt {
namespace classic {

LateCall::LateCall(Upcall& call, const Operation& operation) : answer_(take_answer(call, operation.name)) {}
LateCall::~LateCall() { drop_answer(answer_); }

LateAnswering::LateAnswering(LateCall& call, const Operation& operation)
    : giving_(begin_giving(call.answer_, operation.name)) {}
LateAnswering::~LateAnswering() { end_giving(giving_); }
Upcall& LateAnswering::call() const { return call_of_giving(giving_); }

void LateAnswering::answer_current_exception(const char* const* raises) {
  if (!response_expected(call())) return;
  const Entry entry = {nullptr, nullptr, nullptr, raises};
  try {
    throw;
  } catch (const PortableServer::ForwardRequest& forward) {
    forward_caller(call(), forward.forward_reference->_takt_reference());
  } catch (...) {
    if (!classic::answer_current_exception(call(), entry)) answer_foreign_exception(call());
  }
}

void require_holder(const ExceptionHolder* holder) {
  if (!holder) raise_bad_param("the exception holder is nil", completed_maybe);
}

void answer_unless_answered(LateCall& call, const Operation& operation, const char* const* raises) {
  try {
    LateAnswering answering(call, operation);
    answering.answer_current_exception(raises);
  } catch (const CORBA::BAD_INV_ORDER&) {
  }
}

void ExceptionHolder::raise() const {
  if (exception_) exception_->_raise();
  raise_system("IDL:omg.org/CORBA/UNKNOWN:1.0", 0, CORBA::COMPLETED_MAYBE, "the exception holder is empty");
}

}  // namespace classic
}  // namespace takt

// Exceptions as late answers.
#include <exception>
#include <string>

#include <takt/adapter/late_skeleton.h>
#include <takt/adapter/servant_manager.h>

#include "reference/object_ref.h"

namespace takt::adapter {

void answer_with(server::ServerCall& call, const std::exception_ptr& exception, ListedAnswer listed) {
  try {
    std::rethrow_exception(exception);
  } catch (const PortableServer::ForwardRequest& elsewhere) {
    const auto target = elsewhere.forward_reference();
    if (target && target->_ref())
      call.forward(target->_ref()->ior(), false);
    else
      call.system_exception(
          CORBA::OBJ_ADAPTER(0, CORBA::COMPLETED_NO, "a servant forwards its caller to no object"));
  } catch (...) {
    answer_exception(call, listed);
  }
}

namespace detail {

void throw_wrong_operation(std::string_view given, std::string_view called) {
  throw CORBA::BAD_OPERATION(0, CORBA::COMPLETED_MAYBE,
                             "the response handler is for a call of " + std::string(called) +
                                 ", but was told the answer of " + std::string(given));
}

void throw_no_exception() {
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_MAYBE, "a response handler was told a null exception");
}

}  // namespace detail

}  // namespace takt::adapter

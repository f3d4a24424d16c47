// Conversion of servants' exceptions into answers.
#include <exception>
#include <new>
#include <string>

#include <takt/adapter/skeleton.h>
#include <takt/reference/failure_codes.h>

namespace takt::adapter {

namespace {

CORBA::UNKNOWN not_listed(const CORBA::UserException& exception) {
  return CORBA::UNKNOWN(CORBA::omg_minor(1), CORBA::COMPLETED_MAYBE,
                        std::string("the servant (or its manager) threw ") + exception._rep_id() +
                            ", which its caller does not expect");
}

CORBA::UNKNOWN none_of_corba(const std::exception& exception) {
  return CORBA::UNKNOWN(
      failure_codes().not_corba, CORBA::COMPLETED_MAYBE,
      std::string("the servant (or its manager) threw an exception that is not one of CORBA's: ") +
          exception.what());
}

CORBA::NO_MEMORY no_memory() {
  return CORBA::NO_MEMORY(0, CORBA::COMPLETED_MAYBE, "the process had no memory left for the request");
}

CORBA::UNKNOWN no_exception() {
  return CORBA::UNKNOWN(failure_codes().not_corba, CORBA::COMPLETED_MAYBE,
                        "the servant (or its manager) threw an exception that is not a std::exception");
}

}  // namespace

void refuse(server::ServerCall& call, cdr::Error error, CORBA::CompletionStatus completed, const char* what) {
  try {
    cdr::throw_decoding_error(error, call.arguments().position(), completed, what);
  } catch (const CORBA::SystemException& exception) {
    call.system_exception(exception);
  }
}

void answer_exception(server::ServerCall& call,
                      bool (*listed)(server::ServerCall&, const CORBA::UserException&)) {
  try {
    throw;
  } catch (const CORBA::UserException& exception) {
    if (!call.response_expected() || !listed(call, exception))
      call.system_exception(not_listed(exception));
    else if (call.answer_failed())
      call.system_exception(CORBA::MARSHAL(0, CORBA::COMPLETED_YES, "the user exception can't be encoded"));
  } catch (const CORBA::SystemException& exception) {
    call.system_exception(exception);
  } catch (const std::bad_alloc&) {
    call.system_exception(no_memory());
  } catch (const std::exception& exception) {
    call.system_exception(none_of_corba(exception));
  } catch (...) {
    call.system_exception(no_exception());
  }
}

void rethrow_as_answered(bool (*listed)(const CORBA::UserException&)) {
  try {
    throw;
  } catch (const CORBA::UserException& exception) {
    if (listed(exception)) throw;
    throw not_listed(exception);
  } catch (const CORBA::SystemException&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw no_memory();
  } catch (const std::exception& exception) {
    throw none_of_corba(exception);
  } catch (...) {
    throw no_exception();
  }
}

}  // namespace takt::adapter

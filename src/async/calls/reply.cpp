#include <takt/async/reply.h>

#include <new>
#include <string>

#include <takt/cdr/exception.h>

#include "client/channel/failure.h"

namespace takt::async {

void Reply::finish() const {
  if (!decoder_->ok()) client::throw_bad_reply(decoder_->error(), decoder_->position(), operation_);
}

std::exception_ptr Reply::present_failure(CORBA::CompletionStatus completed) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return std::make_exception_ptr(
        CORBA::NO_MEMORY(0, completed, "the process has no memory left for the call"));
  } catch (...) {
    return std::current_exception();
  }
}

void Reply::throw_unlisted_exception() const { client::throw_unlisted_exception(exception_id_); }

}  // namespace takt::async

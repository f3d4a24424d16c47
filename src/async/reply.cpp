#include <takt/async/reply.h>

#include <string>

#include <takt/cdr/exception.h>

#include "client/channel/failure.h"

namespace takt::async {

void Reply::finish() const {
  if (!decoder_->ok()) client::throw_bad_reply(decoder_->error(), decoder_->position(), operation_);
}

void Reply::throw_unlisted_exception() const {
  throw CORBA::UNKNOWN(
      CORBA::omg_minor(1), CORBA::COMPLETED_YES,
      "the server raised " + std::string(exception_id_) + ", which the operation does not declare");
}

}  // namespace takt::async

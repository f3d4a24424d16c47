#include <takt/async/reply.h>

#include <string>

#include <takt/cdr/exception.h>

#include "client/channel/failure.h"

namespace takt::async {

void Reply::finish() const {
  if (!decoder_->ok()) client::throw_bad_reply(decoder_->error(), decoder_->position(), operation_);
}

void Reply::throw_unlisted_exception() const { client::throw_unlisted_exception(exception_id_); }

}  // namespace takt::async

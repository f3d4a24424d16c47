#include "client/strategy/cached_channel.h"

#include <utility>

namespace takt::client {

using Status = Exchange::Status;

namespace {
constexpr std::uint32_t first_id = 2;  // of a connection's client
}

// Where none is idle, of the connection that exchange() will open: only then it is known until when it may.
std::uint32_t CachedChannel::next_request_id() {
  untidy_ = true;
  lent_ = cache_->take_idle();
  introduced_ = lent_ && lent_->introduced();
  return lent_ ? lent_->next_request_id() : first_id;
}

Status CachedChannel::exchange(std::uint32_t request_id, bool response_expected,
                               std::chrono::nanoseconds timeout) {
  if (!lent_) {
    lent_ = cache_->connect(deadline_);
    if (!lent_) {
      // Whoever binds the call anew tries all of the object's addresses, and knows what to say.
      broken_ = true;
      ending_ = {.status = Status::retry, .phase = "connect"};
      return Status::retry;
    }
    (void)lent_->next_request_id();  // which is the one that the request has
  }
  lent_->take();
  std::swap(lent_->out(), out_);
  if (deadline_ != never) lent_->end_by(deadline_);
  if (at_once_) lent_->send_at_once();
  Status status;
  try {
    status = lent_->exchange(request_id, response_expected, timeout);
  } catch (...) {  // so that nobody else gets the connection
    lent_->fail_for_memory();
    throw;
  }
  if (status == Status::reply) {
    reply_ = &lent_->reply();
    return status;
  }
  ending_ = lent_->ending();
  // A connection whose reply is late says nothing of the others.
  if (lent_->broken() && status != Status::timeout) cache_->fail();
  broken_ = cache_->broken();
  return status;
}

std::string CachedChannel::describe() const {
  return lent_ ? lent_->describe() : transport::to_text(cache_->endpoint());
}

void CachedChannel::tidy() {
  ClientChannel::tidy();
  if (!lent_) return;
  if (introduced_) lent_->set_introduced();
  lent_->done();
  cache_->give_back(std::move(lent_));
}

}  // namespace takt::client

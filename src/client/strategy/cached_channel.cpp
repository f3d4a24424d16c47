#include "client/strategy/cached_channel.h"

#include <utility>

namespace takt::client {

using Status = Exchange::Status;

namespace {
constexpr std::uint32_t first_id = 2;  // the first request id of a client's connection
}

// If no connection is idle, returns the first id of the one that exchange() will open. Opening waits until
// then because the deadline is not known earlier.
std::uint32_t CachedChannel::next_request_id() {
  needs_cleanup_ |= untidy;
  lent_ = cache_->take_idle();
  contexts_sent_ = lent_ && lent_->contexts_sent();
  return lent_ ? lent_->next_request_id() : first_id;
}

Status CachedChannel::exchange(std::uint32_t request_id, bool response_expected,
                               std::chrono::nanoseconds timeout) {
  if (!lent_) {
    lent_ = cache_->connect(deadline_);
    if (!lent_) {
      // The caller rebinds: that tries all addresses of the object and reports the failure.
      broken_ = true;
      ending_ = {.status = Status::retry, .phase = "connect"};
      return Status::retry;
    }
    (void)lent_->next_request_id();  // skips the id that the request already has
  }
  lent_->take();
  std::swap(lent_->out(), out_);
  if (deadline_ != never) lent_->end_by(deadline_);
  if (at_once_) lent_->send_at_once();
  Status status;
  try {
    status = lent_->exchange(request_id, response_expected, timeout);
  } catch (...) {  // the connection must not be reused
    lent_->fail_for_memory();
    throw;
  }
  if (status == Status::reply) {
    reply_ = &lent_->reply();
    return status;
  }
  ending_ = lent_->ending();
  // A late reply on one connection says nothing about the others.
  if (lent_->broken() && status != Status::timeout) cache_->fail();
  broken_ = cache_->broken();
  return status;
}

BatchChannel* CachedChannel::batch_channel() {
  if (!lent_) return nullptr;
  lent_->take();
  if (deadline_ != never) lent_->end_by(deadline_);
  return lent_->batch_channel();
}

std::string CachedChannel::describe() const {
  return lent_ ? lent_->describe() : transport::to_text(cache_->endpoint());
}

std::string CachedChannel::peer_address() const {
  return lent_ ? std::string(lent_->peer()) : transport::address_text(cache_->endpoint());
}

void CachedChannel::tidy() {
  ClientChannel::tidy();
  if (!lent_) return;
  if (lent_->broken() && lent_->ending().status != Status::timeout && !lent_->body_was_late()) {
    cache_->fail();
    broken_ = true;
  }
  if (contexts_sent_) lent_->set_contexts_sent();
  lent_->done();
  cache_->give_back(std::move(lent_));
}

}  // namespace takt::client

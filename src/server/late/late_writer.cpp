#include "server/late/late_writer.h"

#include <mutex>
#include <utility>

#include "server/late/late_replies.h"
#include "server/server.h"
#include "threads/scheduling/priority_loan.h"

namespace takt::server {

std::shared_ptr<LateWriter> LateWriter::of(Server& server) {
  return server.late_writer.get([] {
    auto poll = os::SharedPoll::create();
    return poll ? std::make_shared<LateWriter>(std::move(*poll)) : nullptr;
  });
}

bool LateWriter::take(std::shared_ptr<LateReplies> replies) {
  std::lock_guard lock(mutex_);
  added_.push_back(std::move(replies));
  const auto run = [self = shared_from_this()] { self->run(); };
  if (!thread_.runs() && !thread_.start({.name = "takt-late"}, run)) {
    added_.pop_back();
    return false;
  }
  thread_.run_at_least(os::remembered_urgency());
  return true;
}

void LateWriter::run() {
  while (run_once()) poll_->wait(try_again);
}

// False: nothing is left to write, and the thread ends.
bool LateWriter::run_once() {
  {
    std::lock_guard lock(mutex_);
    for (auto& one : added_) writing_.push_back(std::move(one));
    added_.clear();
    if (writing_.empty()) thread_.ended();
  }
  const bool goes_on = !writing_.empty();
  std::erase_if(writing_, [this](const auto& one) { return !one->write_on(*poll_); });
  return goes_on;
}

}  // namespace takt::server

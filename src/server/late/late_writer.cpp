#include "server/late/late_writer.h"

#include <chrono>
#include <mutex>
#include <utility>

#include "server/late/late_replies.h"
#include "server/server.h"
#include "threads/thread.h"

namespace takt::server {

namespace {
// A stream whose handle does not report that it can be written is tried again after this time.
constexpr std::chrono::milliseconds try_again{20};
}  // namespace

std::shared_ptr<LateWriter> LateWriter::of(Server& server) {
  std::lock_guard lock(server.late_writer_mutex);
  if (!server.late_writer)
    if (auto poll = os::SharedPoll::create())
      server.late_writer = std::make_shared<LateWriter>(std::move(*poll));
  return server.late_writer;
}

bool LateWriter::take(std::shared_ptr<LateReplies> replies) {
  std::lock_guard lock(mutex_);
  added_.push_back(std::move(replies));
  if (running_) return true;
  auto thread = os::Thread::start({.name = "takt-late"}, [self = shared_from_this()] { self->run(); });
  if (!thread) {
    added_.pop_back();
    return false;
  }
  thread->detach();
  return running_ = true;
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
    if (writing_.empty()) return running_ = false;
  }
  std::erase_if(writing_, [this](const auto& one) { return !one->write_on(*poll_); });
  return true;
}

}  // namespace takt::server

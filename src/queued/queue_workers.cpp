#include "queued/queue_workers.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include "queued/lending.h"
#include "queued/queue_list.h"
#include "queued/queued_channel.h"
#include "threads/thread.h"

namespace takt::server {

namespace {
constexpr std::size_t scratch_bytes = 512;
}  // namespace

QueueWorkers::QueueWorkers(const PoolThreads& threads, const Server& server)
    : threads_(threads),
      server_(server),
      requests_(threads.buffer, threads.order ? *threads.order : request_order(QueueOrder::temporal)) {
  if (server.queues) server.queues->add(*this);
}

QueueWorkers::~QueueWorkers() {
  if (server_.queues) server_.queues->remove(*this);
}

unsigned QueueWorkers::running() const {
  std::lock_guard lock(mutex_);
  return running_;
}

int QueueWorkers::start(const std::shared_ptr<void>& keeper) {
  keeper_ = keeper;
  found_ = os::scheduling();
  for (unsigned i = 0; i < std::max(1u, threads_.standing); ++i)
    if (const int error = start_thread(true)) return error;
  if (threads_.lending) threads_.lending->join(threads_.priority, self());
  return 0;
}

void QueueWorkers::count(bool standing, int by) {
  std::lock_guard lock(mutex_);
  running_ += static_cast<unsigned>(by);
  added_ += standing ? 0 : static_cast<unsigned>(by);
  changed_.notify_all();
}

// Allocates the reply buffer of the thread before the thread exists, since the caller can handle a failure.
int QueueWorkers::start_thread(bool standing) try {
  ReplyBuffer reply(scratch_bytes);
  count(standing, 1);
  requests_.thread_comes();
  auto thread =
      os::Thread::start({.name = threads_.name,
                         .stack_bytes = threads_.stack_bytes,
                         .use = ThreadUse::upcalls,
                         .scheduling = standing ? std::nullopt : scheduling_of_added()},
                        [this, standing, keeper = keeper_.lock(), reply = std::move(reply)]() mutable {
                          if (threads_.begin) threads_.begin();
                          threads_.prepare();
                          if (server_.before_serving) server_.before_serving();
                          work(standing, reply);
                          count(standing, -1);
                          // A request may have come before this thread stopped counting.
                          add_thread_if_starving();
                        });
  if (!thread) {
    requests_.thread_goes();
    count(standing, -1);
    return thread.error();
  }
  thread->detach();
  return 0;
} catch (const std::bad_alloc&) {
  return ENOMEM;
}

// A dynamic thread begins as the static ones did, although its creator may be a reader that runs above all
// queues. Threads of lanes set their priority themselves.
[[gnu::cold]] std::optional<os::Scheduling> QueueWorkers::scheduling_of_added() const {
  if (threads_.in_lane || os::scheduling() == found_) return std::nullopt;
  return found_;
}

void QueueWorkers::add_thread_if_starving() {
  if (most_added_ > 0 && requests_.starving()) add_thread();
}

void QueueWorkers::add_thread() {
  {
    std::lock_guard lock(mutex_);
    if (over_ || added_ >= most_added_) return;
  }
  start_thread(false);  // if this fails, requests wait for an existing thread
}

// Looks for a thread before queueing, because without one there may be no room for the request. Looks again
// afterwards, because an idle thread may have ended before it saw the request, or another may have become
// idle.
bool QueueWorkers::queue(std::unique_ptr<QueuedRequest> request) {
  const QueuedRequest* const queued = request.get();
  if (most_added_ > 0 && requests_.all_busy()) add_thread();
  const bool borrows = threads_.lending != nullptr;
  std::shared_ptr<QueueWorkers> lender;
  if (borrows && requests_.all_busy()) lender = threads_.lending->lender_for(*this);
  std::unique_ptr<QueuedRequest> refused;
  try {
    refused = requests_.push(std::move(request));
  } catch (const std::bad_alloc&) {
    if (lender) lender->requests_.send(self());  // it was promised, and finds nothing here
    throw;
  }
  if (refused) {
    refused->channel().refuse(*refused);
  } else {
    add_thread_if_starving();
    if (borrows && !lender && requests_.starving()) lender = threads_.lending->lender_for(*this);
  }
  if (lender) lender->requests_.send(self());
  return refused.get() != queued;
}

// Gets threads for requests whose start time has come, or will come while all threads are busy.
[[gnu::cold]] void QueueWorkers::get_help() {
  if (most_added_ > 0) add_thread();
  if (!threads_.lending || !requests_.starving()) return;
  if (const auto lender = threads_.lending->lender_for(*this)) lender->requests_.send(self());
}

std::shared_ptr<QueueWorkers> QueueWorkers::self() { return {keeper_.lock(), this}; }

void QueueWorkers::work(bool standing, ReplyBuffer& reply) {
  RequestQueue::Task task;
  std::uint32_t seen = 0;
  os::SharedLoan::Borrowing borrowing(requests_.loan(), threads_.urgencies != nullptr);
  for (;;) {
    if (standing && rounds_.asked(seen)) join_round(seen, task.request);
    const bool over = over_;  // nothing more will be queued
    bool helped = false;
    if (threads_.lending) {
      if (task.request) requests_.give_back(std::move(task.request));
      helped = help_those_above(reply);
    }
    borrowing.wait();
    task = requests_.pop(std::move(task.request), threads_.patience);
    begin(task, borrowing);
    if (task.lacks_threads) [[unlikely]]
      get_help();
    if (task.request) {
      task.request->channel().serve(*task.request, reply, &requests_);
      reply.clear();  // keeps only a small buffer after a long reply
      borrowing.settle();
    } else if (task.errand) {
      help(*task.errand, reply);
      task.errand.reset();
      requests_.thread_comes();
    } else if (!helped && (over || !standing) && requests_.thread_may_go()) {
      return;
    }
  }
}

// The thread is woken at the priority that the request lends to all threads, and keeps it.
void QueueWorkers::begin(const RequestQueue::Task& task, os::SharedLoan::Borrowing& borrowing) {
  const os::Urgency urgency = task.request ? task.request->urgency() : 0;
  borrowing.begin(urgency);
  if (urgency != 0) requests_.loan().change(urgency, 0);
}

unsigned QueueWorkers::in_each_thread(const std::shared_ptr<ThreadRound>& round) {
  rounds_.ask(round);
  const unsigned threads = std::max(1u, threads_.standing);
  requests_.wake(threads);
  return threads;
}

// The thread does not count as idle during the round.
[[gnu::cold]] void QueueWorkers::join_round(std::uint32_t& seen, std::unique_ptr<QueuedRequest>& served) {
  if (served) requests_.give_back(std::move(served));
  requests_.thread_goes();
  rounds_.run_if_asked(seen);
  requests_.thread_comes();
}

// True: this thread has helped at least one lane.
bool QueueWorkers::help_those_above(ReplyBuffer& reply) {
  bool helped = false;
  while (const auto needy = threads_.lending->needy_above(*this)) {
    requests_.thread_goes();
    help(*needy, reply);
    requests_.thread_comes();
    helped = true;
  }
  return helped;
}

// The thread runs at the other lane's priority while it serves that lane.
void QueueWorkers::help(QueueWorkers& needy, ReplyBuffer& reply) {
  needy.threads_.prepare();
  needy.serve_for_other(reply);
  threads_.prepare();
}

void QueueWorkers::serve_for_other(ReplyBuffer& reply) {
  if (auto request = requests_.pop_for_other()) {
    request->channel().serve(*request, reply);
    reply.clear();
    requests_.give_back(std::move(request));
  }
  requests_.thread_goes();
}

void QueueWorkers::finish() {
  if (threads_.lending) threads_.lending->leave(*this);
  std::lock_guard lock(mutex_);
  over_ = true;
  requests_.wake_permanently(running_);
}

bool QueueWorkers::ended_by(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, deadline, [this] { return running_ == 0; });
}

}  // namespace takt::server

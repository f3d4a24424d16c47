#include "events/delivery/dispatcher.h"

#include <algorithm>
#include <functional>
#include <system_error>
#include <utility>

namespace takt::events {

namespace {

// The lanes of clients that have not answered their last call.
constexpr std::array unanswered_lanes{Standing::unproven, Standing::suspect, Standing::leaving};

// A task that finds no memory runs again when others may have given some back.
std::optional<Clock::time_point> run(Task& task) noexcept {
  constexpr std::chrono::milliseconds pause{50};
  try {
    return task.run();
  } catch (...) {
    return Clock::now() + pause;
  }
}

}  // namespace

Dispatcher::Dispatcher(const Limits& limits) : limits_(limits) {
  lane(Standing::proven).most_threads = limits.max_threads;
  lane(Standing::slow).most_threads = std::max(1u, limits.max_threads * 3 / 4);
  lane(Standing::unproven).most_threads = std::max(1u, limits.max_threads / 2);
  lane(Standing::suspect).most_threads = std::max(1u, limits.max_threads / 4);
  lane(Standing::leaving).most_threads = std::max(1u, limits.max_threads / 16);
  watcher_ = std::thread([this] { watch(); });
}

Dispatcher::~Dispatcher() { stop(); }

void Dispatcher::stop() {
  decltype(lanes_) forgotten;  // tasks that end without the lock
  decltype(later_) later;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (std::size_t i = 0; i < lanes_.size(); ++i) forgotten[i].ready.swap(lanes_[i].ready);
    later.swap(later_);
  }
  work_to_do_.notify_all();
  watcher_wakes_.notify_all();
  if (watcher_.joinable()) watcher_.join();
  for (Worker& worker : workers_)
    if (worker.thread.joinable()) worker.thread.join();
}

Dispatcher::TaskPtr Dispatcher::add(TaskPtr task) {
  const Standing standing = task->standing();
  Lane& to = lane(standing);
  if (standing == Standing::leaving && to.ready.size() >= limits_.farewells) {
    ++dropped_;
    return task;
  }
  to.ready.push(std::move(task));
  return nullptr;
}

Dispatcher::TaskPtr Dispatcher::add_at(Clock::time_point time, TaskPtr task) {
  const bool is_first = later_.empty() || time < later_.top().time;
  TaskPtr dropped;
  bool wakes = is_first;
  try {
    later_.push({time, task});
  } catch (const std::bad_alloc&) {
    dropped = add(std::move(task));
    wakes = true;
  }
  if (wakes) {
    watcher_sleeps_ = false;
    watcher_wakes_.notify_one();
  }
  return dropped;
}

std::size_t Dispatcher::ready_tasks() const {
  std::size_t tasks = 0;
  for (const Lane& each : lanes_) tasks += each.ready.size();
  return tasks;
}

void Dispatcher::ready(TaskList tasks) {
  TaskList dropped;  // ends without the lock
  std::size_t wakes = 0;
  bool wakes_watcher = false;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || tasks.empty()) return;
    wakes = std::min<std::size_t>(tasks.size(), idle_);
    while (TaskPtr task = tasks.pop())
      if (TaskPtr one = add(std::move(task))) dropped.push(std::move(one));
    // Threads that work look for the next task themselves; the watcher replaces them if they do not come to
    // it.
    wakes_watcher = std::exchange(watcher_sleeps_, false) || may_start_worker();
  }
  for (; wakes > 0; --wakes) work_to_do_.notify_one();
  if (wakes_watcher) watcher_wakes_.notify_one();
}

void Dispatcher::ready_at(Clock::time_point time, TaskPtr task) {
  TaskPtr dropped;  // ends without the lock
  const std::lock_guard lock(mutex_);
  if (!stopping_) dropped = add_at(time, std::move(task));
}

// Threads that wait for a doubtful client without being replaced yet leave one thread to the proven ones, and
// those that wait for long an eighth.
bool Dispatcher::may_begin(const Lane& lane) const {
  if (lane.ready.empty() || lane.running - lane.hanging >= lane.most_threads) return false;
  if (doubtful_ == 0) return true;
  const std::uint32_t kept = std::max(1u, limits_.max_threads / 8);
  return doubtful_ - this->lane(Standing::slow).hanging + kept < limits_.max_threads &&
         doubtful_ - doubtful_blocked_ + 1 < std::max(2u, wanted());
}

// Slow clients have every second turn because the thread is replaced at once. The other doubtful ones wait
// for proven ones, unless these leave them no turn.
std::optional<Standing> Dispatcher::choose(bool spare) {
  const auto slow = may_begin(lane(Standing::slow)) ? std::optional(Standing::slow) : std::nullopt;
  if (spare || (slow && std::exchange(slow_turn_, !slow_turn_))) return slow;
  const bool proven_wait = !lane(Standing::proven).ready.empty();
  for (const Standing each : unanswered_lanes)
    if (may_begin(lane(each)) && (!proven_wait || lane(each).running == 0)) return each;
  return proven_wait ? std::optional(Standing::proven) : slow;
}

Dispatcher::TaskPtr Dispatcher::next_task(Worker& worker, bool spare) {
  const std::optional<Standing> chosen = choose(spare);
  if (!chosen) return nullptr;
  Lane& from = lane(*chosen);
  TaskPtr task = from.ready.pop();
  ++from.running;
  doubtful_ += *chosen != Standing::proven;
  worker.standing = *chosen;
  worker.since = Clock::now();
  if (*chosen == Standing::slow) {
    block(worker);
    if (may_start_worker()) watcher_wakes_.notify_one();
  }
  return task;
}

void Dispatcher::block(Worker& worker) {
  worker.blocked = true;
  ++blocked_;
  doubtful_blocked_ += worker.standing != Standing::proven;
}

void Dispatcher::note_end(Worker& worker) {
  const bool doubtful = worker.standing != Standing::proven;
  --lane(worker.standing).running;
  if (std::exchange(worker.hangs, false)) --lane(worker.standing).hanging;
  doubtful_ -= doubtful;
  worker.since = Clock::time_point::max();
  if (!std::exchange(worker.blocked, false)) return;
  --blocked_;
  doubtful_blocked_ -= doubtful;
  if (!many_are_slow()) wary_since_.store(not_wary, std::memory_order_relaxed);
}

void Dispatcher::work(Worker& worker) {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const bool spare = live_ - blocked_ > wanted();  // the replacement works
    TaskPtr task = next_task(worker, spare);
    if (!task) {
      if (spare) break;
      ++idle_;
      work_to_do_.wait(lock);
      --idle_;
      continue;
    }
    lock.unlock();
    const auto again = run(*task);
    lock.lock();
    note_end(worker);
    if (again && !stopping_)
      task = *again <= Clock::now() ? add(std::move(task)) : add_at(*again, std::move(task));
    if (task) {  // the destructor may take locks
      lock.unlock();
      task.reset();
      lock.lock();
    }
  }
  --live_;
  worker.ended = true;
  // The task that this thread has made ready again must not wait for it.
  if (ready_tasks() > 0) work_to_do_.notify_one();
}

bool Dispatcher::has_work() const { return ready_tasks() > 0 || idle_ + blocked_ < live_; }

// If there is no thread, or no memory for one, the watcher tries again.
void Dispatcher::start_worker() try {
  Worker& worker = workers_.emplace_back();
  try {
    worker.thread = std::thread([this, &worker] { work(worker); });
    ++live_;
  } catch (...) {
    workers_.pop_back();
    throw;
  }
} catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
}

std::uint32_t Dispatcher::wanted() const {
  const std::uint32_t slow = blocked_ - doubtful_blocked_;  // calls to proven clients
  return std::min(limits_.threads + slow, std::max(limits_.threads, limits_.max_threads / 4));
}

bool Dispatcher::may_start_worker() const {
  return idle_ < ready_tasks() && live_ - blocked_ < wanted() && live_ - hanging() < limits_.max_threads;
}

bool Dispatcher::many_are_slow() const {
  return blocked_ - doubtful_blocked_ >= std::max(1u, limits_.max_threads / 4);
}

void Dispatcher::note_slow_calls() {
  if (!many_are_slow()) return;
  auto first = Clock::time_point::max();
  for (const Worker& worker : workers_)
    if (!worker.ended && worker.blocked && worker.standing == Standing::proven)
      first = std::min(first, worker.since);
  wary_since_.store(first.time_since_epoch().count(), std::memory_order_relaxed);
}

void Dispatcher::note_hanging(Worker& worker, Clock::time_point now) {
  const bool may_hang = worker.standing == Standing::proven || worker.standing == Standing::slow;
  if (!may_hang || worker.hangs || hanging() >= limits_.hanging_threads) return;
  if (now - worker.since < times_slow * limits_.slow_after) return;
  worker.hangs = true;
  ++lane(worker.standing).hanging;
}

void Dispatcher::look_after_workers(Clock::time_point now) {
  for (Worker& worker : workers_) {
    if (worker.ended || worker.since == Clock::time_point::max()) continue;
    if (now - worker.since < limits_.slow_after) continue;
    if (!worker.blocked) {
      block(worker);
      ++replaced_;
    }
    note_hanging(worker, now);
  }
  note_slow_calls();
  while (may_start_worker()) {
    const auto before = live_;
    start_worker();
    if (live_ == before) break;
  }
}

void Dispatcher::join_ended() {
  for (auto worker = workers_.begin(); worker != workers_.end();) {
    if (worker->ended) {
      worker->thread.join();  // it has released the mutex, or is about to
      worker = workers_.erase(worker);
    } else {
      ++worker;
    }
  }
}

void Dispatcher::watch() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const auto now = Clock::now();
    TaskList dropped;
    for (; !later_.empty() && later_.top().time <= now; later_.pop())
      if (TaskPtr task = add(later_.top().task)) dropped.push(std::move(task));
    if (!dropped.empty()) {  // as in work()
      lock.unlock();
      dropped = {};
      lock.lock();
      continue;
    }
    join_ended();
    look_after_workers(now);
    for (auto wakes = std::min<std::size_t>(ready_tasks(), idle_); wakes > 0; --wakes)
      work_to_do_.notify_one();
    watcher_sleeps_ = !has_work();
    const auto next = later_.empty() ? now + std::chrono::hours(1) : later_.top().time;
    const auto until = watcher_sleeps_ ? next : std::min(next, now + limits_.slow_after);
    watcher_wakes_.wait_until(lock, until);
  }
}

Dispatcher::Counts Dispatcher::counts() const {
  const std::lock_guard lock(mutex_);
  return {.threads = live_,
          .blocked = blocked_,
          .hanging = hanging(),
          .replaced = replaced_,
          .ready = ready_tasks(),
          .dropped = dropped_};
}

}  // namespace takt::events

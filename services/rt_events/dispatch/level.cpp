#include "rt_events/dispatch/level.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace takt::rt_events {

Level::Level(std::size_t most_work, unsigned most_threads, std::chrono::nanoseconds pause, Priority priority,
             std::function<void()> wake_supervisor)
    : most_threads_(most_threads),
      pause_(pause),
      priority_(std::move(priority)),
      wake_supervisor_(std::move(wake_supervisor)),
      ready_(most_work),
      later_(most_work),
      free_numbers_(most_work),
      due_(most_work),
      work_(most_work) {
  for (std::uint32_t number = 0; number < most_work; ++number) free_numbers_.push(number);
}

std::expected<void, std::string> Level::start() {
  try {
    std::future<void> prepared;
    {
      const std::lock_guard lock(workers_mutex_);
      prepared = add_worker();
    }
    prepared.get();
    return {};
  } catch (const std::exception& failure) {
    return std::unexpected(std::string(failure.what()));
  }
}

void Level::stop() {
  std::list<Worker> workers;
  {
    const std::lock_guard lock(workers_mutex_);
    stopping_.store(true);
    workers.swap(workers_);
  }
  for (std::size_t i = 0; i < workers.size(); ++i) wake_up_.post();
  for (Worker& worker : workers) worker.thread.join();
}

std::optional<std::uint32_t> Level::add(Work& work) {
  const auto number = free_numbers_.pop();
  if (number) work_[*number].store(&work);
  return number;
}

void Level::remove(std::uint32_t number) {
  work_[number].store(nullptr);
  free_numbers_.push(number);
}

void Level::ready(std::uint32_t number) {
  ready_.push(number);  // has room, because each number is in it at most once
  wake_up_.post();
}

std::future<void> Level::add_worker() {
  std::promise<void> promise;
  std::future<void> prepared = promise.get_future();
  Worker& worker = workers_.emplace_back();
  try {
    worker.thread = std::thread([this, &worker, promise = std::move(promise)]() mutable {
      try {
        priority_.set();
        promise.set_value();
        serve(worker);
      } catch (...) {
        promise.set_exception(std::current_exception());
      }
      worker.ended.store(true);
    });
  } catch (...) {
    workers_.pop_back();
    throw;
  }
  return prepared;
}

void Level::run_later(std::uint32_t number) {
  due_[number].store((os::Clock::now() + pause_).time_since_epoch().count(), std::memory_order_relaxed);
  later_.push(number);
}

// Waits for work that is ready, or whose pause is over. None: the level stops, or another thread has got it.
std::optional<std::uint32_t> Level::next_work() {
  const auto first = later_.pop();
  if (!first) {
    wake_up_.wait();
    return stopping_.load() ? std::nullopt : ready_.pop();
  }
  const os::TimePoint due(os::TimePoint::duration(due_[*first].load(std::memory_order_relaxed)));
  if (os::Clock::now() >= due || !wake_up_.wait(due)) return first;
  later_.push(*first);
  return stopping_.load() ? std::nullopt : ready_.pop();
}

void Level::serve(Worker& worker) {
  while (!worker.replaced.load() && !stopping_.load()) {
    const auto number = next_work();
    if (!number) continue;
    const auto work = work_[*number].load()->shared_from_this();
    worker.busy.store(true);
    if (supervisor_sleeps_.load() && supervisor_sleeps_.exchange(false)) wake_supervisor_();
    switch (work->run(worker.watch)) {
      case Work::Again::ready:
        ready(*number);
        break;
      case Work::Again::later:
        run_later(*number);
        break;
      case Work::Again::idle:
        break;
    }
    if (!priority_.set_again()) replace(worker);
    worker.busy.store(false);
  }
}

// In the worker's thread, which ends.
void Level::replace(Worker& worker) {
  const std::lock_guard lock(workers_mutex_);
  if (stopping_.load() || worker.replaced.load()) return;
  join_ended();  // the supervisor may sleep
  try {
    add_worker();
    worker.replaced.store(true);
  } catch (const std::exception&) {  // no thread can be had now, and this one goes on
  }
}

bool Level::supervise(os::TimePoint now, std::chrono::nanoseconds slow_after) {
  const std::lock_guard lock(workers_mutex_);
  if (stopping_.load()) return false;
  join_ended();
  bool busy = false, served = false;
  for (Worker& worker : workers_) {
    busy |= worker.busy.load();
    if (worker.watch.since() <= now - slow_after && workers_.size() < most_threads_)
      worker.replaced.store(true);
    served |= !worker.replaced.load();
  }
  if (served) return busy;
  try {
    add_worker();
    replaced_.fetch_add(1, std::memory_order_relaxed);
  } catch (const std::exception&) {  // no thread can be had now; the next call tries again
  }
  return true;
}

void Level::join_ended() {
  workers_.remove_if([](Worker& worker) {
    if (!worker.ended.load()) return false;
    worker.thread.join();
    return true;
  });
}

unsigned Level::threads() const {
  const std::lock_guard lock(workers_mutex_);
  return static_cast<unsigned>(std::ranges::count_if(
      workers_, [](const Worker& worker) { return worker.thread.joinable() && !worker.ended.load(); }));
}

}  // namespace takt::rt_events

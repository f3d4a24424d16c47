#include "rt/operations/reporter.h"

#include <bit>
#include <chrono>

#include <takt/cdr/exception.h>

#include "os/error_text.h"
#include "threads/scheduling/scheduling.h"

namespace takt::rt {

// Each place has a number. It is free if this is the number of the report to store, and full if it is one
// more. (D. Vyukov's bounded queue.)
struct Reporter::Shared {
  Shared(Callback of, std::size_t size, std::shared_ptr<const void> kept)
      : callback(std::move(of)), names(std::move(kept)), places(std::bit_ceil(size)) {
    for (std::size_t i = 0; i < places.size(); ++i) places[i].number.store(i, std::memory_order_relaxed);
  }

  bool put(const ScheduleReport& report) noexcept {
    std::uint64_t number = next_in.load(std::memory_order_relaxed);
    for (;;) {
      Place& place = at(number);
      const std::uint64_t found = place.number.load(std::memory_order_acquire);
      if (found < number) return false;  // still full from the previous round
      if (found == number && next_in.compare_exchange_weak(number, number + 1, std::memory_order_relaxed)) {
        place.report = report;
        place.number.store(number + 1, std::memory_order_release);
        return true;
      }
      if (found > number) number = next_in.load(std::memory_order_relaxed);
    }
  }
  bool take(ScheduleReport& report) {
    Place& place = at(next_out);
    if (place.number.load(std::memory_order_acquire) != next_out + 1) return false;
    report = place.report;
    place.number.store(next_out + places.size(), std::memory_order_release);
    ++next_out;
    return true;
  }
  void run() {
    os::set_scheduling({os::SchedulingClass::other, 0});  // does not inherit the creator's scheduling
    for (ScheduleReport report;;) {
      if (!take(report)) {
        if (over.load()) return ended.release();
        filled.acquire_within(std::chrono::hours(1));
        continue;
      }
      try {
        callback(report);
      } catch (...) {  // exceptions are the application's own concern
      }
    }
  }

  struct Place {
    std::atomic<std::uint64_t> number;
    ScheduleReport report;
  };
  Place& at(std::uint64_t number) { return places[number & (places.size() - 1)]; }

  const Callback callback;
  const std::shared_ptr<const void> names;
  std::vector<Place> places;
  std::atomic<std::uint64_t> next_in{0};
  std::uint64_t next_out = 0;  // only used by the thread
  std::atomic<bool> over{false};
  os::Semaphore filled, ended;
};

Reporter::Reporter(Callback callback, std::size_t places, std::shared_ptr<const void> names)
    : shared_(std::make_shared<Shared>(std::move(callback), places, std::move(names))) {
  auto thread = os::Thread::start({.name = "takt-reports"}, [shared = shared_] { shared->run(); });
  if (!thread)
    throw CORBA::NO_RESOURCES(
        0, CORBA::COMPLETED_NO,
        std::string("no thread to report missed deadlines: ") + os::error_text(thread.error()));
  thread_ = std::move(*thread);
}

void Reporter::stop(std::chrono::nanoseconds bound) {
  if (stopped_.exchange(true)) return;
  shared_->over = true;
  shared_->filled.release();
  if (thread_.is_current() || !shared_->ended.acquire_within(bound)) return thread_.detach();
  thread_.join();
}

void Reporter::put(const ScheduleReport& report) noexcept {
  if (shared_->put(report))
    shared_->filled.release();
  else
    lost_.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace takt::rt

#include "orb/server/thread_setup.h"

#include <cerrno>
#include <chrono>
#include <utility>

#include <takt/cdr/exception.h>

#include "orb/config/lane_options.h"
#include "os/error_text.h"
#include "os/memory/memory.h"
#include "os/threads/thread.h"
#include "rt/thread_priority.h"

namespace takt::orb {

using namespace std::chrono_literals;

namespace {
constexpr auto start_patience = 10s;  // of a lane's threads, on a machine that is busy
}

ThreadSetup::ThreadSetup(const Settings& settings)
    : warnings_(settings.warnings),
      stack_prefault_bytes_(settings.stack_prefault_bytes),
      lane_processors_(orb::lane_processors(settings.lane_processors)),
      lane_reservations_(orb::lane_reservations(settings.lane_reservations)) {}

std::function<void()> ThreadSetup::for_pool() {
  if (stack_prefault_bytes_ == 0) return {};
  return [self = shared_from_this()] { self->back_stack(); };
}

void ThreadSetup::require_reservations(std::int16_t priority, unsigned threads, LaneStart& start) {
  const auto found = lane_reservations_.find(priority);
  if (found == lane_reservations_.end()) return;
  const int error = start.wait_for(threads, start_patience);
  if (error == 0 || error == EPERM) return;
  const auto micros = [](std::chrono::nanoseconds time) {
    return std::to_string(time.count() / 1000) + " us";
  };
  throw CORBA::NO_RESOURCES(
      0, CORBA::COMPLETED_NO,
      "the lane of priority " + std::to_string(priority) + " does not fit: the system does not set aside " +
          micros(found->second.runtime) + " of each " + micros(found->second.period) +
          " (-ORBLaneReservations) for each of its " + std::to_string(threads) +
          " threads: " + os::error_text(error) +
          (error == EBUSY
               ? "; what it has set aside already, and /proc/sys/kernel/sched_rt_runtime_us, leave less"
               : ""));
}

void ThreadSetup::reserve(const os::Reservation& reservation, LaneStart& start) {
  const int error = os::reserve(os::current_thread_number(), reservation);
  rt::ThreadPriority::set_reserved(error == 0);
  if (error != 0 && (error == EPERM || start.over())) tell_of_reservation(error);
  start.began(error);
}

void ThreadSetup::tell_of_reservation(int error) {
  if (told_of_reservation_.exchange(true)) return;
  warnings_.say("no processor time is set aside for a lane's thread, which has its lane's priority alone: " +
                os::error_text(error) +
                "; -ORBLaneReservations needs CAP_SYS_NICE, room beside other reservations, "
                "and threads that may run on any processor");
}

std::function<void()> ThreadSetup::for_lane(std::int16_t priority, std::shared_ptr<LaneStart> start) {
  if (const auto reserved = lane_reservations_.find(priority); reserved != lane_reservations_.end())
    return [self = shared_from_this(), reservation = reserved->second, start = std::move(start)] {
      self->back_stack();
      self->reserve(reservation, *start);
    };
  const auto found = lane_processors_.find(priority);
  if (found == lane_processors_.end()) return for_pool();
  return [self = shared_from_this(), processors = found->second] {
    self->run_on(processors);
    self->back_stack();
  };
}

void ThreadSetup::run_on(const os::Processors& processors) {
  const int error = os::run_on(processors);
  if (error == 0 || told_of_processors_.exchange(true)) return;
  warnings_.say("a lane's threads cannot run on processors " + os::to_text(processors) + ": " +
                os::error_text(error));
}

void ThreadSetup::back_stack() {
  if (stack_prefault_bytes_ == 0) return;
  const int error = os::back_stack(stack_prefault_bytes_);
  if (error == 0 || told_of_stack_.exchange(true)) return;
  warnings_.say("stacks are not prefaulted: " + os::error_text(error) +
                "; -ORBStackPrefault needs Linux 5.14");
}

void lock_memory(const Settings& settings) {
  if (settings.lock_memory != "on") return;
  if (const int error = os::lock_memory())
    settings.warnings.say("memory is not locked: " + os::error_text(error) +
                          "; -ORBLockMemory needs CAP_IPC_LOCK or an unlimited RLIMIT_MEMLOCK");
}

}  // namespace takt::orb

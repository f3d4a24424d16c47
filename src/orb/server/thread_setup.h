// What each thread of a pool does before it serves.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "orb/config/settings.h"
#include "orb/server/lane_reservations.h"
#include "orb/server/lane_start.h"
#include "os/threads/processors.h"

namespace takt::orb {

// As the options say. One of an ORB; any thread. What the system refuses is said once, and left out.
class ThreadSetup : public std::enable_shared_from_this<ThreadSetup> {
 public:
  // BAD_PARAM for LaneCpus, LaneReservations and LaneLoads that will not do.
  explicit ThreadSetup(const Settings& settings);

  const std::map<std::int16_t, os::Processors>& lane_processors() const { return lane_processors_; }
  // Empty: nothing.
  std::function<void()> for_pool();
  // `lane`: as reservations() has opened it. `start` hears of each thread that has begun, where there is one.
  std::function<void()> for_lane(std::int16_t priority, std::shared_ptr<LaneReservations::Lane> lane,
                                 std::shared_ptr<LaneStart> start);
  LaneReservations& reservations() { return reservations_; }

 private:
  void back_stack();
  void run_on(const os::Processors& processors);

  const Warnings warnings_;
  const std::size_t stack_prefault_bytes_;
  const std::map<std::int16_t, os::Processors> lane_processors_;
  LaneReservations reservations_;
  std::atomic<bool> told_of_stack_{false};
  std::atomic<bool> told_of_processors_{false};
};

// As LockMemory says, for the whole process.
void lock_memory(const Settings& settings);

}  // namespace takt::orb

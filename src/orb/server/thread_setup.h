// Setup of each server thread before it serves.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "config/lanes/lane_reservations.h"
#include "config/lanes/lane_start.h"
#include "config/settings.h"
#include "threads/processors.h"

namespace takt::orb {

// Configured by the options. One per ORB; any thread. Settings that the system refuses are reported once and
// skipped.
class ThreadSetup : public std::enable_shared_from_this<ThreadSetup> {
 public:
  // Throws BAD_PARAM for an invalid LaneCpus, LaneReservations or LaneLoads.
  explicit ThreadSetup(const Settings& settings);

  const std::map<std::int16_t, os::Processors>& lane_processors() const { return lane_processors_; }
  // Empty if there is nothing to set up.
  std::function<void()> for_pool();
  // `lane`: from reservations().open(). `start`, if not null, is notified of each thread that has started.
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

// Applies LockMemory to the whole process.
void lock_memory(const Settings& settings);

}  // namespace takt::orb

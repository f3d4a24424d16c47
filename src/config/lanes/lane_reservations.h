// Reservations of processor time for the threads of lanes.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "config/lanes/lane_start.h"
#include "config/settings.h"
#include "threads/locks/priority_mutex.h"
#include "threads/processors.h"
#include "threads/scheduling/held_reservation.h"

namespace takt::orb {

// Each thread of a lane in the option LaneReservations reserves what the option states. With
// ReserveLaneLoads, lanes in LaneLoads reserve their load, from the highest lane down. The kernel runs
// threads with reservations before all real-time priorities. So a lane loses such a reservation if a higher
// lane has none, or one with a longer period. One per ORB; any thread.
class LaneReservations {
 public:
  // `bound`: the processors of LaneCpus. Throws BAD_PARAM for an invalid LaneReservations or LaneLoads.
  LaneReservations(const Settings& settings, const std::map<std::int16_t, os::Processors>& bound);

  // An open lane. It stays open as long as its threads or their creator keep it.
  class Lane;
  // Call before the lane's threads start. `lends_threads`: it lends threads to other lanes, and so gets a
  // reservation only from LaneReservations. Null if no lane of the ORB has a reservation.
  std::shared_ptr<Lane> open(std::int16_t priority, bool lends_threads);
  // Call in each of its threads before it serves. A thread without a reservation must run at the lane's
  // priority.
  void begin_thread(Lane& lane, LaneStart& start);
  // Waits until that many threads have started. Throws NO_RESOURCES if the kernel lacks the time that
  // LaneReservations demands, but not if the process lacks the privilege.
  void require(Lane& lane, unsigned threads, LaneStart& start);

 private:
  using Reservations = std::map<std::int16_t, os::Reservation>;

  // Call with mutex_ held:
  void note_unreserved_thread(Lane& lane, int error, bool added);
  bool may_reserve(const Lane& lane) const;
  void release(Lane& lane);
  void release_inverted();
  void report_inverted(const Lane& opened);
  void report_demanded(int error);
  void report_implied(std::int16_t priority, int error);

  const Warnings warnings_;
  const Reservations demanded_, implied_;
  os::PriorityMutex mutex_;
  std::vector<std::weak_ptr<Lane>> lanes_;
  std::atomic<bool> told_of_demanded_{false}, told_of_implied_{false}, told_of_inverted_{false};
};

}  // namespace takt::orb

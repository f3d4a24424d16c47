// Which lanes have processor time set aside for their threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "orb/config/settings.h"
#include "orb/server/lane_start.h"
#include "os/threads/held_reservation.h"
#include "os/threads/priority_mutex.h"
#include "os/threads/processors.h"

namespace takt::orb {

// The lanes of LaneReservations have it, each of its threads as much as the option says. With
// ReserveLaneLoads those of LaneLoads have their load, from the highest lane down: the kernel runs threads
// with reservations before all of real-time priority, so that no lane keeps such a reservation beside a
// higher one that has not, or that has one with a longer period. One of an ORB; any thread.
class LaneReservations {
 public:
  // `bound`: the processors of LaneCpus. BAD_PARAM for LaneReservations and LaneLoads that will not do.
  LaneReservations(const Settings& settings, const std::map<std::int16_t, os::Processors>& bound);

  // An open lane, for as long as one of its threads, or whoever starts them, has it.
  class Lane;
  // Before the lane's threads start. `lends_threads`: to other lanes, so that it has no reservation unless
  // LaneReservations names it. Null: no lane of the ORB has one.
  std::shared_ptr<Lane> open(std::int16_t priority, bool lends_threads);
  // In each of its threads, before it serves. A thread that gets nothing is to run at the lane's priority.
  void begin_thread(Lane& lane, LaneStart& start);
  // Waits until so many threads have begun. NO_RESOURCES where the kernel has not the time left that
  // LaneReservations asks for; not where the process may not reserve.
  void require(Lane& lane, unsigned threads, LaneStart& start);

 private:
  using Reservations = std::map<std::int16_t, os::Reservation>;

  // With the mutex:
  void thread_has_none(Lane& lane, int error, bool added);
  bool may_reserve(const Lane& lane) const;
  void release(Lane& lane);
  void release_those_below_others();
  void tell_of_inverted(const Lane& opened);
  void tell_of_demanded(int error);
  void tell_of_implied(std::int16_t priority, int error);

  const Warnings warnings_;
  const Reservations demanded_, implied_;
  os::PriorityMutex mutex_;
  std::vector<std::weak_ptr<Lane>> lanes_;
  std::atomic<bool> told_of_demanded_{false}, told_of_implied_{false}, told_of_inverted_{false};
};

}  // namespace takt::orb

#include "config/lanes/lane_reservations.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>

#include <takt/cdr/exception.h>

#include "config/lane_options.h"
#include "os/error_text.h"
#include "rt/reservation_refusal.h"
#include "threads/scheduling/throttling.h"

namespace takt::orb {

using namespace std::chrono_literals;

class LaneReservations::Lane {
 public:
  std::int16_t priority = 0;
  bool demanded = false;                                     // by the option LaneReservations
  std::optional<os::Reservation> reservation{};              // for each of its threads, if any
  bool complete = true;                                      // all of its threads have the reservation
  std::vector<std::shared_ptr<os::HeldReservation>> held{};  // for reservations that are not demanded

  bool is_implied() const { return reservation && !demanded; }
};

namespace {

constexpr auto start_patience = 10s;  // limit for the start of a lane's threads on a busy machine

// Excludes lanes bound to processors: the kernel grants reservations only to threads that may run on all.
std::map<std::int16_t, os::Reservation> implied_reservations(
    const Settings& settings, const std::map<std::int16_t, os::Processors>& bound) {
  if (!settings.threads.reserve_lane_loads) return {};
  auto implied = reservations_from_texts("LaneLoads", settings.threads.lane_loads);
  std::erase_if(implied, [&](const auto& lane) { return bound.contains(lane.first); });
  return implied;
}

[[noreturn]] void refuse_lane(std::int16_t priority, const os::Reservation& reservation, unsigned threads,
                              int error) {
  throw CORBA::NO_RESOURCES(
      0, CORBA::COMPLETED_NO,
      "the lane of priority " + std::to_string(priority) + " does not fit: the system does not set aside " +
          rt::text_of_time(reservation.runtime) + " of each " + rt::text_of_time(reservation.period) +
          " (-ORBLaneReservations) for each of its " + std::to_string(threads) +
          " threads: " + os::error_text(error) +
          (error == EBUSY
               ? "; what it has set aside already, and /proc/sys/kernel/sched_rt_runtime_us, leave less"
           : error == EINVAL ? std::string("; ") + rt::times_of_reservations
                             : ""));
}

}  // namespace

LaneReservations::LaneReservations(const Settings& settings,
                                   const std::map<std::int16_t, os::Processors>& bound)
    : warnings_(settings.warnings),
      demanded_(reservations_from_texts("LaneReservations", settings.threads.lane_reservations)),
      implied_(implied_reservations(settings, bound)) {}

std::shared_ptr<LaneReservations::Lane> LaneReservations::open(std::int16_t priority, bool lends_threads) {
  if (demanded_.empty() && implied_.empty()) return nullptr;
  os::real_time_throttling();  // must precede the first reservation
  auto lane = std::make_shared<Lane>(priority);
  const std::lock_guard lock(mutex_);
  std::erase_if(lanes_, [](const auto& one) { return one.expired(); });
  if (const auto found = demanded_.find(priority); found != demanded_.end()) {
    lane->demanded = true;
    lane->reservation = found->second;
  } else if (const auto load = implied_.find(priority); load != implied_.end() && !lends_threads) {
    lane->reservation = load->second;
    if (!may_reserve(*lane)) lane->reservation.reset();
  }
  lanes_.push_back(lane);
  release_inverted();
  report_inverted(*lane);
  return lane;
}

void LaneReservations::begin_thread(Lane& lane, LaneStart& start) {
  const std::lock_guard lock(mutex_);
  if (!lane.reservation) return start.began(0);
  const auto held = os::HeldReservation::begin();
  const int error = held ? held->reserve(*lane.reservation) : EALREADY;
  if (error == 0) {
    std::erase_if(lane.held, [](const auto& one) { return one->over(); });
    if (!lane.demanded) lane.held.push_back(held);
  } else {
    if (held) held->end();
    note_unreserved_thread(lane, error, start.over());
  }
  start.began(lane.demanded ? error : 0);
}

// A thread that is added to a serving lane does not affect the reservations of the others.
void LaneReservations::note_unreserved_thread(Lane& lane, int error, bool added) {
  if (added)
    lane.complete = false;
  else if (!lane.demanded)
    release(lane);
  release_inverted();
  if (!lane.demanded)
    report_implied(lane.priority, error);
  else if (added || error == EPERM)
    report_demanded(error);
}

void LaneReservations::require(Lane& lane, unsigned threads, LaneStart& start) {
  const auto wanted = [&] {
    const std::lock_guard lock(mutex_);
    return lane.reservation;
  }();
  if (!wanted) return;
  const int error = start.wait_for(threads, start_patience);
  if (error == 0) return;
  if (lane.demanded) {
    if (error != EPERM) refuse_lane(lane.priority, *wanted, threads, error);
    return;
  }
  const std::lock_guard lock(mutex_);
  release(lane);
  release_inverted();
  report_implied(lane.priority, error);
}

bool LaneReservations::may_reserve(const Lane& lane) const {
  return std::ranges::none_of(lanes_, [&](const auto& one) {
    const auto other = one.lock();
    if (!other || other->priority <= lane.priority) return false;
    return !other->reservation || !other->complete || other->reservation->period > lane.reservation->period;
  });
}

void LaneReservations::release(Lane& lane) {
  lane.reservation.reset();
  for (const auto& held : std::exchange(lane.held, {})) held->end();
}

// Repeats, because a lane that loses its reservation may take it from lower lanes.
void LaneReservations::release_inverted() {
  for (bool any = true; any;) {
    any = false;
    for (const auto& one : lanes_)
      if (const auto lane = one.lock(); lane && lane->is_implied() && !may_reserve(*lane)) {
        release(*lane);
        any = true;
      }
  }
}

void LaneReservations::report_inverted(const Lane& opened) {
  for (const auto& one : lanes_) {
    const auto other = one.lock();
    if (!other || other->priority == opened.priority) continue;
    const Lane& higher = other->priority > opened.priority ? *other : opened;
    const Lane& lower = &higher == &opened ? *other : opened;
    if (!lower.demanded || higher.reservation || told_of_inverted_.exchange(true)) continue;
    warnings_.say(
        "the lane of priority " + std::to_string(lower.priority) +
        " has processor time set aside (-ORBLaneReservations), so that its threads run before those "
        "of priority " +
        std::to_string(higher.priority) + ", whose lane has none: give that lane a reservation too");
  }
}

void LaneReservations::report_demanded(int error) {
  if (told_of_demanded_.exchange(true)) return;
  warnings_.say("no processor time is set aside for a lane's thread, which has its lane's priority alone: " +
                os::error_text(error) +
                "; -ORBLaneReservations needs CAP_SYS_NICE, room beside other reservations, "
                "and threads that may run on any processor");
}

void LaneReservations::report_implied(std::int16_t priority, int error) {
  if (told_of_implied_.exchange(true)) return;
  warnings_.say("the declared load of the lane of priority " + std::to_string(priority) +
                " is not set aside for all of its threads, nor those of lower lanes; such threads have their "
                "lanes' priorities alone: " +
                os::error_text(error) +
                "; reservations need CAP_SYS_NICE and room beside others, and -ORBReserveLaneLoads off does "
                "without");
}

}  // namespace takt::orb

// Options of which each item is for the lanes of one priority.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <takt/rt/rtcorba.h>
#include <takt/transport/marking.h>

#include "os/threads/processors.h"
#include "os/threads/reservation.h"

namespace takt::orb {

// PRIORITY=VALUE. BAD_PARAM, naming `option`, for other forms; several of one priority are a list.
std::map<std::int16_t, std::vector<std::string>> by_priority(const std::vector<std::string>& texts,
                                                             std::string_view option, std::string_view value);

// So much processor time in each period; more than none, and no more than the period.
struct BudgetAndPeriod {
  std::chrono::nanoseconds budget, period;
};
// BUDGET/PERIOD, of the lanes of that priority. BAD_PARAM, naming `option`.
BudgetAndPeriod budget_and_period(std::string_view option, std::int16_t priority, const std::string& text);

// Lanes, from the lowest priority on. BAD_PARAM.
RTCORBA::ThreadpoolLanes pool_lanes(const std::vector<std::string>& texts);

// LaneReservations or LaneLoads, each for the lanes of one priority. BAD_PARAM, naming `option`.
std::map<std::int16_t, os::Reservation> reservations_from_texts(std::string_view option,
                                                                const std::vector<std::string>& texts);

// TrafficClasses and SocketPriorities. BAD_PARAM.
transport::MarkingByPriority marking_by_priority(const std::vector<std::string>& traffic_classes,
                                                 const std::vector<std::string>& socket_priorities);

// LaneCpus. BAD_PARAM as well for processors that the calling thread may not run on.
std::map<std::int16_t, os::Processors> lane_processors(const std::vector<std::string>& texts);

}  // namespace takt::orb

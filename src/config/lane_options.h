// Parsers of options whose items apply to the lanes of one priority.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <takt/rt/rtcorba.h>
#include <takt/transport/marking.h>

#include "threads/processors.h"
#include "threads/scheduling/reservation.h"

namespace takt::orb {

// Groups texts of the form PRIORITY=VALUE by priority, in order. Throws BAD_PARAM, which names `option`, for
// any other form.
std::map<std::int16_t, std::vector<std::string>> by_priority(const std::vector<std::string>& texts,
                                                             std::string_view option, std::string_view value);

// Processor time in each period: more than 0, and at most the period.
struct BudgetAndPeriod {
  std::chrono::nanoseconds budget, period;
};
// Parses BUDGET/PERIOD for the lanes of a priority. Throws BAD_PARAM, which names `option`.
BudgetAndPeriod budget_and_period(std::string_view option, std::int16_t priority, const std::string& text);

// Parses Lanes; the result is sorted by priority, lowest first. Throws BAD_PARAM.
RTCORBA::ThreadpoolLanes pool_lanes(const std::vector<std::string>& texts);

// Parses LaneReservations or LaneLoads. Throws BAD_PARAM, which names `option`.
std::map<std::int16_t, os::Reservation> reservations_from_texts(std::string_view option,
                                                                const std::vector<std::string>& texts);

// Parses TrafficClasses and SocketPriorities. Throws BAD_PARAM.
transport::MarkingByPriority marking_by_priority(const std::vector<std::string>& traffic_classes,
                                                 const std::vector<std::string>& socket_priorities);

// Parses LaneCpus. Throws BAD_PARAM, also for processors that the calling thread may not run on.
std::map<std::int16_t, os::Processors> lane_processors(const std::vector<std::string>& texts);

}  // namespace takt::orb

// The SCHED_FIFO priorities of an experiment, each with an object, and the endpoints at which the server
// serves them.
#pragma once

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "common/options.h"
#include "common/workload.h"

namespace bench {

inline constexpr int high_priority = 40, low_priority = 10;
// Calls per second of the clients of four rates, most urgent first.
inline constexpr std::array rates_hz = {20, 10, 5, 1};
inline constexpr std::array rate_priorities = {40, 30, 20, 10};
inline constexpr int distinct_clients = 50;  // besides the most urgent one

// `--levels both|rates|distinct`: a high and a low priority, those of the four rates, or a high one and one
// for each of fifty clients. The most urgent comes first.
inline std::vector<int> levels_of(const Options& options) {
  const std::string which = options.text("levels", "both");
  if (which == "both") return {high_priority, low_priority};
  if (which == "rates") return {rate_priorities.begin(), rate_priorities.end()};
  check(which == "distinct", "--levels is both, rates or distinct");
  std::vector<int> levels(distinct_clients + 1);
  std::iota(levels.rbegin(), levels.rend(), low_priority);
  return levels;
}

// Joins the levels' endpoints in order, with bars between them.
inline std::string joined(const std::vector<std::string>& endpoints) {
  std::string all;
  for (const std::string& endpoint : endpoints) all += (all.empty() ? "" : "|") + endpoint;
  return all;
}
// A single endpoint is for all levels. Empty if there are several but not this one.
inline std::string endpoint_at(const std::string& endpoints, std::size_t number) {
  if (endpoints.find('|') == std::string::npos) return endpoints;
  std::size_t begin = 0;
  for (; number > 0; --number) {
    const std::size_t bar = endpoints.find('|', begin);
    if (bar == std::string::npos) return {};
    begin = bar + 1;
  }
  return endpoints.substr(begin, endpoints.find('|', begin) - begin);
}

}  // namespace bench

#include "config/lanes/lane_admission.h"

#include <algorithm>
#include <cmath>

#include <takt/cdr/exception.h>

#include "config/lane_options.h"

namespace takt::orb {
namespace {

constexpr double rounding = 1e-9;  // tolerance, so that ten times a tenth fits

LaneLoad load_from_text(std::int16_t priority, const std::string& text) {
  const auto [budget, period] = budget_and_period("LaneLoads", priority, text);
  return {text, static_cast<double>(budget.count()) / static_cast<double>(period.count()), {}};
}

double share_of_each(const LaneLoad& load) {
  return load.utilisation / static_cast<double>(load.processors.count());
}

std::string percent(double part) {
  const long tenths = std::lround(part * 1000);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

double most_utilisation(const Settings& settings) {
  return static_cast<double>(settings.threads.max_lane_utilisation) / 100;
}

std::map<std::int16_t, LaneLoad> lane_loads(const std::vector<std::string>& texts,
                                            const std::map<std::int16_t, os::Processors>& lane_processors) {
  std::map<std::int16_t, LaneLoad> loads;
  for (const auto& [priority, values] : by_priority(texts, "LaneLoads", "BUDGET/PERIOD")) {
    LaneLoad& load = loads[priority] = load_from_text(priority, values.back());
    const auto bound = lane_processors.find(priority);
    load.processors = bound != lane_processors.end() ? bound->second : os::present_processors();
    if (load.processors.none()) load.processors.set(0);
  }
  return loads;
}

}  // namespace

LaneAdmission::LaneAdmission(const Settings& settings,
                             const std::map<std::int16_t, os::Processors>& lane_processors)
    : loads_(lane_loads(settings.threads.lane_loads, lane_processors)), most_(most_utilisation(settings)) {}

LaneAdmission::Share LaneAdmission::admit(std::int16_t priority) {
  const auto found = loads_.find(priority);
  if (found == loads_.end()) return {};
  const auto place = take_room(priority, found->second);
  return Share(&found->second, [self = shared_from_this(), place](const void*) {
    std::lock_guard lock(self->mutex_);
    self->admitted_.erase(place);
  });
}

void LaneAdmission::change_most(const Settings& settings) {
  std::lock_guard lock(mutex_);
  most_ = most_utilisation(settings);
}

LaneAdmission::Admitted::iterator LaneAdmission::take_room(std::int16_t priority, const LaneLoad& load) {
  std::lock_guard lock(mutex_);
  require_room(priority, load);
  return admitted_.emplace(priority, &load);
}

void LaneAdmission::require_room(std::int16_t priority, const LaneLoad& load) const {
  const double wanted = share_of_each(load);
  for (std::size_t each = 0; each < load.processors.size(); ++each) {
    if (!load.processors.test(each)) continue;
    double used = 0;
    std::string others;
    for (const auto& [other, admitted] : admitted_) {
      if (!admitted->processors.test(each)) continue;
      used += share_of_each(*admitted);
      others.append(others.empty() ? "" : ", ").append(std::to_string(other));
    }
    if (used + wanted <= most_ + rounding) continue;
    throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO,
                              "the lane of priority " + std::to_string(priority) + " with its load of " +
                                  load.text + " does not fit: it takes " + percent(wanted) +
                                  " of processor " + std::to_string(each) + ", where " +
                                  percent(std::max(0.0, most_ - used)) + " of " + percent(most_) +
                                  " (-ORBMaxLaneUtilisation) are left" +
                                  (others.empty() ? "" : " by the lanes of priorities " + others));
  }
}

}  // namespace takt::orb

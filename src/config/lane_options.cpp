#include "config/lane_options.h"

#include <charconv>

#include <takt/cdr/exception.h>

#include "config/option_values.h"

namespace takt::orb {
namespace {

[[noreturn]] void refuse_lane(std::string_view option, std::string_view text, const std::string& why) {
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, not_valid("option -ORB" + std::string(option), text, why));
}

constexpr unsigned most_threads = 10000;  // limit per lane

// Parses THREADS or THREADS+DYNAMIC, where DYNAMIC may be 0. False if the text is neither.
bool read_threads(const std::string& text, RTCORBA::ThreadpoolLane& lane) {
  const char* const end = text.data() + text.size();
  unsigned standing = 0, added = 0;
  std::from_chars_result read = std::from_chars(text.data(), end, standing);
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == '+')
    read = std::from_chars(read.ptr + 1, end, added);
  lane.static_threads(standing);
  lane.dynamic_threads(added);
  return read.ec == std::errc() && read.ptr == end && standing >= 1 && standing <= most_threads &&
         added <= most_threads;
}

}  // namespace

std::map<std::int16_t, std::vector<std::string>> by_priority(const std::vector<std::string>& texts,
                                                             std::string_view option,
                                                             std::string_view value) {
  std::map<std::int16_t, std::vector<std::string>> values;
  for (const std::string& text : texts) {
    std::int16_t priority = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), priority);
    const std::string_view rest(end, text.data() + text.size());
    if (error != std::errc() || priority < 0 || rest.size() < 2 || rest.front() != '=')
      refuse_lane(option, text,
                  "it takes PRIORITY=" + std::string(value) + " with a priority from 0 to 32767");
    values[priority].emplace_back(rest.substr(1));
  }
  return values;
}

BudgetAndPeriod budget_and_period(std::string_view option, std::int16_t priority, const std::string& text) {
  const auto slash = text.find('/');
  const auto budget = duration_from_text(text.substr(0, slash));
  const auto period = duration_from_text(slash == std::string::npos ? "" : text.substr(slash + 1));
  if (!budget || !period || budget->count() <= 0 || *period < *budget)
    refuse_lane(
        option, std::to_string(priority) + "=" + text,
        "it takes PRIORITY=BUDGET/PERIOD, as in 40=2ms/10ms, with a budget of more than 0 and no longer "
        "than its period");
  return {*budget, *period};
}

RTCORBA::ThreadpoolLanes pool_lanes(const std::vector<std::string>& texts) {
  constexpr std::string_view option = "Lanes";
  RTCORBA::ThreadpoolLanes lanes;
  for (const auto& [priority, values] : by_priority(texts, option, "THREADS or PRIORITY=THREADS+DYNAMIC")) {
    const std::string text = std::to_string(priority) + "=" + values.back();
    if (!read_threads(values.back(), lanes.emplace_back(priority, 0, 0)))
      refuse_lane(
          option, text,
          "it takes PRIORITY=THREADS or PRIORITY=THREADS+DYNAMIC, as in 40=2+6, with 1 to 10000 threads "
          "and 0 to 10000 dynamic ones");
    if (values.size() > 1) refuse_lane(option, text, "there is another lane of that priority");
  }
  return lanes;
}

std::map<std::int16_t, os::Reservation> reservations_from_texts(std::string_view option,
                                                                const std::vector<std::string>& texts) {
  std::map<std::int16_t, os::Reservation> reservations;
  for (const auto& [priority, values] : by_priority(texts, option, "BUDGET/PERIOD")) {
    const auto [budget, period] = budget_and_period(option, priority, values.back());
    reservations[priority] = {.runtime = budget, .deadline = period, .period = period};
  }
  return reservations;
}

namespace {

void give_numbers(const std::vector<std::string>& texts, std::string_view option, std::string_view what,
                  int most, int transport::Marking::* which, transport::MarkingByPriority& to) {
  for (const auto& [priority, values] : by_priority(texts, option, what)) {
    const std::string& value = values.back();
    const std::string text = std::to_string(priority) + "=" + value;
    transport::Marking marking;
    int& number = marking.*which;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || number < 0 || number > most)
      refuse_lane(
          option, text,
          "it takes PRIORITY=" + std::string(what) + " with a number from 0 to " + std::to_string(most));
    if (values.size() > 1) refuse_lane(option, text, "there is another for that priority");
    to.give(priority, marking);
  }
}

}  // namespace

transport::MarkingByPriority marking_by_priority(const std::vector<std::string>& traffic_classes,
                                                 const std::vector<std::string>& socket_priorities) {
  using transport::Marking;
  transport::MarkingByPriority marking;
  give_numbers(traffic_classes, "TrafficClasses", "DSCP", Marking::highest_dscp, &Marking::dscp, marking);
  give_numbers(socket_priorities, "SocketPriorities", "NUMBER", Marking::highest_priority, &Marking::priority,
               marking);
  return marking;
}

std::map<std::int16_t, os::Processors> lane_processors(const std::vector<std::string>& texts) {
  constexpr std::string_view option = "LaneCpus";
  std::map<std::int16_t, os::Processors> lanes;
  for (const auto& [priority, lists] : by_priority(texts, option, "CPUS"))
    for (const std::string& list : lists) {
      const auto processors = os::processors_from_text(list);
      if (!processors) refuse_lane(option, list, processors.error());
      const auto usable = os::present_processors();
      if ((*processors & ~usable).any())
        refuse_lane(option, std::to_string(priority) + "=" + list,
                    "this process may run on processors " + os::to_text(usable));
      lanes[priority] |= *processors;
    }
  return lanes;
}

}  // namespace takt::orb

#include <takt/transport/marking.h>

#include <algorithm>

namespace takt::transport {

int socket_priority_for(int dscp) {
  constexpr int best_effort = 0, bulk = 2, interactive_bulk = 4, interactive = 6;  // Linux's TC_PRIO_*
  if (dscp == 0) return best_effort;
  return dscp < 16 ? bulk : dscp < 32 ? interactive_bulk : interactive;
}

namespace {

void put(const Marking& from, Marking& to) {
  if (from.dscp >= 0) to.dscp = from.dscp;
  if (from.priority >= 0) to.priority = from.priority;
}

}  // namespace

void MarkingByPriority::give(std::int16_t from, const Marking& marking) {
  auto place = std::ranges::lower_bound(steps, from, {}, &Step::from);
  if (place == steps.end() || place->from != from) place = steps.insert(place, {from, {}});
  put(marking, place->marking);
}

Marking MarkingByPriority::at(std::int16_t priority) const {
  Marking marking;
  for (const Step& step : steps)
    if (step.from <= priority) put(step.marking, marking);
  return marking;
}

int MarkingByPriority::highest_priority() const {
  int highest = -1;
  for (const Step& step : steps) highest = std::max(highest, step.marking.priority);
  return highest;
}

std::string MarkingByPriority::text() const {
  std::string text;
  for (const Step& step : steps)
    for (const int number : {int{step.from}, step.marking.dscp, step.marking.priority})
      text.append(reinterpret_cast<const char*>(&number), sizeof number);
  return text;
}

}  // namespace takt::transport

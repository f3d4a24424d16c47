// Requests by which the ORB's own orders differ.
#pragma once

#include <vector>

#include "queued/order/request_order.h"
#include "waiting.h"

namespace takt::server {

struct Answer {
  const char* name;
  QueueOrder order;
  std::vector<Arriving> first_to_last;  // all different for this order
};

inline const std::vector<Answer>& answers() {
  using namespace std::chrono_literals;
  static const std::vector<Answer> all = {
      {"AsTheyCame", QueueOrder::temporal, {}},
      {"ByImportance", QueueOrder::importance, {}},
      {"ByPriority",
       QueueOrder::priority,
       {{.priority = 32767}, {.priority = 5}, {.priority = 0}, {.timing = RequestTiming{.priority = 9}}}},
      {"ByDeadline",
       QueueOrder::deadline,
       {{.arrived = 5ms, .remaining = 1ms},
        {.arrived = 0ms, .timing = RequestTiming{.deadline = 10ms}},
        // The client's timing takes precedence over the table's.
        {.arrived = 0ms, .remaining = 20ms, .timing = RequestTiming{.deadline = 1ms}},
        {.arrived = 10ms, .timing = RequestTiming{.deadline = 11ms, .critical = true}},
        {.arrived = -50ms, .timing = RequestTiming{.execution = 1ms}}}},
      {"ByFixedPriority",
       QueueOrder::fixed,
       {{.timing = RequestTiming{.priority = 20, .sub_priority = 0, .deadline = 1s}},
        {.timing = RequestTiming{.priority = 20, .sub_priority = 1, .deadline = 1ms}},
        {.timing = RequestTiming{.priority = 10, .sub_priority = -3}},
        {.timing = RequestTiming{.priority = 0}},
        {.timing = RequestTiming{.priority = -1}},
        {.remaining = 1ms, .priority = 99}}},
      {"ByLaxity",
       QueueOrder::laxity,
       {{.timing = RequestTiming{.deadline = 50ms, .execution = 49ms}},
        {.arrived = 1ms, .remaining = 5ms},
        {.arrived = 1ms, .remaining = 16ms, .timing = RequestTiming{.execution = 10ms}},
        {.arrived = 0ms, .timing = RequestTiming{.deadline = 10ms, .execution = 1ms}},
        {.priority = 99, .timing = RequestTiming{.execution = 5ms, .critical = true}}}},
      {"ByUrgency",
       QueueOrder::urgency,
       {{.timing = RequestTiming{.deadline = 100ms, .execution = 80ms, .critical = true}},
        {.timing = RequestTiming{.deadline = 100ms, .execution = 10ms, .critical = true}},
        {.timing = RequestTiming{.priority = 3, .critical = true}},
        {.timing = RequestTiming{.priority = 2, .sub_priority = 1, .critical = true}},
        {.timing = RequestTiming{.priority = 2, .sub_priority = 2, .critical = true}},
        {.timing = RequestTiming{.deadline = 2ms, .execution = 1ms}},
        {.remaining = 3ms},
        {.timing = RequestTiming{.priority = 99}},
        {.priority = 99}}}};
  return all;
}

}  // namespace takt::server

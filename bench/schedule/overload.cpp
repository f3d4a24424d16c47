// bench_schedule_overload LOAD: which jobs miss their deadlines under overload, for each order of the ORB's
// queue with one thread, in 100 s of virtual time. Prints a line of JSON for each order.
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "overloaded_queue.h"

int main(int argc, char** argv) {
  using takt::QueueOrder, takt::server::OverloadedQueue;
  const double load = argc == 2 ? std::atof(argv[1]) : 0;
  if (load < 0.3 || load > 10) return 2;
  constexpr std::pair<QueueOrder, const char*> orders[] = {{QueueOrder::temporal, "temporal"},
                                                           {QueueOrder::fixed, "fixed"},
                                                           {QueueOrder::deadline, "deadline"},
                                                           {QueueOrder::laxity, "laxity"},
                                                           {QueueOrder::urgency, "urgency"}};
  for (const auto& [order, name] : orders) {
    const auto seen = OverloadedQueue(order, load).run(std::chrono::seconds(100));
    std::printf(
        "{\"part\": \"overload\", \"order\": \"%s\", \"load\": %.2f, \"critical_jobs\": %d, "
        "\"critical_misses\": %d, \"other_jobs\": %d, \"other_misses\": %d}\n",
        name, load, seen.critical_jobs, seen.critical_misses, seen.other_jobs, seen.other_misses);
  }
  return 0;
}

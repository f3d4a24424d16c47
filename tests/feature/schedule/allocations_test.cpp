// A request with a schedule allocates no memory.
#include "allocations.h"
#include "flight.h"

namespace flight {
namespace allocations_test {

TEST(ScheduleAllocations, ARequestWithAScheduleAllocatesNothingInSteadyUse) {
  ScheduledOrbs orbs({{.name = "Flight::Unit::sleep",
                       .deadline = 1ns,  // is missed
                       .execution = 1h,
                       .critical = true,
                       .on_overrun = OnOverrun::demote}},
                     {"-ORBServerConcurrency", "threading-framework", "-ORBQueueOrder", "urgency"},
                     {.report = [](const ScheduleReport&) {}});
  const auto unit = orbs.unit();
  for (int i = 0; i < 200; ++i) unit->sleep(0);
  const auto before = takt::allocations();
  for (int i = 0; i < 500; ++i) unit->sleep(0);
  EXPECT_EQ(takt::allocations() - before, 0u);
  EXPECT_EQ(orbs.of("Flight::Unit::sleep").begun, 700u);
}

}  // namespace allocations_test
}  // namespace flight

// The schedule of a server that runs, as a CORBA object where clients ask to be admitted.
#pragma once

#include "RT_SchedulerS.h"
#include "scheduling/live/live_schedule.h"

namespace takt::scheduling {

// Any number of threads may call. Whoever can reach the object can use up what the schedule has left: let it
// be reached by those alone who may.
class AdmissionServant final : public virtual CORBA::servant_traits<RT_Scheduler::Admission>::base_type {
 public:
  // `schedule` has begun, and outlives it.
  explicit AdmissionServant(LiveSchedule& schedule) : schedule_(schedule) {}

  std::uint64_t admit(const std::string& client, const RT_Scheduler::Operation_Needs_Set& operations,
                      RT_Scheduler::Assigned_Priority_Set& priorities) override;
  void release(std::uint64_t client) override;
  std::int32_t clients() override;

 private:
  LiveSchedule& schedule_;
};

}  // namespace takt::scheduling

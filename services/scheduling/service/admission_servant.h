// The schedule of a server that runs, as a CORBA object where clients ask to be admitted.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "RT_SchedulerS.h"
#include "scheduling/live/live_schedule.h"

namespace takt::scheduling {

// Any number of threads may call. Whoever can reach the object can use up what the schedule has left: let it
// be reached by those alone who may. Where the schedule has leases, a thread of the servant's releases the
// clients whose leases run out.
class AdmissionServant final : public virtual CORBA::servant_traits<RT_Scheduler::Admission>::base_type {
 public:
  // `schedule` has begun, and outlives it.
  explicit AdmissionServant(LiveSchedule& schedule);

  std::uint64_t admit(const std::string& client, const RT_Scheduler::Operation_Needs_Set& operations,
                      RT_Scheduler::Assigned_Priority_Set& priorities) override;
  void release(std::uint64_t client) override;
  std::uint64_t lease() override;
  void renew(std::uint64_t client) override;
  std::int32_t clients() override;

 private:
  void release_expired(const std::stop_token& stop);

  LiveSchedule& schedule_;
  std::mutex mutex_;
  std::condition_variable_any ending_;
  std::jthread releasing_;  // the last member: it uses the others
};

}  // namespace takt::scheduling

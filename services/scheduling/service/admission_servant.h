// The schedule of a running server as a CORBA object that admits clients.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "RT_SchedulerS.h"
#include "scheduling/live/live_schedule.h"

namespace takt::scheduling {

// Thread-safe. Any client that can reach the object can use up the remaining capacity, so restrict who can
// reach it. If the schedule has leases, a thread of the servant releases clients whose leases expire.
class AdmissionServant final : public virtual CORBA::servant_traits<RT_Scheduler::Admission>::base_type {
 public:
  // `schedule` must have begun, and must outlive the servant.
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
  std::jthread releasing_;  // last, because it uses the other members
};

}  // namespace takt::scheduling

// A client's place in the schedule of a server. The place is held while this object exists.
//
//   AdmittedClient camera(admission, "camera", {{"Camera::frame", ...}});
//   current->the_priority(camera.priorities()[0].priority_());
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "RT_SchedulerC.h"

namespace takt::scheduling {

// If the server's clients have leases, a thread of this object renews the lease three times per lease. It
// retries a renewal that failed in transit at the next time. Reading the priorities is thread-safe.
class AdmittedClient {
 public:
  using Admission = CORBA::object_reference<RT_Scheduler::Admission>;
  // Called when the place is lost: the server no longer knows it, because the lease expired or the server
  // restarted. `why` is the reason. Called in the renewing thread, at most once; the place is not requested
  // again.
  using Lost = std::function<void(const std::string& why)>;

  // Calls admit() and blocks for it. Throws the exceptions of admit(), and NO_RESOURCES if no thread can
  // renew the lease; then the place is given back.
  AdmittedClient(Admission admission, const std::string& name,
                 const RT_Scheduler::Operation_Needs_Set& operations, Lost lost = {});
  // Calls release(), unless the place is lost. If the server cannot be reached, the lease expires.
  ~AdmittedClient();
  AdmittedClient(const AdmittedClient&) = delete;
  AdmittedClient& operator=(const AdmittedClient&) = delete;

  // By operation, in the order given.
  const RT_Scheduler::Assigned_Priority_Set& priorities() const { return priorities_; }
  RT_Scheduler::Client_Id id() const { return id_; }

 private:
  void begin_renewing(Lost lost);
  void release() noexcept;
  void renew_until(const std::stop_token& stop, const Lost& lost);

  const Admission admission_;
  const std::chrono::nanoseconds lease_;
  RT_Scheduler::Assigned_Priority_Set priorities_;
  const RT_Scheduler::Client_Id id_;
  bool lost_ = false;  // written by the thread, read after it has ended
  std::mutex mutex_;
  std::condition_variable_any ending_;
  std::jthread renewing_;  // last, because it uses the other members
};

}  // namespace takt::scheduling

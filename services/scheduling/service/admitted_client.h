// A client's place in the schedule of a server, for as long as this object lives.
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

// Where the server's clients have leases, a thread of its own renews this one's, three times in each. A
// renewal that fails on its way is made again the next time. Any thread may ask for the priorities.
class AdmittedClient {
 public:
  using Admission = CORBA::object_reference<RT_Scheduler::Admission>;
  // Why the place is lost: the server knows it no more, be it that the lease has run out or that the server
  // was started anew. In the renewing thread, at most once; the place is not asked for again.
  using Lost = std::function<void(const std::string& why)>;

  // Calls admit(), and throws what that raises.
  AdmittedClient(Admission admission, const std::string& name,
                 const RT_Scheduler::Operation_Needs_Set& operations, Lost lost = {});
  // Calls release(), unless the place is lost; a server that cannot be reached is left to the lease.
  ~AdmittedClient();
  AdmittedClient(const AdmittedClient&) = delete;
  AdmittedClient& operator=(const AdmittedClient&) = delete;

  // Of the operations, in their order.
  const RT_Scheduler::Assigned_Priority_Set& priorities() const { return priorities_; }
  RT_Scheduler::Client_Id id() const { return id_; }

 private:
  void renew_until(const std::stop_token& stop, const Lost& lost);

  const Admission admission_;
  const std::chrono::nanoseconds lease_;
  RT_Scheduler::Assigned_Priority_Set priorities_;
  const RT_Scheduler::Client_Id id_;
  bool lost_ = false;  // written by the thread, read when that has ended
  std::mutex mutex_;
  std::condition_variable_any ending_;
  std::jthread renewing_;  // the last member: it uses the others
};

}  // namespace takt::scheduling

// Calls operations at their rates (real-time upcalls).
//
//   auto dispatcher = IDL::traits<takt::rt::PeriodicDispatcher>::narrow(
//       orb->resolve_initial_references("PeriodicDispatcher"));
//   dispatcher->add({.operation = "Avionics::Navigation::update",
//                    .call = [=](const takt::rt::PeriodicJob&) { navigation->update(); }});
//   dispatcher->start();
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <takt/os/clock.h>
#include <takt/reference/local_object.h>

namespace takt::rt {

class OperationSchedule;

// What becomes of a release when the time of the next one has come before it could begin, as after an
// overrun.
enum class LateReleases : std::uint8_t {
  leave_out,  // it is left out for the next one, so that an operation is one period late at most
  catch_up,   // it is made all the same, and at once; what is further behind than `most_behind` is left out
};

struct PeriodicJob {
  os::TimePoint release;       // when it was to begin
  std::uint64_t left_out = 0;  // releases before it that were
};

struct PeriodicCall {
  std::string operation = {};  // its name in the schedule, which says period, phase, priority and deadline
  // In the thread of its priority. A reference to an object of the process calls its servant in that thread.
  // An exception that leaves it is counted and reported, and ends that job only.
  std::function<void(const PeriodicJob&)> call = {};
  LateReleases late = LateReleases::leave_out;
  unsigned most_behind = 8;  // releases
  // In that thread too, before the first release: to connect, say, or to touch memory. May be empty. It may
  // throw, and then start() does.
  std::function<void()> prepare = {};
};

struct PeriodicOptions {
  os::TimePoint first = os::TimePoint::min();  // of phase 0; once the threads are ready, if that is later
  std::size_t stack_bytes = 0;                 // of each thread; 0: the system's default
  // The kernel sets processor time aside for each thread (SCHED_DEADLINE), and refuses what does not fit: the
  // execution times of its operations and `reserve_more_percent`, within the shortest of their deadlines, in
  // each of the shortest of their periods. Who takes more is stopped until the next period. Priorities then
  // say only which operations share a thread; other real-time threads run when these do not.
  bool reserve = false;
  unsigned reserve_more_percent = 10;  // to 1000
  // For the threads to get ready: what `prepare` may take.
  std::chrono::nanoseconds patience = std::chrono::seconds(30);
};

// Of one ORB ("PeriodicDispatcher"). Any thread.
//
// Operations of one priority are a rate group: a thread at that priority, which calls one after the other,
// the lowest sub-priority first, as the analysis of schedules has it. Each sleeps until the time of its next
// release, an absolute one on CLOCK_MONOTONIC, so that delays do not add up.
//
// What becomes of releases is counted and reported by the RunTimeScheduler, as that of requests is: a job
// arrives at its release. An operation that rests after an overrun (OnOverrun::refuse) is not called.
class PeriodicDispatcher final : public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<PeriodicDispatcher>;
  explicit PeriodicDispatcher(std::shared_ptr<OperationSchedule> schedule);
  ~PeriodicDispatcher() override;

  // BAD_PARAM for operations that are not in the schedule, have no period there or are called already, and
  // without a function. BAD_INV_ORDER without a schedule, and from start() on.
  void add(PeriodicCall call);
  // Once; gives the time of phase 0. BAD_INV_ORDER without add(), and where the ORB has been shut down;
  // NO_RESOURCES where threads cannot be had or, as NO_PERMISSION and BAD_PARAM, their reservations, TIMEOUT
  // where they don't get ready, and what `prepare` throws: nothing runs then.
  os::TimePoint start(const PeriodicOptions& options = {});
  // Nothing is released any more. Waits until the jobs that run have ended, so long at most; a job that stops
  // its own dispatcher does not wait for itself. False: some have not, and their threads end with them. The
  // ORB's shutdown does the same.
  bool stop(std::chrono::nanoseconds bound = std::chrono::seconds(10));

 private:
  const std::shared_ptr<OperationSchedule> schedule_;
};

}  // namespace takt::rt

// Periodic calls of operations (real-time upcalls).
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

// Treatment of a release that could not begin before the time of the next one, as after an overrun.
enum class LateReleases : std::uint8_t {
  leave_out,  // it is skipped, so that an operation is late by one period at most
  catch_up,   // it is made late and at once; those more than `most_behind` behind are skipped
};

struct PeriodicJob {
  os::TimePoint release;       // planned start
  std::uint64_t left_out = 0;  // releases skipped before it
};

struct PeriodicCall {
  std::string operation = {};  // name in the schedule, which gives period, phase, priority and deadline
  // Runs in the thread of the operation's priority. A call through a reference to an object of this process
  // runs its servant in that thread. An exception that leaves it is counted and reported, and ends only that
  // job.
  std::function<void(const PeriodicJob&)> call = {};
  LateReleases late = LateReleases::leave_out;
  unsigned most_behind = 8;  // in releases
  // Runs in that thread too, before the first release: to connect or to touch memory, for example. May be
  // empty. If it throws, start() throws the same.
  std::function<void()> prepare = {};
};

struct PeriodicOptions {
  os::TimePoint first = os::TimePoint::min();  // time of phase 0; later if the threads are not ready
  std::size_t stack_bytes = 0;                 // per thread; 0: the system's default
  // Reserves processor time for each thread (SCHED_DEADLINE); fails if the kernel cannot grant it. In each of
  // the shortest of the thread's periods, and within the shortest deadline, it gets the execution times of
  // its operations plus `reserve_more_percent`. A thread that needs more is stopped until the next period.
  // Priorities then only group operations into threads, and other real-time threads run only when these do
  // not.
  bool reserve = false;
  unsigned reserve_more_percent = 10;  // up to 1000
  // Time for the threads to get ready, including `prepare`.
  std::chrono::nanoseconds patience = std::chrono::seconds(30);
};

// The periodic calls of one ORB ("PeriodicDispatcher"). Any thread.
//
// Operations of one priority form a rate group. Its thread runs at that priority and calls them one after the
// other, the lowest sub-priority first, as schedulability analysis assumes. It sleeps until the absolute time
// of the next release (CLOCK_MONOTONIC), so delays do not accumulate.
//
// The RunTimeScheduler counts and reports releases like requests: a job arrives at its release. An operation
// that is suspended after an overrun (OnOverrun::refuse) is not called.
class PeriodicDispatcher final : public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<PeriodicDispatcher>;
  explicit PeriodicDispatcher(std::shared_ptr<OperationSchedule> schedule);
  ~PeriodicDispatcher() override;

  // Throws BAD_PARAM for an operation that is not in the schedule, has no period there or was added before,
  // and for a call without a function. Throws BAD_INV_ORDER without a schedule, and after start().
  void add(PeriodicCall call);
  // Call once; returns the time of phase 0. If it throws, nothing runs. Throws BAD_INV_ORDER if nothing was
  // added or the ORB was shut down, and NO_RESOURCES if threads are not available. Throws NO_RESOURCES,
  // NO_PERMISSION or BAD_PARAM if reservations are refused, and TIMEOUT if threads do not get ready. Also
  // throws any exception of `prepare`.
  os::TimePoint start(const PeriodicOptions& options = {});
  // Ends all releases and waits up to `bound` for running jobs to end; a job that stops its own dispatcher
  // does not wait for itself. Returns false if some still run; their threads end with them. The ORB's
  // shutdown does the same.
  bool stop(std::chrono::nanoseconds bound = std::chrono::seconds(10));

 private:
  const std::shared_ptr<OperationSchedule> schedule_;
};

}  // namespace takt::rt

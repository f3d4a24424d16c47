// The run-time scheduler: declared properties of operations, and how the ORB enforces them ([Schmidt 1999],
// section 4.4).
//
//   auto scheduler = IDL::traits<takt::rt::RunTimeScheduler>::narrow(
//       orb->resolve_initial_references("RunTimeScheduler"));
//   scheduler->install({{.name = "Avionics::Steering::command", .priority = 40, .period = 100ms,
//                        .deadline = 100ms, .execution = 12ms, .critical = true}});
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <takt/reference/local_object.h>

namespace takt::rt {

class OperationSchedule;

// Treatment of an upcall that exceeds its processor time.
enum class OnOverrun : std::uint8_t {
  count,  // it is only counted
  // The upcall's thread continues at the lowest real-time priority until it ends, if it has a real-time
  // priority.
  demote,
  // Requests for the operation get TRANSIENT, completed NO, until the overrun ends and the operation's
  // average use of the processor is back to its execution time per period.
  refuse,
};

// Treatment of a request that comes earlier than its declared rate allows.
//   count   it is served, and counted
//   demote  its upcall runs at the lowest real-time priority, below all analysed operations
//   refuse  it gets TRANSIENT, completed NO
using OnEarly = OnOverrun;

struct ScheduledOperation {
  // As in IDL: Module::Interface::operation. Outer modules, or the interface too, may be omitted. If several
  // names match a request, the longest wins. A full name also applies to interfaces that inherit the
  // operation, unless another name matches better. Attributes are _get_NAME and _set_NAME.
  std::string name;
  // RT-CORBA priority of its upcalls, overriding the object's POA. -1: the POA decides.
  std::int16_t priority = -1;
  std::int32_t sub_priority = 0;      // order within a priority; 0 goes first
  std::int32_t queue = 0;             // for threading-framework: each number has its own queue and threads
  std::chrono::nanoseconds period{};  // minimum time between requests, or between periodic releases; 0: none
  // How much earlier than its period allows a request may come. In any time t, at most ceil((t + jitter) /
  // period) + burst - 1 requests conform.
  std::chrono::nanoseconds jitter{};
  std::uint32_t burst = 1;               // requests that may come at once
  std::chrono::nanoseconds phase{};      // phase of its first release by a PeriodicDispatcher
  std::chrono::nanoseconds deadline{};   // from arrival; 0: none
  std::chrono::nanoseconds execution{};  // maximum processor time of one upcall; 0: no bound
  bool critical = false;
  OnOverrun on_overrun = OnOverrun::count;
  std::optional<OnEarly> on_early = {};  // empty: same as on_overrun

  friend bool operator==(const ScheduledOperation&, const ScheduledOperation&) = default;
};

struct ScheduleReport {
  enum class Kind : std::uint8_t {
    deadline_missed,
    overrun,
    early,              // a request came earlier, by `took`, than its period (`allowed`) permits
    releases_left_out,  // by a PeriodicDispatcher, which was more than a period late
    failed              // an exception left the function that it calls
  };
  Kind kind = Kind::deadline_missed;
  std::string_view operation;  // name in the schedule; valid as long as the scheduler
  // From arrival to the end of the upcall; for an overrun the processor time so far; for skipped releases the
  // time since the first of them.
  std::chrono::nanoseconds took{};
  std::chrono::nanoseconds allowed{};  // the limit for `took`
};

struct ScheduleOptions {
  // Called for each report, in a thread of the scheduler at ordinary priority, one at a time, without locks
  // held. It may block and call the ORB. Exceptions are ignored. May be empty.
  std::function<void(const ScheduleReport&)> report = {};
  std::size_t pending_reports =
      1024;  // capacity of the report queue, 1 to 2^20; further ones are lost and counted
  unsigned threads_per_queue = 1;  // for threading-framework
};

// The result of change().
struct ScheduleChange {
  std::chrono::steady_clock::time_point at;  // when it took effect
  std::chrono::nanoseconds waited{};         // from the call until then
};

// Statistics since the schedule was installed.
struct OperationStatistics {
  std::string name;
  std::uint64_t begun = 0;      // upcalls
  std::uint64_t overruns = 0;   // upcalls that exceeded their processor time
  std::uint64_t demotions = 0;  // overruns whose thread was demoted
  std::uint64_t refusals = 0;   // requests refused after an overrun or for coming early
  std::uint64_t early = 0;      // requests earlier than the period allows, including refused ones
  std::uint64_t deadlines_missed =
      0;  // upcalls that ended after the client's deadline, or else the schedule's
  // Counts of a PeriodicDispatcher: releases skipped because the next one was due, and exceptions.
  std::uint64_t releases_left_out = 0, failures = 0;
  std::chrono::nanoseconds latest_begin{};       // from arrival to the start of the upcall
  std::chrono::nanoseconds longest_response{};   // from arrival to the end of the upcall
  std::chrono::nanoseconds longest_execution{};  // processor time, of operations with a bound
};

// The scheduler of one ORB ("RunTimeScheduler"). Any thread.
//
// A request arrives when the ORB has read it from its connection. The scheduler does not see calls within the
// process, which run in their caller's thread and on its budget. Requests to objects of a servant locator,
// and the request for which a servant activator makes its servant, are matched only by operation name.
class RunTimeScheduler final : public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<RunTimeScheduler>;
  explicit RunTimeScheduler(std::shared_ptr<OperationSchedule> schedule);
  ~RunTimeScheduler() override;

  // Call once, before the root POA is first requested; else it throws BAD_INV_ORDER (use change() later).
  // Throws BAD_PARAM, naming the operation and the number, for duplicate or invalid names, negative times,
  // and options out of range. Also for overrun policies without a bound, OnOverrun::refuse and on_early
  // without a period, and a burst of 0 or of more than a million. DATA_CONVERSION: priorities that the
  // mapping lacks. NO_RESOURCES: threads are not available.
  void install(std::vector<ScheduledOperation> operations, ScheduleOptions options = {});

  // Replaces the schedule while requests are served (a mode change). Requests that have arrived end by the
  // old schedule, at its priorities; later ones use the new schedule. Jobs of a PeriodicDispatcher whose
  // operations are removed or have another declaration are no longer released. Once the last of them has
  // ended, at most `bound` from now, the change takes effect, and the new rates begin with their phases.
  // Operations with the same declaration keep their rate throughout. It does not check whether deadlines are
  // met meanwhile; takt::scheduling::LiveSchedule does.
  //
  // If it throws, nothing has changed. BAD_PARAM, DATA_CONVERSION and NO_RESOURCES as in install(). BAD_PARAM
  // for a queue that the installed schedule lacks, because the queues' threads cannot change. BAD_INV_ORDER
  // before install(), after the ORB's shutdown and in a job of the dispatcher. TIMEOUT if old jobs do not
  // end. TRANSIENT while requests hold 16 former schedules, and while the dispatcher starts.
  ScheduleChange change(std::vector<ScheduledOperation> operations,
                        std::chrono::nanoseconds bound = std::chrono::seconds(10));
  std::uint64_t changes() const;  // number of changes that took effect

  // In the order of the present schedule. Neither function stops requests. An operation's counts persist when
  // schedules change.
  std::vector<OperationStatistics> statistics() const;
  // Throws BAD_PARAM for a name that is not in the present schedule.
  OperationStatistics statistics(std::string_view name) const;
  // Reports that were lost because the queue was full.
  std::uint64_t reports_lost() const;

 private:
  const std::shared_ptr<OperationSchedule> schedule_;
};

}  // namespace takt::rt

// The run-time scheduler: what is known of operations beforehand, and what the ORB does about it (paper 001,
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

// What becomes of an upcall that takes more processor time than it may.
enum class OnOverrun : std::uint8_t {
  count,  // nothing, but that it is counted
  // Its thread goes on at the lowest real-time priority until the upcall ends, where it has one at all.
  demote,
  // While it lasts, and then until the operation's use of the processor is what its execution and period
  // allow, requests for the operation get TRANSIENT, completed NO.
  refuse,
};

// The same for a request that comes earlier than the declared rate allows.
//   count   it is served, and counted
//   demote  its upcall runs at the lowest real-time priority, below all that is proven
//   refuse  it gets TRANSIENT, completed NO
using OnEarly = OnOverrun;

struct ScheduledOperation {
  // As IDL has it: Module::Interface::operation. Outer modules may be left out, or the interface too: of the
  // names that fit a request, the longest counts. A full name also holds for the interfaces that inherit the
  // operation, where no name fits better. Attributes are _get_NAME and _set_NAME.
  std::string name;
  // RT-CORBA's: its upcalls run at it, whatever the object's POA says. -1: as the POA says.
  std::int16_t priority = -1;
  std::int32_t sub_priority = 0;  // among those of one priority; 0 goes first
  std::int32_t queue = 0;         // of threading-framework: one for each number, with threads of its own
  std::chrono::nanoseconds
      period{};  // least time between requests, or between releases by the clock; 0: none
  // How much earlier than its period allows a request may come. Over any time t, at most (t + jitter) /
  // period requests conform, rounded up, and `burst` - 1 more.
  std::chrono::nanoseconds jitter{};
  std::uint32_t burst = 1;               // requests that may come at once
  std::chrono::nanoseconds phase{};      // of its first release by a PeriodicDispatcher
  std::chrono::nanoseconds deadline{};   // from its arrival; 0: none
  std::chrono::nanoseconds execution{};  // processor time of one upcall in its thread, at most; 0: no bound
  bool critical = false;
  OnOverrun on_overrun = OnOverrun::count;
  std::optional<OnEarly> on_early = {};  // none: as on_overrun

  friend bool operator==(const ScheduledOperation&, const ScheduledOperation&) = default;
};

struct ScheduleReport {
  enum class Kind : std::uint8_t {
    deadline_missed,
    overrun,
    early,              // a request came so much earlier (`took`) than its period (`allowed`) lets it
    releases_left_out,  // of a PeriodicDispatcher: it came so late for one, which may be a period late
    failed              // an exception left the function that it calls
  };
  Kind kind = Kind::deadline_missed;
  std::string_view operation;  // the name in the schedule; valid as long as the scheduler
  // From the arrival to the end of the upcall; or the processor time so far, while or after the upcall runs;
  // or since the first release that was left out.
  std::chrono::nanoseconds took{};
  std::chrono::nanoseconds allowed{};  // of the same
};

struct ScheduleOptions {
  // Called for each, in a thread of the scheduler's at ordinary priority, one at a time, with no lock held.
  // It may wait and call the ORB; an exception that leaves it is swallowed. May be empty.
  std::function<void(const ScheduleReport&)> report = {};
  std::size_t pending_reports = 1024;  // as many wait for it; those beyond are lost, and counted. 1 to 2^20
  unsigned threads_per_queue = 1;      // of threading-framework
};

// What change() has done.
struct ScheduleChange {
  std::chrono::steady_clock::time_point at;  // that it took effect
  std::chrono::nanoseconds waited{};         // from the call until then
};

// Since the schedule was installed.
struct OperationStatistics {
  std::string name;
  std::uint64_t begun = 0;      // upcalls
  std::uint64_t overruns = 0;   // those that took more processor time than they may
  std::uint64_t demotions = 0;  // of them, those whose threads lost their priority
  std::uint64_t refusals = 0;   // requests, for an overrun or for coming early
  std::uint64_t early = 0;      // requests that came earlier than the period allows; those refused among them
  std::uint64_t deadlines_missed = 0;  // upcalls that ended after their deadline, the client's if it sent one
  // Of a PeriodicDispatcher: those of a release whose successor's time had come, and exceptions.
  std::uint64_t releases_left_out = 0, failures = 0;
  std::chrono::nanoseconds latest_begin{};       // from the arrival to the begin of the upcall
  std::chrono::nanoseconds longest_response{};   // from the arrival to the end of the upcall
  std::chrono::nanoseconds longest_execution{};  // processor time, of operations that have a bound
};

// Of one ORB ("RunTimeScheduler"). Any thread.
//
// A request arrives when the ORB has read it from its connection. Calls within the process run in their
// caller's thread and on its budget: the scheduler does not see them. Objects that a servant manager or a
// default servant incarnates for a request are known by operation alone.
class RunTimeScheduler final : public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<RunTimeScheduler>;
  explicit RunTimeScheduler(std::shared_ptr<OperationSchedule> schedule);
  ~RunTimeScheduler() override;

  // Once, before the root POA is first asked for: BAD_INV_ORDER otherwise (change() is for later). BAD_PARAM,
  // which names the operation and the number, for names that come twice or are none, negative times, overrun
  // policies without a bound (or, for refuse, a period), policies for early requests without a period, a
  // burst of 0 or of more than a million, and options out of range; DATA_CONVERSION for priorities that the
  // mapping does not have, NO_RESOURCES where threads cannot be had.
  void install(std::vector<ScheduledOperation> operations, ScheduleOptions options = {});

  // Another schedule takes the place of the present one, while requests are served (a mode change). Requests
  // that have arrived end by the old one, at its priorities; those that arrive from then on go by the new
  // one. Of the jobs of a PeriodicDispatcher, those of operations that are declared otherwise, or no more,
  // are released no further; when the last of them has ended, at most `bound` from now, the change takes
  // effect and the new rates begin with their phases. Operations that are declared the same go on at their
  // rate throughout. Whether deadlines are met meanwhile is not looked at here
  // (takt::scheduling::LiveSchedule does).
  //
  // BAD_PARAM, DATA_CONVERSION and NO_RESOURCES as install(), and BAD_PARAM for a queue that the installed
  // schedule does not have, whose threads stay as they are. BAD_INV_ORDER before install(), after the ORB's
  // shutdown and in a job of the dispatcher; TIMEOUT where old jobs do not end; TRANSIENT while requests
  // hold 16 former schedules, and while the dispatcher starts. Then nothing has changed.
  ScheduleChange change(std::vector<ScheduledOperation> operations,
                        std::chrono::nanoseconds bound = std::chrono::seconds(10));
  std::uint64_t changes() const;  // that took effect

  // In the order of the present schedule. Neither stops requests. What was counted of an operation stays when
  // schedules change.
  std::vector<OperationStatistics> statistics() const;
  // BAD_PARAM for a name that is not in the present schedule.
  OperationStatistics statistics(std::string_view name) const;
  // For want of a place to wait for the call-back.
  std::uint64_t reports_lost() const;

 private:
  const std::shared_ptr<OperationSchedule> schedule_;
};

}  // namespace takt::rt

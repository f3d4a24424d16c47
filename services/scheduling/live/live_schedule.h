// The schedule of a server that runs: clients are admitted to it, and modes change, if every deadline is met.
//
//   LiveSchedule schedule(target_of(run_time_scheduler), {.maximum_priority = 40});
//   auto begun = schedule.begin(avionics_declarations);   // before the root POA is first asked for
//   auto camera = schedule.admit("camera", {{.name = "Camera::frame", ...}});
//   if (!camera) std::cerr << camera.error().text;        // who would miss which deadline, and by how much
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <takt/rt/schedule.h>

#include "scheduling/analysis/transition.h"
#include "scheduling/model/declaration.h"
#include "scheduling/scheduler.h"

namespace takt::scheduling {

enum class LiveError {
  not_feasible,    // a deadline is missed, or not proven to be met, by the new schedule or on the way to it
  bad_operations,  // what is declared cannot be, or somebody else has declared it
  too_many,        // clients or operations, or priority levels
  unknown_client,
  not_taken,  // the ORB has refused the schedule
  out_of_order
};
// `operation` and `number` say who and, of not_feasible, by how many nanoseconds (0: nobody knows).
using LiveFault = Fault<LiveError>;

inline constexpr std::chrono::hours longest_lease{24 * 365};

struct LiveOptions {
  PriorityOptions priorities = {};
  std::int32_t minimum_priority = 1, maximum_priority = 99;  // of RT-CORBA; `maximum` is the most urgent
  rt::OnOverrun on_overrun = rt::OnOverrun::count;           // of operations with a period
  // Of threading-framework; levels beyond share the last one.
  std::int32_t queues = 1;
  std::size_t most_clients = 256;
  std::size_t most_operations = 4096;  // of all
  // A client that has been neither admitted nor renewed for so long is released, so that one that dies does
  // not keep its place. Zero: it stays until release(). At most longest_lease, which longer ones are.
  std::chrono::nanoseconds lease{};
};

// Where schedules go to. What they throw is not_taken.
struct LiveTarget {
  std::function<void(std::vector<rt::ScheduledOperation>)> install, change;
};
LiveTarget target_of(CORBA::object_reference<rt::RunTimeScheduler> scheduler,
                     rt::ScheduleOptions options = {});

// Any thread; an analysis holds up others of the same schedule. Nothing that is refused has changed anything.
class LiveSchedule {
 public:
  using ClientId = std::uint64_t;
  using Clock = std::chrono::steady_clock;  // of leases
  using Done = std::expected<void, LiveFault>;
  struct Admitted {
    ClientId id = 0;
    std::vector<std::pair<std::string, AssignedPriority>> priorities;  // of its operations
  };

  LiveSchedule(LiveTarget target, LiveOptions options);

  // The application's own operations; once, first.
  Done begin(std::vector<Declaration> operations);
  // Others instead of them: a mode change. Clients stay, if there is time for them.
  Done change_mode(std::vector<Declaration> operations);
  // Adds a client's. Others keep their priorities as far as numbers between them are left. They may call
  // those of others; a client that has the application's called at a rate declares an operation of its own
  // that does so. Those whose leases have run out are released first.
  std::expected<Admitted, LiveFault> admit(const std::string& client, std::vector<Declaration> operations,
                                           Clock::time_point now = Clock::now());
  // Its lease begins anew.
  Done renew(ClientId client, Clock::time_point now = Clock::now());
  // Takes them out.
  Done release(ClientId client);
  // Releases the clients whose leases have run out. One that cannot be, since others call its operations or
  // the ORB has refused, has another lease, as has one that renews before this is called. Gives the time when
  // it has something to do next: where there is nobody, nothing. No lease ends sooner than the lease's length
  // after it began, so who comes back after that time at the latest overlooks none.
  std::optional<Clock::time_point> release_expired(Clock::time_point now = Clock::now());
  // Any negative one is none.
  std::chrono::nanoseconds lease() const {
    return std::clamp<std::chrono::nanoseconds>(options_.lease, std::chrono::nanoseconds::zero(),
                                                longest_lease);
  }

  struct Statistics {
    std::uint64_t admitted = 0, refused = 0, mode_changes = 0;
    std::uint64_t released = 0, expired = 0;  // the latter are among the former
    std::size_t clients = 0, operations = 0;
    double utilisation = 0;  // of the busiest processor
  };
  Statistics statistics() const;

 private:
  struct Client {
    std::string name;
    std::vector<Declaration> operations;
    // Nothing of it is in the ORB any more, and the analysis counts it all the same, since the priorities
    // that the others would have without it cannot be proven to be safe on the way there.
    bool released = false;
    Clock::time_point expires = Clock::time_point::max();
  };
  using Clients = std::map<ClientId, Client>;
  // A schedule that meets its deadlines.
  struct Present {
    Scheduler scheduler;
    std::vector<std::int32_t> priorities;  // of its levels
    AssignedPriority of(const std::string& operation) const;
  };
  using Made = std::expected<Present, LiveFault>;
  // What follows is called with the lock.
  bool is_admitted(ClientId client) const;
  Done release_together(std::span<const ClientId> clients);
  std::optional<Clock::time_point> release_expired_now(Clock::time_point now);
  LiveFault unknown(ClientId client) const;
  Clock::time_point end_of_lease(Clock::time_point begun) const;
  Made make(const std::vector<Declaration>& own, const Clients& clients) const;
  // Without those that are released; with them, where they must be.
  Done take_over(std::vector<Declaration> own, Clients clients);
  Done take_over_exactly(const std::vector<Declaration>& own, const Clients& clients);
  std::vector<std::int32_t> priorities_for(const Scheduler& scheduler) const;
  std::vector<rt::ScheduledOperation> operations_of(const Present& schedule, const Clients& clients) const;
  Done hand_over(const Present& schedule, const Clients& clients);
  Done require_room(const std::vector<Declaration>& own, const Clients& clients) const;

  const LiveTarget target_;
  const LiveOptions options_;
  mutable std::mutex mutex_;  // for what follows
  std::optional<Present> present_;
  std::vector<Declaration> own_;
  Clients clients_;
  Statistics statistics_;
};

}  // namespace takt::scheduling

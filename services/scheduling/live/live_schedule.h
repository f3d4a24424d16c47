// The schedule of a running server: clients are admitted, and modes change, if every deadline is still met.
//
//   LiveSchedule schedule(target_of(run_time_scheduler), {.maximum_priority = 40});
//   auto begun = schedule.begin(avionics_declarations);   // before the root POA is first asked for
//   auto camera = schedule.admit("camera", {{.name = "Camera::frame", ...}});
//   if (!camera) std::cerr << camera.error().text;        // which deadline would be missed, and by how much
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

#include "schedulability/analysis/transition.h"
#include "schedulability/model/declaration.h"
#include "scheduling/scheduler.h"

namespace takt::scheduling {

enum class LiveError {
  not_feasible,    // the new schedule, or the change to it, is not proven to meet every deadline
  bad_operations,  // a declaration is invalid, or another client has declared the operation
  too_many,        // too many clients, operations or priority levels
  unknown_client,
  not_taken,  // the ORB refused the schedule
  out_of_order
};
// `operation` is the operation at fault. For not_feasible, `number` is the excess over its deadline in
// nanoseconds (0: unknown).
using LiveFault = Fault<LiveError>;

inline constexpr std::chrono::hours longest_lease{24 * 365};

struct LiveOptions {
  PriorityOptions priorities = {};
  // RT-CORBA priorities; `maximum` is the most urgent.
  std::int32_t minimum_priority = 1, maximum_priority = 99;
  rt::OnOverrun on_overrun = rt::OnOverrun::count;  // for operations with a period
  // Queues of the threading framework; further levels share the last one.
  std::int32_t queues = 1;
  std::size_t most_clients = 256;
  std::size_t most_operations = 4096;  // total of the application and all clients
  // A client that has not been admitted or renewed for this time is released, so that a crashed client does
  // not keep its place. Zero: clients stay until release(). Limited to longest_lease.
  std::chrono::nanoseconds lease{};
};

// Receives the schedules. An exception becomes not_taken.
struct LiveTarget {
  std::function<void(std::vector<rt::ScheduledOperation>)> install, change;
};
LiveTarget target_of(CORBA::object_reference<rt::RunTimeScheduler> scheduler,
                     rt::ScheduleOptions options = {});

// Thread-safe. An analysis, which may take some seconds, blocks other callers, but not renew(). An operation
// that fails changes nothing. A change is proven for a system in which the one before has settled. So each
// function that changes the schedule first waits until jobs of threads that the last change ended, or moved
// to another priority, can no longer delay others: for the longest busy period of that change at most.
class LiveSchedule {
 public:
  using ClientId = std::uint64_t;
  using Clock = std::chrono::steady_clock;  // for leases
  using Done = std::expected<void, LiveFault>;
  struct Admitted {
    ClientId id = 0;
    std::vector<std::pair<std::string, AssignedPriority>> priorities;  // for the client's operations
  };

  LiveSchedule(LiveTarget target, LiveOptions options);

  // Declares the application's own operations; call it once, before anything else.
  Done begin(std::vector<Declaration> operations);
  // Changes the mode: replaces the application's operations. Clients stay; fails if there is not enough time
  // for them.
  Done change_mode(std::vector<Declaration> operations);
  // Adds a client's operations. Other operations keep their priorities while there are free numbers between
  // them. A client's operations may call those of others. A client that calls an operation of the application
  // at a rate must declare an operation of its own that makes the call. Releases expired clients first.
  // Without `now`, the time is read when it is needed: the lease begins when the client has been admitted.
  std::expected<Admitted, LiveFault> admit(const std::string& client, std::vector<Declaration> operations,
                                           std::optional<Clock::time_point> now = std::nullopt);
  // Restarts the client's lease. Does not wait for an analysis.
  Done renew(ClientId client, Clock::time_point now = Clock::now());
  // Removes the client's operations.
  Done release(ClientId client);
  // Releases the clients whose leases have expired. One that cannot be released gets a new lease, because
  // others call its operations or the ORB refused; so does one that renews before this call. Returns the
  // earliest end of a lease; empty if there are no clients. A lease never ends earlier than its length after
  // its start, so a caller that returns by that time misses no expired lease.
  std::optional<Clock::time_point> release_expired(Clock::time_point now = Clock::now());
  // Negative values count as zero.
  std::chrono::nanoseconds lease() const {
    return std::clamp<std::chrono::nanoseconds>(options_.lease, std::chrono::nanoseconds::zero(),
                                                longest_lease);
  }

  struct Statistics {
    std::uint64_t admitted = 0, refused = 0, mode_changes = 0;
    std::uint64_t released = 0, expired = 0;  // `expired` is a part of `released`
    std::size_t clients = 0, operations = 0;
    double utilisation = 0;  // the highest among the processors
  };
  Statistics statistics() const;

 private:
  struct Client {
    std::string name;
    std::vector<Declaration> operations;
    // A released client that the analysis still counts: the ORB no longer has its operations, but the change
    // to the priorities without it was not proven to be safe.
    bool released = false;
  };
  using Clients = std::map<ClientId, Client>;
  // A schedule that meets its deadlines.
  struct Present {
    Scheduler scheduler;
    std::vector<std::int32_t> priorities;  // by level
    Time settles{0};                       // how long the change to it delays the next one
    AssignedPriority of(const std::string& operation) const;
  };
  using Made = std::expected<Present, LiveFault>;
  // The ends of the leases of all clients that are admitted and not released. A lock of its own, which is
  // never held during an analysis.
  class Leases {
   public:
    void begin(ClientId client, Clock::time_point ends);
    // False if the client has no lease.
    bool renew(ClientId client, Clock::time_point ends);
    void end(ClientId client);
    // Ends those that are over at `now`, and returns their clients.
    std::vector<ClientId> end_expired(Clock::time_point now);
    // When the first one ends; empty if there are none.
    std::optional<Clock::time_point> first_end() const;

   private:
    mutable std::mutex mutex_;
    std::map<ClientId, Clock::time_point> ends_;
  };
  // The following functions need the lock.
  bool is_admitted(ClientId client) const;
  Done release_together(std::span<const ClientId> clients);
  std::optional<Clock::time_point> release_expired_now(Clock::time_point now);
  LiveFault unknown(ClientId client) const;
  Clock::time_point end_of_lease(Clock::time_point begun) const;
  Made make(const std::vector<Declaration>& own, const Clients& clients) const;
  // Drops released clients if that is feasible; keeps counting them if it is not.
  Done take_over(std::vector<Declaration> own, Clients clients);
  Done take_over_exactly(const std::vector<Declaration>& own, const Clients& clients);
  std::vector<std::int32_t> priorities_for(const Scheduler& scheduler) const;
  std::vector<rt::ScheduledOperation> operations_of(const Present& schedule, const Clients& clients) const;
  Done hand_over(const Present& schedule, const Clients& clients);
  Done require_room(const std::vector<Declaration>& own, const Clients& clients) const;

  const LiveTarget target_;
  const LiveOptions options_;
  mutable std::mutex mutex_;  // guards the following members
  std::optional<Present> present_;
  std::vector<Declaration> own_;
  Clients clients_;
  Clock::time_point settled_at_{};  // when the last change may be followed by another one
  Statistics statistics_;
  Leases leases_;  // needs no lock
};

}  // namespace takt::scheduling

// One server: its processes, the requests that wait for it, and when a process is started.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "imr/model/actions.h"
#include "imr/model/definition.h"

namespace takt::imr {

using Clock = std::chrono::steady_clock;
using Time = Clock::time_point;

enum class Phase : std::uint8_t { stopped, starting, running, stopping, pausing, failed };

struct Process {
  std::uint64_t start = 0;  // the start's number, unique in the server
  Phase phase = Phase::starting;
  std::int32_t pid = 0;      // 0: not known
  bool child = false;        // leads a group of its own
  bool one_client = false;   // started for one client, in mode per_client
  Time since{};              // the phase began
  Time deadline{};           // until which it must serve, or end
  PlacePtr place = nullptr;  // null until it runs
  bool pinging = false;
  Time ping_began{}, ping_again{};
  Time gone_since{};  // nothing answers at its address, or it cannot be reached

  // Whether it is yet to be started.
  bool is_unborn() const { return child && pid == 0; }
};

// The numbers begin with the object.
struct Counts {
  std::uint64_t starts = 0, failures = 0, forwards = 0, refused = 0;
};

// Makes no system call, reads no clock and starts no thread: events go in, actions come out. One thread at a
// time. The contract:
//  1. At most one process of a server is starting or running, except in mode per_client.
//  2. Each request gets one answer: at the latest `longest_start` after it arrived.
//  3. After a failure no process starts before the pause has passed, which doubles with each failure in a
//  row.
//  4. After `start_limit` failures in a row nothing starts until the owner says so.
//  5. After a change from or to mode per_client, the processes of the earlier mode keep the clients that they
//  have, get no others, and their ends are no failures.
// It is large because each event, and each result of an action, is a function.
class Server {
 public:
  // `first_start`: greater than the numbers of all earlier starts.
  Server(Definition definition, const Limits& limits, std::uint64_t first_start);

  const Definition& definition() const { return definition_; }
  void change(Definition definition) { definition_ = std::move(definition); }

  // The owner's.
  std::expected<void, std::string> start(Time now, Actions& actions);
  void stop(Time now, Actions& actions);
  // The repository has begun, or the definition has changed.
  void begin(Time now, Actions& actions);
  // The repository ends: refuses the requests that wait.
  void close(const std::string& why, Actions& actions) { refuse_all(why, actions); }

  void request(std::unique_ptr<Caller> caller, Time now, Actions& actions);

  // The results of Actions::spawn.
  void spawned(std::uint64_t start, std::int32_t pid, Actions& actions);
  // A process has ended, or was not spawned. `clean`: by itself and with success, which is no failure unless
  // the mode is automatic. `why` begins with a verb.
  void died(std::uint64_t start, bool clean, const std::string& why, Time now, Actions& actions);

  // Why a process cannot take the server's place. `rival`: the start whose process has it, if only a ping can
  // tell whether that process still exists; lost() says that it does not.
  struct Taken {
    std::string why;
    std::optional<Actions::Ping> rival;
  };
  // The result is the number of the start, which is new for a process that the repository has not started.
  std::expected<std::uint64_t, Taken> is_running(std::uint64_t start, const Place& place, Time now,
                                                 Actions& actions);
  void lost(std::uint64_t start, Time now, Actions& actions);
  // The client to which a process of mode per_client was to be given has gone.
  void without_client(std::uint64_t start, Time now, Actions& actions);
  void is_ending(std::uint64_t start, std::int32_t pid, Time now, Actions& actions);

  // The results of Actions::pings. `unclear`: the process, or the system for it, takes connections, but it
  // does not answer in time. `unreachable`: no connection came about in time, so that its machine may be
  // gone.
  enum class Pinged : std::uint8_t { alive, gone, unclear, unreachable };
  void pinged(std::uint64_t start, Pinged result, Time now, Actions& actions);
  // There was no memory for the ping, which is repeated.
  void not_pinged(std::uint64_t start, Time now);

  // Handles deadlines that have passed; next() is when the earliest does.
  void tick(Time now, Actions& actions);
  Time next() const;

  // A process of an earlier repository.
  void adopt(Process process) { processes_.push_back(std::move(process)); }

  const std::vector<Process>& processes() const { return processes_; }
  Phase phase(Time now) const;
  const Counts& counts() const { return counts_; }
  std::size_t waiting() const { return waiting_.size(); }
  std::uint32_t in_a_row() const { return in_a_row_; }
  const std::string& last_failure() const { return last_failure_; }
  const std::string& last_refusal() const { return last_refusal_; }

 private:
  struct Waiting {
    std::unique_ptr<Caller> caller;
    Time since;
  };
  Time end_of(const Waiting& waiting) const { return waiting.since + definition_.longest_start; }
  bool per_client() const { return definition_.mode == Mode::per_client; }
  bool would_start() const;
  // Whether the present mode has started it.
  bool is_present(const Process& process) const { return process.one_client == per_client(); }
  // How many of those there are.
  std::size_t present() const;
  std::size_t starting() const;
  Process* find(std::uint64_t start);
  Process* in_phase(Phase phase);
  void remove(const Process& process, Actions& actions);
  void await_place(Process& process, Time now, Actions& actions) const;
  static void end(Process& process, bool at_once, Time deadline, Actions& actions);
  void spawn(Time now, Actions& actions);
  void advance(Time now, Actions& actions);
  void advance_per_client(Time now, Actions& actions);
  void await_end(Process& process, Time now, Actions& actions);
  void await_connection(Process& process, Time now, Actions& actions);
  static void begin_ping(Process& process, Time now, Actions& actions);
  void fail(const std::string& why, Time now, Actions& actions);
  std::string why_not_started() const;
  void give_clients(Process& process, Time now, Actions& actions);
  void forward_all(const Process& process, Time since, Actions& actions);
  void refuse_all(const std::string& why, Actions& actions);
  void take_callers(std::size_t count, Callers& callers);
  Callers& refused(const std::string& why, std::size_t count, Actions& actions);
  void expire_requests(Time now, Actions& actions);
  void expire_processes(Time now, Actions& actions);
  std::expected<Process*, Taken> place_for(std::uint64_t start, const Place& place, Time now,
                                           Actions& actions);
  std::expected<Process*, Taken> place_for_stranger(const Place& place, Time now, Actions& actions);

  Definition definition_;
  const Limits limits_;
  std::uint64_t next_start_;
  std::vector<Process> processes_;
  std::deque<Waiting> waiting_;  // in the order of arrival
  bool wanted_ = false;          // to be started without a request
  bool failed_ = false;
  Time pause_until_{};
  std::uint32_t in_a_row_ = 0;
  Counts counts_;
  std::string last_failure_, last_refusal_;
};

}  // namespace takt::imr

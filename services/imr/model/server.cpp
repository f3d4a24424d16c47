#include "imr/model/server.h"

#include <algorithm>
#include <new>

namespace takt::imr {
namespace {

using namespace std::chrono_literals;

constexpr Time never = Time::max();
constexpr auto between_pings = 20ms;

std::string text_of(std::chrono::milliseconds time) {
  if (time.count() % 1000 == 0) return std::to_string(time.count() / 1000) + " s";
  return std::to_string(time.count()) + " ms";
}

// Whether the end of the process is noticed.
bool is_watched(const Process& process) { return process.child || (process.place && process.place->local); }

}  // namespace

Server::Server(Definition definition, const Limits& limits, std::uint64_t first_start)
    : definition_(std::move(definition)), limits_(limits), next_start_(first_start) {}

Process* Server::find(std::uint64_t start) {
  const auto found = std::ranges::find(processes_, start, &Process::start);
  return found == processes_.end() ? nullptr : &*found;
}

Process* Server::in_phase(Phase phase) {
  const auto found = std::ranges::find_if(
      processes_, [&](const Process& each) { return each.phase == phase && is_present(each); });
  return found == processes_.end() ? nullptr : &*found;
}

std::size_t Server::present() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(processes_, [this](const Process& each) { return is_present(each); }));
}

std::size_t Server::starting() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      processes_, [this](const Process& each) { return each.phase == Phase::starting && is_present(each); }));
}

void Server::remove(const Process& process, Actions& actions) {
  processes_.erase(processes_.begin() + (&process - processes_.data()));
  actions.processes_changed = true;
}

// The process, or another one of its start, has yet to take its place.
void Server::await_place(Process& process, Time now, Actions& actions) const {
  process.phase = Phase::starting;
  process.since = now;
  process.deadline = now + definition_.longest_start;
  process.place = nullptr;
  actions.processes_changed = true;
}

// Asks the process to end, or with `at_once` ends it.
void Server::end(Process& process, bool at_once, Time deadline, Actions& actions) {
  if (process.pid != 0 && is_watched(process))
    actions.signals.push_back({process.pid, process.child, at_once});
  else if (process.place && process.place->kind != PlaceKind::main_object)
    actions.shutdowns.push_back(process.place);
  process.phase = Phase::stopping;
  process.deadline = deadline;
}

std::expected<void, std::string> Server::start(Time now, Actions& actions) {
  if (definition_.command.empty())
    return std::unexpected(definition_.name + " has no command: the repository cannot start it");
  if (per_client() && !failed_)
    return std::unexpected(definition_.name + " has mode per-client: only requests start it");
  failed_ = false;
  in_a_row_ = 0;
  pause_until_ = {};
  wanted_ = !per_client() && !in_phase(Phase::running) && !in_phase(Phase::starting);
  advance(now, actions);
  return {};
}

void Server::stop(Time now, Actions& actions) {
  wanted_ = false;
  refuse_all(definition_.name + " was stopped by its owner", actions);
  for (Process& process : processes_)
    if (process.phase != Phase::stopping) end(process, false, now + definition_.longest_stop, actions);
}

void Server::begin(Time now, Actions& actions) {
  wanted_ = definition_.mode == Mode::automatic && !in_phase(Phase::running) && !in_phase(Phase::starting);
  advance(now, actions);
}

void Server::request(std::unique_ptr<Caller> caller, Time now, Actions& actions) {
  if (waiting_.size() >= limits_.waiting)
    return refused("too many requests wait for " + definition_.name, 1, actions).push_back(std::move(caller));
  waiting_.push_back({std::move(caller), now});
  advance(now, actions);
}

void Server::spawn(Time now, Actions& actions) {
  Process& process = processes_.emplace_back();
  process.start = next_start_++;
  process.child = true;
  process.one_client = per_client();
  process.since = now;
  process.deadline = now + definition_.longest_start;
  ++counts_.starts;
  actions.spawn.push_back(process.start);
}

// An empty text if a process may be started.
std::string Server::why_not_started() const {
  const std::string& name = definition_.name;
  if (definition_.command.empty())
    return name + " does not run, and the repository has no command that starts it";
  if (failed_)
    return name + " has failed " + std::to_string(in_a_row_) +
           " times in a row and is not started again before `takt imr start " + name +
           "`; the last time it " + last_failure_;
  if (definition_.mode == Mode::manual && !wanted_)
    return name + " does not run, and requests do not start it; `takt imr start " + name + "` does";
  return {};
}

// Whether only the pause delays a start.
bool Server::would_start() const {
  if (failed_) return false;
  if (!per_client()) return present() == 0 && (wanted_ || !waiting_.empty());
  return starting() < waiting_.size() && present() < definition_.most_processes;
}

void Server::advance(Time now, Actions& actions) {
  if (per_client()) return advance_per_client(now, actions);
  if (Process* const running = in_phase(Phase::running)) {
    if (!waiting_.empty() && !running->pinging && running->ping_again <= now)
      begin_ping(*running, now, actions);
    return;
  }
  if (present() > 0 || (waiting_.empty() && !wanted_)) return;
  const std::string why_not = why_not_started();
  if (!why_not.empty()) {
    wanted_ = false;
    refuse_all(why_not, actions);
  } else if (now >= pause_until_) {
    spawn(now, actions);
  }
}

void Server::advance_per_client(Time now, Actions& actions) {
  if (waiting_.empty()) return;
  const std::string why_not = why_not_started();
  if (!why_not.empty()) return refuse_all(why_not, actions);
  while (would_start() && now >= pause_until_) spawn(now, actions);
}

void Server::begin_ping(Process& process, Time now, Actions& actions) {
  actions.pings.push_back({process.start, process.place});
  process.pinging = true;
  process.ping_began = now;
}

void Server::not_pinged(std::uint64_t start, Time now) {
  Process* const process = find(start);
  if (!process) return;
  process->pinging = false;
  process->ping_again = now + between_pings;
}

void Server::spawned(std::uint64_t start, std::int32_t pid, Actions& actions) {
  Process* const process = find(start);
  if (!process) return;
  process->pid = pid;
  actions.processes_changed = true;
  if (process->phase == Phase::stopping)  // the time may have passed before the number was known
    end(*process, process->deadline == never, process->deadline, actions);
}

void Server::fail(const std::string& why, Time now, Actions& actions) {
  ++counts_.failures;
  ++in_a_row_;
  last_failure_ = why;
  auto pause = std::min(definition_.first_pause, definition_.longest_pause);
  for (std::uint32_t i = 1; i < in_a_row_ && pause < definition_.longest_pause; ++i)
    pause = std::min(2 * pause, definition_.longest_pause);
  pause_until_ = now + pause;
  if (in_a_row_ < definition_.start_limit || definition_.command.empty()) return;
  failed_ = true;
  wanted_ = false;
  refuse_all(why_not_started(), actions);
}

void Server::died(std::uint64_t start, bool clean, const std::string& why, Time now, Actions& actions) {
  const Process* const process = find(start);
  if (!process) return;
  const Phase phase = process->phase;
  const bool settled = phase == Phase::running && now - process->since >= limits_.settled;
  const bool counts = is_present(*process);
  remove(*process, actions);
  if (!counts) return advance(now, actions);
  if (settled) in_a_row_ = 0;
  const bool automatic = definition_.mode == Mode::automatic;
  if (automatic && (phase == Phase::running || phase == Phase::starting)) wanted_ = true;
  if (phase == Phase::starting) fail(why + " before it took its place", now, actions);
  if (phase == Phase::running && (automatic || !clean)) fail(why, now, actions);
  advance(now, actions);
}

// The process that `start` is to be.
std::expected<Process*, Server::Taken> Server::place_for(std::uint64_t start, const Place& place, Time now,
                                                         Actions& actions) {
  Process* const own = start == 0 ? nullptr : find(start);
  if (!own) return place_for_stranger(place, now, actions);
  if (own->phase == Phase::stopping)
    return std::unexpected(Taken{"the process was told to end", std::nullopt});
  if (own->phase == Phase::running && own->place->pid != place.pid)
    return std::unexpected(
        Taken{"process " + std::to_string(own->place->pid) + " of the same start has the place",
              Actions::Ping{own->start, own->place}});
  return own;
}

std::expected<Process*, Server::Taken> Server::place_for_stranger(const Place& place, Time now,
                                                                  Actions& actions) {
  if (per_client())
    return std::unexpected(Taken{"only the repository starts processes of mode per-client", std::nullopt});
  if (Process* const rival = in_phase(Phase::running)) {
    if (place.pid != 0 && rival->place->pid == place.pid && rival->place->local == place.local) return rival;
    if (is_watched(*rival))
      return std::unexpected(
          Taken{"process " + std::to_string(rival->place->pid) + " has its place", std::nullopt});
    return std::unexpected(
        Taken{"a process elsewhere has its place", Actions::Ping{rival->start, rival->place}});
  }
  // A start that is under way is not needed any more.
  if (Process* const late = in_phase(Phase::starting))
    end(*late, false, now + definition_.longest_stop, actions);
  Process& process = processes_.emplace_back();
  process.start = next_start_++;
  process.pid = place.pid;
  return &process;
}

std::expected<std::uint64_t, Server::Taken> Server::is_running(std::uint64_t start, const Place& place,
                                                               Time now, Actions& actions) {
  const auto found = place_for(start, place, now, actions);
  if (!found) return std::unexpected(found.error());
  Process& process = **found;
  const auto where = std::make_shared<const Place>(place);
  const bool was_running = process.phase == Phase::running;
  if (!was_running) process.since = now;
  process.phase = Phase::running;
  process.deadline = never;
  process.place = where;
  process.pinging = false;
  process.ping_again = process.gone_since = {};
  if (is_present(process)) {
    if (failed_) in_a_row_ = 0;  // the owner has started it by hand
    wanted_ = failed_ = false;
  }
  actions.processes_changed = true;
  const std::uint64_t its_start = process.start;
  if (was_running && (process.one_client || per_client())) return its_start;  // it has its clients
  try {
    give_clients(process, now, actions);
  } catch (const std::bad_alloc&) {  // the process says it again, and gets its clients then
    if (!was_running) process.child ? await_place(process, now, actions) : remove(process, actions);
    throw;
  }
  return its_start;
}

// Without a client the process would never end, and would count among those that may run.
void Server::give_clients(Process& process, Time now, Actions& actions) {
  if (!is_present(process) || (per_client() && waiting_.empty()))
    return end(process, false, now + definition_.longest_stop, actions);
  forward_all(process, now, actions);
}

void Server::without_client(std::uint64_t start, Time now, Actions& actions) {
  Process* const process = find(start);
  if (process && process->phase == Phase::running && process->one_client)
    give_clients(*process, now, actions);
}

// Forwards the requests that arrived until `since`; in mode per_client, one.
void Server::forward_all(const Process& process, Time since, Actions& actions) {
  const auto late = std::ranges::find_if(waiting_, [&](const Waiting& each) { return each.since > since; });
  auto count = static_cast<std::size_t>(late - waiting_.begin());
  if (per_client()) count = std::min<std::size_t>(count, 1);
  if (count == 0) return;
  auto& forward = actions.forwards.emplace_back(Callers(), process.place, per_client() ? process.start : 0);
  take_callers(count, forward.callers);
  counts_.forwards += count;
}

// Takes those that have waited longest, or none if there is no memory.
void Server::take_callers(std::size_t count, Callers& callers) {
  callers.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    callers.push_back(std::move(waiting_.front().caller));
    waiting_.pop_front();
  }
}

void Server::refuse_all(const std::string& why, Actions& actions) {
  if (waiting_.empty()) return;
  take_callers(waiting_.size(), refused(why, waiting_.size(), actions));
}

// The callers that are refused for this reason, to be filled.
Callers& Server::refused(const std::string& why, std::size_t count, Actions& actions) {
  last_refusal_ = why;
  Callers& callers = actions.refusals.emplace_back(Callers(), why).first;
  counts_.refused += count;
  return callers;
}

void Server::is_ending(std::uint64_t start, std::int32_t pid, Time now, Actions& actions) {
  const auto is_it = [&](const Process& one) {
    return one.place && one.place->pid == pid && (start == 0 ? !one.child : one.start == start);
  };
  const auto found = std::ranges::find_if(processes_, is_it);
  if (found == processes_.end()) return;
  if (found->phase == Phase::running && now - found->since >= limits_.settled) in_a_row_ = 0;
  if (!is_watched(*found)) {
    remove(*found, actions);
  } else if (found->phase == Phase::running) {
    found->phase = Phase::stopping;  // it ends by itself, or hangs while it does
    found->deadline = now + definition_.longest_stop;
  }
  advance(now, actions);
}

void Server::pinged(std::uint64_t start, Pinged result, Time now, Actions& actions) {
  Process* const process = find(start);
  if (!process || process->phase != Phase::running || !process->pinging) return;
  process->pinging = false;
  process->ping_again = {};
  if (!is_present(*process)) return;  // the mode has changed meanwhile
  if (result == Pinged::unreachable && !is_watched(*process)) {
    await_connection(*process, now, actions);
  } else if (result != Pinged::gone) {
    process->gone_since = {};
    forward_all(*process, process->ping_began, actions);
  } else if (is_watched(*process)) {
    await_end(*process, now, actions);
  } else {
    return lost(start, now, actions);
  }
  advance(now, actions);
}

// Nearly always the process ends, which is noticed soon.
void Server::await_end(Process& process, Time now, Actions& actions) {
  if (process.gone_since == Time()) process.gone_since = now;
  process.ping_again = now + between_pings;
  if (now - process.gone_since < definition_.longest_stop) return;
  end(process, false, now + definition_.longest_stop, actions);
  if (definition_.mode == Mode::automatic) wanted_ = true;  // the owner has not stopped it
  fail("did not answer any more", now, actions);
}

// The network may fail for a moment; a machine that is gone does not come back.
void Server::await_connection(Process& process, Time now, Actions& actions) {
  if (process.gone_since == Time()) process.gone_since = now;
  process.ping_again = now + between_pings;
  if (now - process.gone_since >= limits_.unreachable) lost(process.start, now, actions);
}

void Server::lost(std::uint64_t start, Time now, Actions& actions) {
  Process* const process = find(start);
  if (!process || process->phase != Phase::running) return;
  if (process->child && process->place->pid != process->pid) {  // it may start another one
    await_place(*process, now, actions);
    return;
  }
  if (is_watched(*process)) return;
  const bool counts = is_present(*process);
  remove(*process, actions);
  if (counts) {
    fail("did not answer any more", now, actions);
    pause_until_ = {};
  }
  advance(now, actions);
}

void Server::expire_requests(Time now, Actions& actions) {
  const auto in_time =
      std::ranges::find_if(waiting_, [&](const Waiting& each) { return end_of(each) > now; });
  const auto late = static_cast<std::size_t>(in_time - waiting_.begin());
  if (late == 0) return;
  std::string why = definition_.name + " did not come up within " + text_of(definition_.longest_start);
  if (per_client() && present() >= definition_.most_processes)
    why += ", since " + std::to_string(present()) + " processes of it run, which is its limit";
  else if (!last_failure_.empty())
    why += "; the last time it " + last_failure_;
  take_callers(late, refused(why, late, actions));
}

void Server::expire_processes(Time now, Actions& actions) {
  for (std::size_t i = 0; i < processes_.size();) {
    Process& process = processes_[i];
    const bool late = process.deadline <= now && process.phase != Phase::running;
    if (late && !is_watched(process)) {
      remove(process, actions);
      continue;
    }
    const bool was_starting = process.phase == Phase::starting;
    if (late) end(process, true, never, actions);
    if (late && was_starting && is_present(process))
      fail("did not take its place within " + text_of(definition_.longest_start), now, actions);
    ++i;
  }
}

void Server::tick(Time now, Actions& actions) {
  expire_processes(now, actions);
  expire_requests(now, actions);
  advance(now, actions);
}

Time Server::next() const {
  Time next = waiting_.empty() ? never : end_of(waiting_.front());
  for (const Process& process : processes_) {
    if (process.phase != Phase::running)
      next = std::min(next, process.deadline);
    else if (is_present(process) && process.ping_again != Time() && !process.pinging && !waiting_.empty())
      next = std::min(next, process.ping_again);
  }
  return would_start() ? std::min(next, pause_until_) : next;
}

Phase Server::phase(Time now) const {
  const auto has = [&](Phase phase) {
    return std::ranges::find(processes_, phase, &Process::phase) != processes_.end();
  };
  for (const Phase phase : {Phase::running, Phase::starting, Phase::stopping})
    if (has(phase)) return phase;
  if (failed_) return Phase::failed;
  return now < pause_until_ && would_start() ? Phase::pausing : Phase::stopped;
}

}  // namespace takt::imr

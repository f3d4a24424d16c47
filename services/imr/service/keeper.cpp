#include "imr/service/keeper.h"

#include <algorithm>
#include <csignal>
#include <limits>
#include <new>
#include <utility>

#include "imr/place/ticket.h"
#include "imr/process/identity.h"
#include "imr/service/texts.h"
#include "octets/random.h"

namespace takt::imr {
namespace {

constexpr std::size_t most_workers = 64;

std::unexpected<std::string> no_server(const std::string& name) {
  return std::unexpected("there is no server " + name);
}

ServerState state_of(const Server& server, Time now) {
  const Definition& definition = server.definition();
  return {.name = definition.name,
          .mode = definition.mode,
          .start_limit = definition.start_limit,
          .phase = server.phase(now),
          .processes = server.processes(),
          .counts = server.counts(),
          .waiting = server.waiting(),
          .in_a_row = server.in_a_row(),
          .last_failure = server.last_failure(),
          .last_refusal = server.last_refusal()};
}

// A process to be watched, which a map takes without memory. Empty if there is none.
std::map<std::uint64_t, WatchedProcess>::node_type to_be_watched(std::int32_t pid) {
  auto process = WatchedProcess::open(pid);
  if (!process) return {};
  std::map<std::uint64_t, WatchedProcess> one;
  return one.extract(one.emplace(0, std::move(*process)).first);
}

}  // namespace

Keeper::Keeper(std::optional<Store> store, std::vector<StoredServer> servers, const Limits& limits,
               Calls calls, Report report)
    : limits_(limits),
      calls_(std::move(calls)),
      report_(std::move(report)),
      next_starts_(starts_from_now()),
      store_(std::move(store)),
      workers_(most_workers) {
  const Time now = Clock::now();
  for (StoredServer& each : servers) {
    const std::string name = each.definition.name;
    Kept& kept = servers_.try_emplace(name, std::move(each.definition), limits_, next_starts_, each.token)
                     .first->second;
    for (const StoredProcess& process : each.processes) adopt(kept, process, now);
  }
}

Keeper::~Keeper() { end(); }

// Takes over a process of an earlier repository, if it is still there.
void Keeper::adopt(Kept& kept, const StoredProcess& stored, Time now) {
  kept.changed = true;
  if (stored.child || stored.local) {
    auto watched = WatchedProcess::open(stored.pid);
    if (!watched || !is_process(stored.pid, stored.identity)) return;
    kept.watched.emplace(stored.start, std::move(*watched));
  }
  Process process;
  process.start = stored.start;
  process.pid = stored.pid;
  process.child = stored.child;
  process.one_client =
      stored.one_client.value_or(stored.child && kept.server.definition().mode == Mode::per_client);
  process.since = now;
  process.deadline = now + kept.server.definition().longest_start;
  if (!stored.reference.empty()) {
    process.phase = Phase::running;
    process.place =
        std::make_shared<const Place>(Place{stored.reference, stored.kind, stored.place_pid, stored.local});
  }
  kept.server.adopt(std::move(process));
}

void Keeper::begin() {
  for (const std::string& name : names())
    static_cast<void>(with(name, [](Kept& kept, Time now, Actions& actions) {
      kept.server.begin(now, actions);
      return Done();
    }));
  thread_ = std::thread([this] { run(); });
}

void Keeper::end() {
  Actions actions;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(ending_, true)) return;
    for (auto& [name, kept] : servers_) kept.server.close("the implementation repository ends", actions);
  }
  carry_out({}, actions);
  wake_up_.wake();
  if (thread_.joinable()) thread_.join();
  workers_.stop();
}

// Runs event(kept, now, actions), and does what follows.
template <class Event>
Keeper::Done Keeper::with(const std::string& name, const Event& event) {
  Actions actions;
  Done done;
  bool has_memory = true;
  {
    const std::lock_guard lock(mutex_);
    const auto found = servers_.find(name);
    if (found == servers_.end() || ending_) return no_server(name);
    try {
      done = event(found->second, Clock::now(), actions);
    } catch (const std::bad_alloc&) {  // the consequences so far are carried out
      has_memory = false;
    }
    settle(found->second, actions);
  }
  carry_out(name, actions);
  wake_up_.wake();
  if (!has_memory) throw std::bad_alloc();
  return done;
}

void Keeper::settle(Kept& kept, Actions& actions) {
  kept.changed |= actions.processes_changed;
  for (const Actions::Signal& signal : actions.signals)
    for (const auto& [start, process] : kept.watched) {
      if (process.pid() != signal.pid) continue;
      const int number = signal.kill ? SIGKILL : SIGTERM;
      signal.group ? process.signal_group(number) : process.signal(number);
    }
}

void Keeper::carry_out(const std::string& name, const Actions& actions) {
  auto unused = begin_all(name, actions);
  while (!unused.empty()) {
    Actions next;
    {
      const std::lock_guard lock(mutex_);
      const auto found = servers_.find(name);
      if (found == servers_.end() || ending_) return;
      for (const std::uint64_t start : unused) found->second.server.without_client(start, Clock::now(), next);
      settle(found->second, next);
    }
    unused = begin_all(name, next);
  }
}

std::vector<std::uint64_t> Keeper::begin_all(const std::string& name, const Actions& actions) {
  std::vector<std::uint64_t> unused;
  try {
    unused.reserve(actions.forwards.size());
  } catch (const std::bad_alloc&) {  // all have their client then
  }
  for (const auto& [callers, place, start] : actions.forwards) {
    bool is_used = start == 0;
    for (const auto& caller : callers) is_used |= caller->forward(*place);
    if (!is_used && unused.size() < unused.capacity()) unused.push_back(start);
  }
  for (const auto& [callers, why] : actions.refusals)
    for (const auto& caller : callers) caller->refuse(why);
  for (const Actions::Ping& each : actions.pings) {
    try {
      workers_.run([this, name, each] { ping(name, each); });
    } catch (const std::bad_alloc&) {
      ping_later(name, each.start);
    }
  }
  for (const PlacePtr& each : actions.shutdowns) {
    try {
      workers_.run([this, each, secret = token(name)] { calls_.shut_down(*each, secret); });
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): it is forgotten after longest_stop
    }
  }
  return unused;
}

// A server without a command may have written another reference to its file since.
void Keeper::ping(const std::string& name, const Actions::Ping& ping) try {
  const Pinged result = calls_.ping(*ping.place);
  const bool is_lost = result == Pinged::gone || (result == Pinged::unreachable && !ping.place->local);
  const std::string moved = is_lost ? reference_in_file(name) : std::string();
  static_cast<void>(with(name, [&](Kept& kept, Time now, Actions& actions) {
    if (moved.empty() || moved == ping.place->reference)
      kept.server.pinged(ping.start, result, now, actions);
    else
      static_cast<void>(kept.server.is_running(
          ping.start, {.reference = moved, .kind = PlaceKind::main_object}, now, actions));
    return Done();
  }));
} catch (const std::bad_alloc&) {
  ping_later(name, ping.start);
}

// Needs no memory.
void Keeper::ping_later(const std::string& name, std::uint64_t start) {
  static_cast<void>(with(name, [&](Kept& kept, Time now, Actions& /*actions*/) {
    kept.server.not_pinged(start, now);
    return Done();
  }));
}

Keeper::Done Keeper::add(const Definition& definition) {
  if (auto valid = validate(definition, limits_); !valid) return valid;
  if (definition.name == foreign_key)
    return std::unexpected(definition.name + " is the key of the repository's own object");
  const std::lock_guard storing(store_mutex_);
  {
    const std::lock_guard lock(mutex_);
    if (servers_.contains(definition.name))
      return std::unexpected("there is a server " + definition.name + " already");
    if (servers_.size() >= limits_.servers)
      return std::unexpected("there are " + std::to_string(servers_.size()) + " servers, which is the limit");
  }
  const std::string token = octets::random_token();
  if (store_)
    if (auto written = store_->write(definition, token); !written) return written;
  {
    const std::lock_guard lock(mutex_);
    servers_.try_emplace(definition.name, definition, limits_, next_starts_, token);
  }
  return with(definition.name, [](Kept& kept, Time now, Actions& actions) {
    kept.server.begin(now, actions);
    return Done();
  });
}

Keeper::Done Keeper::change(const Definition& definition) {
  if (auto valid = validate(definition, limits_); !valid) return valid;
  const std::lock_guard storing(store_mutex_);
  const std::string its_token = token(definition.name);
  if (its_token.empty()) return no_server(definition.name);
  if (store_)
    if (auto written = store_->write(definition, its_token); !written) return written;
  return with(definition.name, [&](Kept& kept, Time now, Actions& actions) {
    kept.server.change(definition);
    kept.server.begin(now, actions);
    return Done();
  });
}

// Call with the lock.
Keeper::Done Keeper::require_removable(const std::string& name) const {
  const auto found = servers_.find(name);
  if (found == servers_.end()) return no_server(name);
  const Server& server = found->second.server;
  if (!server.processes().empty() || server.waiting() > 0)
    return std::unexpected(name + " is in use: `takt imr stop " + name + "` first");
  return {};
}

Keeper::Done Keeper::remove(const std::string& name) {
  const std::lock_guard storing(store_mutex_);
  {
    const std::lock_guard lock(mutex_);
    if (auto may = require_removable(name); !may) return may;
  }
  if (store_)
    if (auto removed = store_->remove(name); !removed) return removed;
  Actions refusals;
  {
    const std::lock_guard lock(mutex_);
    Kept& kept = servers_.find(name)->second;
    kept.server.close(name + " was removed", refusals);  // a request may have come meanwhile
    for (auto& [start, process] : kept.watched) {
      process.signal_group(SIGTERM);
      departing_.push_back(std::move(process));
    }
    servers_.erase(name);
  }
  carry_out(name, refusals);
  wake_up_.wake();
  return {};
}

Keeper::Done Keeper::start(const std::string& name) {
  return with(name, [](Kept& kept, Time now, Actions& actions) { return kept.server.start(now, actions); });
}

Keeper::Done Keeper::stop(const std::string& name) {
  return with(name, [](Kept& kept, Time now, Actions& actions) {
    kept.server.stop(now, actions);
    return Done();
  });
}

std::vector<std::string> Keeper::names() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, kept] : servers_) names.push_back(name);
  return names;
}

std::vector<ServerState> Keeper::look() const {
  return look_after({}, std::numeric_limits<std::size_t>::max());
}

std::vector<ServerState> Keeper::look_after(const std::string& name, std::size_t most) const {
  const std::lock_guard lock(mutex_);
  const Time now = Clock::now();
  std::vector<ServerState> states;
  for (auto at = servers_.upper_bound(name); at != servers_.end() && states.size() < most; ++at)
    states.push_back(state_of(at->second.server, now));
  return states;
}

std::optional<ServerState> Keeper::look(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = servers_.find(name);
  return found == servers_.end() ? std::nullopt : std::optional(state_of(found->second.server, Clock::now()));
}

std::optional<Definition> Keeper::definition(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = servers_.find(name);
  return found == servers_.end() ? std::nullopt : std::optional(found->second.server.definition());
}

std::string Keeper::token(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = servers_.find(name);
  return found == servers_.end() ? std::string() : found->second.token;
}

bool Keeper::has(const std::string& name, const std::string& shown) const {
  const std::string its_token = token(name);
  return !its_token.empty() && equal_secretly(its_token, shown);
}

// A server without a command is where its file says. Empty if the file says nothing, or the server has a
// command.
std::string Keeper::reference_in_file(const std::string& name) const {
  const auto its_definition = definition(name);
  if (!its_definition || !its_definition->command.empty() || its_definition->reference_file.empty())
    return {};
  std::string reference = text_of_file(its_definition->reference_file);
  return calls_.is_reference(reference) ? reference : std::string();
}

void Keeper::find_reference(const std::string& name) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = servers_.find(name);
    if (found == servers_.end() || !found->second.server.processes().empty()) return;
  }
  const std::string reference = reference_in_file(name);
  if (reference.empty()) return;
  static_cast<void>(with(name, [&](Kept& kept, Time now, Actions& actions) {
    static_cast<void>(
        kept.server.is_running(0, {.reference = reference, .kind = PlaceKind::main_object}, now, actions));
    return Done();
  }));
}

void Keeper::request(const std::string& name, std::unique_ptr<Caller> caller) {
  find_reference(name);
  const Done known = with(name, [&](Kept& kept, Time now, Actions& actions) {
    kept.server.request(std::move(caller), now, actions);
    return Done();
  });
  if (!known) caller->refuse(known.error());
}

Keeper::Done Keeper::is_running(const std::string& name, std::uint64_t start, Place place, bool is_proven) {
  return take_place(name, start, std::move(place), is_proven,
                    [this](const Place& rival) { return calls_.ping(rival); });
}

// `ask`: whether the rival lives; nothing if it cannot be asked now.
Keeper::Done Keeper::take_place(const std::string& name, std::uint64_t start, Place place, bool is_proven,
                                const std::function<std::optional<Pinged>(const Place&)>& ask) {
  constexpr int most_rivals = 2;
  auto watched = to_be_watched(is_proven ? place.pid : 0);
  place.local = !watched.empty();
  for (int i = 0; i < most_rivals; ++i) {
    std::optional<Actions::Ping> rival;
    Done done = with(name, [&](Kept& kept, Time now, Actions& actions) -> Done {
      const auto taken = kept.server.is_running(start, place, now, actions);
      if (!taken) {
        rival = taken.error().rival;
        return std::unexpected(name + ": " + taken.error().why);
      }
      if (watched.empty()) return {};
      watched.key() = *taken;
      kept.watched.insert(std::move(watched));
      return {};
    });
    // A process that is told that it has the place, and that no repository knows, would run for ever.
    if (done) write_all();
    if (done || !rival) return done;
    const auto result = ask(*rival->place);
    if (result != Pinged::gone && result != Pinged::unreachable) return done;
    static_cast<void>(with(name, [&](Kept& kept, Time now, Actions& actions) {
      kept.server.lost(rival->start, now, actions);
      return Done();
    }));
  }
  return std::unexpected(name + ": other processes have its place");
}

Keeper::Done Keeper::is_running_somewhere(const std::string& name, Place place) {
  const auto state = look(name);
  if (!state) return no_server(name);
  if (state->mode == Mode::per_client)
    return std::unexpected(name + ": processes of mode per-client tell the number of their start");
  const auto starting = std::ranges::find(state->processes, Phase::starting, &Process::phase);
  const bool is_started_here = starting != state->processes.end();
  if (is_started_here) place.pid = starting->pid;
  return take_place(name, is_started_here ? starting->start : 0, std::move(place), false,
                    [this](const Place& rival) -> std::optional<Pinged> {
                      const std::unique_lock one_at_a_time(asks_for_strangers_, std::try_to_lock);
                      return one_at_a_time ? std::optional(calls_.ping(rival)) : std::nullopt;
                    });
}

void Keeper::is_ending(const std::string& name, std::uint64_t start, std::int32_t pid) {
  static_cast<void>(with(name, [&](Kept& kept, Time now, Actions& actions) {
    kept.server.is_ending(start, pid, now, actions);
    return Done();
  }));
}

}  // namespace takt::imr

// The keeper's thread: starts processes, watches them, and knows deadlines.
#include <algorithm>
#include <filesystem>
#include <new>
#include <thread>
#include <utility>

#include "imr/process/identity.h"
#include "imr/process/launch.h"
#include "imr/service/keeper.h"
#include "imr/service/texts.h"

namespace takt::imr {
namespace {

using namespace std::chrono_literals;

constexpr auto between_looks = 5ms;     // at the file of a server that starts
constexpr auto between_writes = 500ms;  // after one that failed
constexpr auto between_tries = 10ms;    // without memory
constexpr auto longest_silence = 1s;    // after which its object counts as unreachable from here

StoredProcess stored(const Process& process) {
  StoredProcess result{.start = process.start,
                       .child = process.child,
                       .pid = process.pid,
                       .identity = process.pid != 0 ? process_identity(process.pid) : std::string(),
                       .one_client = process.one_client};
  if (!process.place) return result;
  result.kind = process.place->kind;
  result.local = process.place->local;
  result.place_pid = process.place->pid;
  result.reference = process.place->reference;
  return result;
}

std::expected<void, std::string> written_to(Store& store, const std::string& name,
                                            const std::vector<StoredProcess>& processes) {
  try {
    return store.write_processes(name, processes);
  } catch (const std::bad_alloc&) {
    return std::unexpected("no memory");
  }
}

}  // namespace

void Keeper::run() {
  while (true) {
    {
      const std::lock_guard lock(mutex_);
      if (ending_) break;
    }
    try {
      do_what_is_due();
      wait();
    } catch (const std::bad_alloc&) {
      std::this_thread::sleep_for(between_tries);
    }
  }
  try {
    write_all();
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): the next repository knows less
  }
}

void Keeper::do_what_is_due() {
  spawn_all();
  tick_all();
  look_for_references();
  if (has_changes()) write_all();
}

void Keeper::spawn_all() {
  std::vector<Spawn> wanted;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, kept] : servers_)
      for (const Process& process : kept.server.processes())
        if (process.is_unborn())
          wanted.push_back({name, process.start, kept.server.definition(), kept.token});
  }
  for (const Spawn& each : wanted) {
    spawn(each);
    if (has_changes()) write_all();  // a repository that is killed during many starts leaves few unknown
  }
}

void Keeper::spawn(const Spawn& wanted) {
  std::error_code ignored;
  if (!wanted.definition.reference_file.empty())
    std::filesystem::remove(wanted.definition.reference_file, ignored);  // an earlier process wrote it
  const auto pid = launch(wanted.definition, calls_.ticket(wanted.name, wanted.token, wanted.start));
  auto watched = pid ? WatchedProcess::open(*pid) : std::nullopt;
  std::string failure = pid ? std::string() : pid.error();
  if (pid && !watched) {
    end_unwatched(*pid);
    failure = "could not be watched: too many open files";
  }
  bool is_kept = false;
  const auto keep = [&] {
    static_cast<void>(with(wanted.name, [&](Kept& kept, Time now, Actions& actions) {
      if (!failure.empty()) {
        kept.server.died(wanted.start, false, failure, now, actions);
        return Done();
      }
      kept.watched.emplace(wanted.start, std::move(*watched));
      is_kept = true;
      kept.server.spawned(wanted.start, *pid, actions);
      return Done();
    }));
  };
  const auto end_unless_kept = [&] {
    if (!is_kept && failure.empty()) end_unwatched(*pid);
  };
  try {
    keep();
  } catch (const std::bad_alloc&) {  // it is started again
    end_unless_kept();
    throw;
  }
  end_unless_kept();  // the server was removed
}

void Keeper::tick_all() {
  std::vector<std::string> due;
  {
    const std::lock_guard lock(mutex_);
    const Time now = Clock::now();
    for (const auto& [name, kept] : servers_)
      if (kept.server.next() <= now) due.push_back(name);
  }
  for (const std::string& name : due)
    static_cast<void>(with(name, [](Kept& kept, Time now, Actions& actions) {
      kept.server.tick(now, actions);
      return Done();
    }));
}

// Servers that know nothing of the repository write their references to files.
void Keeper::look_for_references() {
  struct Looked {
    std::string name, file;
    std::uint64_t start;
    std::int32_t pid;
  };
  std::vector<Looked> looked;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, kept] : servers_) {
      const std::string& file = kept.server.definition().reference_file;
      if (file.empty()) continue;
      for (const Process& process : kept.server.processes())
        if (process.phase == Phase::starting && process.pid != 0)
          looked.push_back({name, file, process.start, process.pid});
    }
  }
  for (const Looked& each : looked) {
    const std::string reference = text_of_file(each.file);
    if (reference.empty() || !calls_.is_reference(reference) || !begin_to_ask(each.name, each.start))
      continue;
    try {
      const Place place{reference, PlaceKind::main_object, each.pid, true};
      workers_.run([this, each, place] { ask(each.name, each.start, place); });
    } catch (const std::bad_alloc&) {
      end_to_ask(each.name, each.start);
    }
  }
}

// False if a worker asks already.
bool Keeper::begin_to_ask(const std::string& name, std::uint64_t start) {
  const std::lock_guard lock(mutex_);
  const auto found = servers_.find(name);
  if (found == servers_.end()) return false;
  const auto [asked, is_new] = found->second.asked.try_emplace(start, Clock::now(), false);
  return !std::exchange(asked->second.now, true);
}

// A server may write its reference before it serves, or serve before its object is there. If the object does
// not answer after a while, the repository cannot reach it, but clients perhaps can.
void Keeper::ask(const std::string& name, std::uint64_t start, const Place& place) try {
  const bool exists = calls_.exists(place.reference);
  static_cast<void>(with(name, [&](Kept& kept, Time now, Actions& actions) {
    const auto asked = kept.asked.find(start);
    if (asked == kept.asked.end()) return Done();
    asked->second.now = false;
    if (!exists && now - asked->second.since < longest_silence) return Done();
    static_cast<void>(kept.server.is_running(start, place, now, actions));
    kept.asked.erase(asked);
    return Done();
  }));
} catch (const std::bad_alloc&) {
  end_to_ask(name, start);
}

// Needs no memory.
void Keeper::end_to_ask(const std::string& name, std::uint64_t start) {
  const std::lock_guard lock(mutex_);
  const auto found = servers_.find(name);
  if (found == servers_.end()) return;
  const auto asked = found->second.asked.find(start);
  if (asked != found->second.asked.end()) asked->second.now = false;
}

bool Keeper::has_changes() const {
  const std::lock_guard lock(mutex_);
  return Clock::now() >= next_write_ &&
         std::ranges::any_of(servers_, [](const auto& each) { return each.second.changed; });
}

void Keeper::write_all() {
  if (!store_) return;
  const std::lock_guard storing(store_mutex_);  // before the look, so that no older state follows a newer one
  std::vector<std::pair<std::string, std::vector<StoredProcess>>> changed;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, kept] : servers_) {
      if (!kept.changed) continue;
      auto& processes = changed.emplace_back(name, std::vector<StoredProcess>()).second;
      for (const Process& each : kept.server.processes()) processes.push_back(stored(each));
    }
    for (auto& [name, kept] : servers_) kept.changed = false;
  }
  if (changed.empty()) return;
  std::string failure;
  for (const auto& [name, processes] : changed) {
    auto written = written_to(*store_, name, processes);
    if (written) continue;
    failure = std::move(written.error());
    const std::lock_guard lock(mutex_);
    servers_.find(name)->second.changed = true;  // none is removed meanwhile
    next_write_ = Clock::now() + between_writes;
  }
  if (failure.empty()) {
    if (std::exchange(store_failed_, false)) report_("the store is writable again");
    return;
  }
  wake_up_.wake();  // this may be a caller's thread, and the keeper's sleeps without a change
  if (!std::exchange(store_failed_, true))
    report_("the store cannot be written: " + failure +
            "; servers start as before, but a repository that starts now would not find them again");
}

Time Keeper::next() const {
  const Time now = Clock::now();
  Time next = Time::max();
  for (const auto& [name, kept] : servers_) {
    if (std::ranges::any_of(kept.server.processes(), &Process::is_unborn)) return now;
    if (kept.changed && store_) next = std::min(next, std::max(now, next_write_));
    next = std::min(next, kept.server.next());
    const auto& processes = kept.server.processes();
    if (!kept.server.definition().reference_file.empty() &&
        std::ranges::find(processes, Phase::starting, &Process::phase) != processes.end())
      next = std::min<Time>(next, now + between_looks);
  }
  return next;
}

void Keeper::wait() {
  std::vector<int> descriptors;
  Time until;
  {
    const std::lock_guard lock(mutex_);
    if (ending_) return;
    until = next();
    for (const auto& [name, kept] : servers_)
      for (const auto& [start, process] : kept.watched) descriptors.push_back(process.descriptor());
    for (const WatchedProcess& process : departing_) descriptors.push_back(process.descriptor());
  }
  const std::chrono::nanoseconds time = until == Time::max() ? 1h : until - Clock::now();
  const auto ended = wake_up_.wait(descriptors, time);
  if (!ended.empty()) note_ends(ended);
}

void Keeper::note_ends(const std::vector<int>& ended) {
  for (const int descriptor : ended) note_end(descriptor);
  const std::lock_guard lock(mutex_);
  std::erase_if(departing_, [&](const WatchedProcess& process) {
    if (std::ranges::find(ended, process.descriptor()) == ended.end() || !process.has_ended()) return false;
    process.end();
    return true;
  });
}

// Is watched until its server knows that it has ended.
void Keeper::note_end(int descriptor) {
  std::string ended;
  std::uint64_t start = 0;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, kept] : servers_) {
      const auto is_it = [&](const auto& each) { return each.second.descriptor() == descriptor; };
      const auto found = std::ranges::find_if(kept.watched, is_it);
      if (found == kept.watched.end()) continue;
      ended = name;
      start = found->first;
      break;
    }
  }
  static_cast<void>(with(ended, [&](Kept& kept, Time now, Actions& actions) {
    const auto watched = kept.watched.find(start);
    if (watched == kept.watched.end() || !watched->second.has_ended()) return Done();
    const ProcessEnd end = watched->second.end();
    kept.asked.erase(start);
    kept.server.died(start, end.clean, end.text, now, actions);
    kept.watched.erase(watched);
    return Done();
  }));
}

}  // namespace takt::imr

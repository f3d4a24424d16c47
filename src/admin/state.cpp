#include "admin/state.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapter/poa/poa_core.h"
#include "cdr/text/utf.h"
#include "queued/queue_workers.h"
#include "reference/local_roads.h"
#include "rt/measuring/scoped_name.h"
#include "threads/thread.h"

namespace takt::admin {
namespace {

using Count = std::uint64_t;
using Clock = std::chrono::steady_clock;

Count ns(std::chrono::nanoseconds time) {
  return static_cast<Count>(std::max<std::int64_t>(time.count(), 0));
}

std::string hex_of(std::uint32_t number) {
  char digits[9];
  std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(number));
  return digits;
}

// Names are what the program has chosen, and need not be text in the client's code set. What is none, or what
// the code set lacks, is escaped (`\xfc`, `\u{8a08}`): one name must not cost the client the whole state.
void put_name(cdr::Encoder& out, std::string_view name) {
  const cdr::CodeSetId code_set = out.format().code_sets->narrow;
  std::string text;
  while (!name.empty()) {
    const std::string_view from_here = name;
    const char32_t character = cdr::next_utf_8(name);
    const std::string_view octets = from_here.substr(0, from_here.size() - name.size());
    constexpr char32_t ill_formed = 0xffffffff;
    std::string converted;
    if (character == 0 || character == ill_formed)
      for (const char octet : octets) text += "\\x" + hex_of(static_cast<std::uint8_t>(octet));
    else if (code_set == cdr::CodeSetId::utf_8 || cdr::from_utf_8(octets, code_set, converted))
      text += octets;
    else
      text += "\\u{" + hex_of(character) + "}";
  }
  out.put_string(text);
}

void write_lanes(cdr::Encoder& out, orb::Runtime& runtime) {
  rt::RealTime& real_time = *runtime.parts().real_time;
  struct Lane {
    std::int16_t priority = -1;
    std::shared_ptr<const rt::LaneCounts> counts = {};
  };
  std::map<Count, Lane> lanes;
  for (const auto& pool : real_time.pools().all())
    for (const auto& lane : pool->lanes) lanes[lane.opened.id] = {lane.priority, lane.counts};
  const auto all = runtime.server().connections();
  out.put_count(all.size());
  for (const auto& [id, open] : all) {
    const Lane& lane = lanes[id];
    const rt::LaneCounts none;
    const rt::LaneCounts& counts = lane.counts ? *lane.counts
                                   : id == 0   ? real_time.priorities()->outside_lanes()
                                               : none;
    out.put(Count{id});
    out.put(lane.priority);
    for (const Count count : {Count{open}, counts.deadlines_missed.load(), counts.overruns.load()})
      out.put(count);
  }
}

struct QueueState {
  std::string name;
  bool in_lane;
  std::int16_t priority;
  std::uint32_t threads;
  server::RequestQueue::State requests;
};

void write_queues(cdr::Encoder& out, const Observation& observation) {
  std::vector<QueueState> queues;
  observation.for_each_queue([&](const server::QueueWorkers& queue) {
    const server::PoolThreads& options = queue.options();
    queues.push_back(
        {options.name, options.in_lane, options.priority, queue.running(), queue.requests().state()});
  });
  const auto now = Clock::now();
  out.put_count(queues.size());
  for (const QueueState& queue : queues) {
    const bool waits = queue.requests.oldest != Clock::time_point::max();
    put_name(out, queue.name);
    out.put(queue.in_lane);
    out.put(queue.priority);
    out.put(queue.threads);
    out.put(static_cast<std::uint32_t>(queue.requests.waiting));
    out.put(static_cast<std::uint32_t>(queue.requests.early));
    out.put(Count{queue.requests.octets});
    out.put(waits ? ns(now - queue.requests.oldest) : Count{0});
  }
}

std::string path_of(const adapter::PoaCore& poa) {
  return poa.parent ? path_of(*poa.parent) + "/" + poa.name : poa.name;
}

std::string_view text_of(PortableServer::POAManager::State state) {
  switch (state) {
    case PortableServer::POAManager::State::HOLDING:
      return "holding";
    case PortableServer::POAManager::State::ACTIVE:
      return "active";
    case PortableServer::POAManager::State::DISCARDING:
      return "discarding";
    case PortableServer::POAManager::State::INACTIVE:
      break;
  }
  return "inactive";
}

void write_adapters(cdr::Encoder& out, adapter::ObjectTable& table) {
  std::vector<std::pair<std::shared_ptr<adapter::PoaCore>, Count>> adapters;
  for (std::uint32_t index = 0; index < table.poas.used(); ++index) {
    adapter::PoaSlot* const slot = table.poas.enter_any(index);
    if (!slot) continue;
    adapters.emplace_back(slot->poa, 0);
    table.leave(*slot);
  }
  {
    const std::lock_guard lock(table.mutex);
    for (auto& [poa, objects] : adapters) objects = poa->objects;
  }
  out.put_count(adapters.size());
  for (const auto& [poa, objects] : adapters) {
    put_name(out, path_of(*poa));
    out.put_string(poa->manager->id());
    out.put_string(text_of(poa->manager->state()));
    out.put(objects);
  }
}

// One operation; its calls by clients and by this process have counts of their own.
struct Calls {
  std::array<Count, adapter::OperationCount::buckets> durations{};
  Count user_exceptions = 0, system_exceptions = 0;

  void add(const adapter::OperationCount& count) {
    for (std::size_t bucket = 0; bucket < durations.size(); ++bucket)
      durations[bucket] += count.calls_in(bucket);
    user_exceptions += count.user_exceptions();
    system_exceptions += count.system_exceptions();
  }
};

void write_durations(cdr::Encoder& out, const Calls& calls, double ns_per_tick) {
  out.put_count(
      static_cast<std::size_t>(std::ranges::count_if(calls.durations, [](Count n) { return n != 0; })));
  for (std::size_t bucket = 0; bucket < calls.durations.size(); ++bucket) {
    if (calls.durations[bucket] == 0) continue;
    out.put(
        static_cast<Count>(static_cast<double>(adapter::OperationCount::highest_in(bucket)) * ns_per_tick));
    out.put(calls.durations[bucket]);
  }
}

void write_operations(cdr::Encoder& out, const Observation& observation) {
  std::map<std::pair<std::string, std::string>, Calls> operations;
  const adapter::OperationCounts& counts = observation.dispatcher->counts();
  for (const auto* const each : counts.all())
    operations[{rt::scoped_name(each->interface), each->operation}].add(each->count);
  operations[{}].add(counts.unknown());
  const double ns_per_tick = observation.rate.get();
  out.put_count(operations.size());
  for (const auto& [name, calls] : operations) {
    put_name(out, name.first);
    put_name(out, name.second);
    out.put(calls.user_exceptions);
    out.put(calls.system_exceptions);
    write_durations(out, calls, ns_per_tick);
  }
}

void write_schedule(cdr::Encoder& out, const rt::OperationSchedule& schedule) {
  const auto all = schedule.statistics();
  out.put_count(all.size());
  for (const rt::OperationStatistics& each : all) {
    put_name(out, each.name);
    for (const Count count :
         {each.begun, each.deadlines_missed, each.overruns, each.demotions, each.early, each.refusals,
          each.releases_left_out, each.failures, ns(each.latest_begin), ns(each.longest_response)})
      out.put(count);
  }
}

void write_memory(cdr::Encoder& out, const giop::Limits& limits) {
  const std::pair<const char*, MemoryUse> sides[] = {{"server", limits.server_memory->use()},
                                                     {"client", limits.client_memory->use()}};
  out.put_count(std::size(sides));
  for (const auto& [side, use] : sides) {
    out.put_string(side);
    for (const Count value :
         {Count{use.taken_bytes}, Count{use.peak_bytes}, Count{use.limit_bytes}, use.refusals})
      out.put(value);
  }
}

void write_refusals(cdr::Encoder& out, const server::Server& server) {
  using server::Verdict;
  const auto refused = [&](Verdict why) {
    return server.requests_refused[static_cast<std::size_t>(why)].load();
  };
  const std::pair<const char*, Count> reasons[] = {{"too_late", server.requests_too_late.load()},
                                                   {"too_early", refused(Verdict::too_early)},
                                                   {"code_sets", refused(Verdict::code_sets)},
                                                   {"memory_taken", refused(Verdict::memory_taken)},
                                                   {"too_long", refused(Verdict::too_long)},
                                                   {"queue_full", refused(Verdict::queue_full)},
                                                   {"too_many_pending", refused(Verdict::too_many_pending)}};
  out.put_count(std::size(reasons));
  for (const auto& [reason, count] : reasons) {
    out.put_string(reason);
    out.put(count);
  }
}

void write_relayed(cdr::Encoder& out, const server::RelayCounts* relayed) {
  out.put_count(relayed ? 1 : 0);
  if (!relayed) return;
  for (const auto* const count : {&relayed->requests, &relayed->replies, &relayed->failures,
                                  &relayed->request_bytes, &relayed->reply_bytes})
    out.put(Count{count->load()});
}

void write_roads(cdr::Encoder& out, const reference::LocalRoads* roads) {
  const auto counts = roads ? roads->counts() : std::vector<reference::LocalRoads::Count>();
  out.put_count(counts.size());
  for (const auto& [road, opened, accepted, refused] : counts) {
    out.put_string(road);
    for (const Count count : {opened, accepted, refused}) out.put(count);
  }
}

}  // namespace

void write_state(cdr::Encoder& out, orb::Runtime& runtime, const Observation& observation) {
  orb::OrbParts& parts = runtime.parts();
  put_name(out, runtime.settings().runtime.id);
  out.put(os::process_number());
  out.put(ns(Clock::now() - observation.rate.begin()));
  out.put(parts.server.connections_accepted.load());
  out.put(parts.server.connections_refused.load());
  write_lanes(out, runtime);
  write_queues(out, observation);
  write_adapters(out, parts.object_adapter.table());
  write_operations(out, observation);
  write_schedule(out, parts.operation_schedule);
  write_memory(out, *parts.protocol.limits);
  write_refusals(out, parts.server);
  write_relayed(out, parts.relayed.load());
  write_roads(out, parts.roads.get());
}

}  // namespace takt::admin

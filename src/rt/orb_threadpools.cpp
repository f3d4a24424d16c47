#include "rt/orb_threadpools.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include <takt/cdr/exception.h>

#include "os/net/stream_sockets.h"
#include "queued/lending.h"

namespace takt::rt {

using RTCORBA::Priority;

LaneHost& OrbThreadpools::host() const {
  LaneHost* host = host_;
  if (!host)
    throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(4), CORBA::COMPLETED_NO, "the ORB has been shut down");
  return *host;
}

void OrbThreadpools::require(const reference::ProtocolChoices& choices) const {
  for (const reference::ProtocolChoice& choice : choices) {
    if (host().protocol_name(choice.protocol).empty())
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                             "the ORB has no transport for protocol " + std::to_string(choice.protocol));
    if (const std::string wrong = host().validate(choice); !wrong.empty())
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, wrong);
    check_socket_priority(choice.streams.highest_priority());
  }
}

void OrbThreadpools::check_socket_priority(int priority) const {
  if (priority <= os::Socket::highest_free_priority || os::may_set_priority(priority)) return;
  if (!warned_of_socket_priority_.exchange(true))
    warn_("sockets do not get priority " + std::to_string(priority) +
          " (-ORBSocketPriority, -ORBSocketPriorities or a protocol policy), which needs CAP_NET_ADMIN: they "
          "keep the system's");
}

// `threads`: options shared by all lanes of the pool.
[[gnu::cold]] Threadpool::Lane OrbThreadpools::open_lane(const RTCORBA::ThreadpoolLane& lane,
                                                         server::PoolThreads threads) {
  LaneHost* host = &this->host();
  if (lane.static_threads() == 0)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a thread pool needs a static thread for each priority");
  const Priority priority = lane.lane_priority();
  priorities_->expect(priority);
  threads.standing = lane.static_threads();
  threads.added = lane.dynamic_threads();
  threads.name = std::string("takt-lane-").append(std::to_string(priority));
  const auto counts = std::make_shared<LaneCounts>();
  threads.prepare = [priorities = priorities_, counts, priority] {
    LaneCounts::of_thread = counts.get();
    priorities->run_at(priority);
  };
  threads.priority = priority;
  return {priority, host->open_lane(threads), counts};
}

RTCORBA::ThreadpoolId OrbThreadpools::make_pool(std::size_t stack_bytes,
                                                const RTCORBA::ThreadpoolLanes& lanes, PoolKind kind,
                                                std::shared_ptr<const server::BufferBounds> buffer) {
  std::vector<PriorityUse> others;
  {
    std::lock_guard lock(default_mutex_);
    if (opened_default_) opened_default_->add_uses(others);
  }
  return pools_.add(open_pool(stack_bytes, lanes, kind, std::move(buffer), std::move(others)));
}

// `others`: the lanes of the default pool, if it is another one.
[[gnu::cold]] std::shared_ptr<const Threadpool> OrbThreadpools::open_pool(
    std::size_t stack_bytes, const RTCORBA::ThreadpoolLanes& lanes, PoolKind kind,
    std::shared_ptr<const server::BufferBounds> buffer, std::vector<PriorityUse> others) {
  if (lanes.empty()) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a thread pool with lanes needs one");
  server::PoolThreads threads{.stack_bytes = stack_bytes, .buffer = std::move(buffer)};
  if (kind.lend_threads) {
    threads.lending = std::make_shared<server::Lending>();
    if (!threads.buffer) threads.buffer = std::make_shared<const server::BufferBounds>(0);
  }
  auto pool = std::make_shared<Threadpool>();
  pool->has_lanes = kind.has_lanes;
  std::vector<PriorityUse> uses;
  for (const auto& lane : lanes) {
    if (pool->has_lane(lane.lane_priority()))
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                             "two lanes of priority " + std::to_string(lane.lane_priority()));
    pool->lanes.push_back({lane.lane_priority(), {}});
    uses.push_back({lane.lane_priority(), "lane"});
  }
  // That other pools share a priority with each other has been said.
  pools_.add_uses(others);
  const auto shares = [&](const PriorityUse& other) {
    return std::ranges::any_of(uses, [&](const PriorityUse& own) {
      return priorities_->share_native(own.priority, other.priority);
    });
  };
  if (const auto other = std::ranges::find_if(others, shares); other != others.end()) uses.push_back(*other);
  priorities_->warn_of_shared(uses);
  open_lanes(*pool, lanes, threads);
  return pool;
}

// Opens the highest lane first, so that it gets resources first.
[[gnu::cold]] void OrbThreadpools::open_lanes(Threadpool& pool, const RTCORBA::ThreadpoolLanes& lanes,
                                              const server::PoolThreads& threads) {
  std::vector<std::size_t> order(lanes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::greater(), [&](std::size_t i) { return lanes[i].lane_priority(); });
  std::vector<std::uint64_t> opened;
  opened.reserve(order.size());
  try {
    for (const std::size_t i : order) {
      pool.lanes[i] = open_lane(lanes[i], threads);
      opened.push_back(pool.lanes[i].opened.id);
    }
  } catch (...) {
    if (!opened.empty()) host_.load()->close_lanes(opened);
    throw;
  }
}

void OrbThreadpools::set_default_pool(DefaultPool pool) {
  std::lock_guard lock(default_mutex_);
  default_ = std::move(pool);
}

std::shared_ptr<const Threadpool> OrbThreadpools::default_pool() {
  std::lock_guard lock(default_mutex_);
  if (!opened_default_ && !default_.lanes.empty())
    opened_default_ = open_pool(0, default_.lanes, {.has_lanes = true, .lend_threads = default_.lend_threads},
                                default_.buffer, {});
  return opened_default_;
}

[[gnu::cold]] void OrbThreadpools::change_dynamic_threads(const RTCORBA::ThreadpoolLanes& lanes) {
  const auto refuse = [](const char* why) { throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, why); };
  const auto is_same = [](const auto& one, const auto& other) {
    return one.lane_priority() == other.lane_priority() && one.static_threads() == other.static_threads();
  };
  std::lock_guard lock(default_mutex_);
  if (!opened_default_) {
    default_.lanes = lanes;
  } else {
    if (!std::ranges::equal(lanes, default_.lanes, is_same))
      refuse("Lanes: the lanes, their priorities and their static threads cannot change while the ORB runs");
    for (std::size_t i = 0; i < lanes.size(); ++i)
      if (lanes[i].dynamic_threads() != 0 && default_.lanes[i].dynamic_threads() == 0 && !default_.buffer &&
          !default_.lend_threads)
        refuse("Lanes: a lane that began without dynamic threads or a queue does not know when all are busy");
    for (std::size_t i = 0; i < lanes.size(); ++i)
      host().change_dynamic_threads(opened_default_->lanes[i].opened.id, lanes[i].dynamic_threads());
  }
}

std::vector<std::shared_ptr<const Threadpool>> OrbThreadpools::all() const {
  auto all = pools_.all();
  std::lock_guard lock(default_mutex_);
  if (opened_default_) all.push_back(opened_default_);
  return all;
}

void OrbThreadpools::destroy_pool(RTCORBA::ThreadpoolId id) {
  const auto pool = pools_.remove(id);
  if (!pool && pool.error() == Threadpools::Refusal::unknown) throw RTCORBA::RTORB::InvalidThreadpool();
  if (!pool)
    throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO,
                               "a POA uses the thread pool: destroy that first, and wait for its completion");
  std::vector<std::uint64_t> lanes;
  for (const auto& lane : (*pool)->lanes) lanes.push_back(lane.opened.id);
  if (LaneHost* const host = host_) host->close_lanes(lanes);
}

// Throws what a thread has thrown, TIMEOUT, or BAD_INV_ORDER after shutdown.
void OrbThreadpools::run_in_each_thread(const Threadpool& pool,
                                        const std::shared_ptr<server::ThreadRound>& round,
                                        std::chrono::nanoseconds bound) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds between_wake_ups{50};
  constexpr std::chrono::nanoseconds longest = std::chrono::hours(24);
  const auto until = Clock::now() + std::min(bound, longest);
  bool done = false;
  if (round_mutex_.try_lock_until(until)) {
    const std::unique_lock one_at_a_time(round_mutex_, std::adopt_lock);
    for (auto now = Clock::now(); !done && now < until; now = Clock::now()) {
      unsigned threads = 0;
      for (const auto& lane : pool.lanes) threads += host().in_each_thread(lane.opened.id, round);
      if (threads == 0)
        throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(4), CORBA::COMPLETED_NO,
                                   "the ORB has been shut down, and the pool has no threads any more");
      done = round->wait(threads, std::min(until, now + between_wake_ups));
    }
  }
  if (!done)
    throw CORBA::TIMEOUT(
        0, CORBA::COMPLETED_MAYBE,
        "not all threads of the pool have been between two requests in time, so some have not "
        "opened their connections");
}

bool OrbThreadpools::validate_connection(RTCORBA::ThreadpoolId id,
                                         const CORBA::object_reference<CORBA::Object>& object,
                                         CORBA::PolicyList& inconsistent, std::chrono::nanoseconds bound) {
  if (!object) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "_validate_connection: a nil reference");
  const auto pool = id == 0 ? default_pool() : pools_.find(id);
  if (!pool) throw RTCORBA::RTORB::InvalidThreadpool();
  struct Answers {
    os::PriorityMutex mutex;
    CORBA::PolicyList inconsistent;
    bool valid = true;
  };
  const auto answers = std::make_shared<Answers>();  // threads may answer after the caller has given up
  run_in_each_thread(*pool, std::make_shared<server::ThreadRound>([answers, object] {
    CORBA::PolicyList policies;
    const bool valid = object->_validate_connection(policies);
    const std::lock_guard lock(answers->mutex);
    answers->valid &= valid;
    if (!valid && answers->inconsistent.empty()) answers->inconsistent = std::move(policies);
  }),
                     bound);
  const std::lock_guard lock(answers->mutex);
  inconsistent = answers->inconsistent;
  return answers->valid;
}

}  // namespace takt::rt

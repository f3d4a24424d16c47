#include "rt/real_time.h"

#include <algorithm>
#include <cerrno>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "os/error_text.h"
#include "os/net/stream_sockets.h"
#include "queued/lending.h"
#include "rt/poa_priorities.h"
#include "threads/scheduling/throttling.h"
#include "threads/thread.h"
#include "threads/watching_thread.h"

namespace takt::rt {

using RTCORBA::Priority;

namespace {
int one_above(int native) {
  return std::min(native + 1, os::native_priorities(os::SchedulingClass::fifo).highest);
}
}  // namespace

RealTime::RealTime(os::SchedulingClass scheduling_class, ChosenMapping mapping, Warn warn)
    : class_(scheduling_class), mapping_(std::move(mapping)), warn_(std::move(warn)) {}

void RealTime::set_mapping(std::shared_ptr<const RTCORBA::PriorityMapping> mapping) {
  if (!mapping) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a null priority mapping");
  mapping_ = {.name = "of the program", .mapping = std::move(mapping)};
}

void RealTime::choose_mapping_for(std::span<const PriorityUse> uses) {
  const auto has = [&](const PriorityUse& use) {
    RTCORBA::NativePriority native = 0;
    return mapping_.for_schedules->to_native(use.priority, native);
  };
  if (!uses.empty() && mapping_.for_schedules && !mapping_used_ && std::ranges::all_of(uses, has))
    mapping_ = {.name = "direct", .mapping = std::move(mapping_.for_schedules)};
  require_distinct(uses);
}

void RealTime::require_distinct(std::span<const PriorityUse> uses) const {
  for (const PriorityUse& use : uses) native_of(use.priority);
  if (class_ == os::SchedulingClass::other) return;
  if (const auto shared = shared_native(uses, *mapping_.mapping))
    throw CORBA::BAD_PARAM(
        0, CORBA::COMPLETED_NO,
        "schedule: " + text_of(*shared, mapping_.name) +
            ", so that neither precedes the other: give -ORBPriorityMapping direct, and priorities from " +
            std::to_string(os::native_priorities(class_).lowest) + " to " +
            std::to_string(os::native_priorities(class_).highest) +
            (mapping_.for_schedules && mapping_used_
                 ? ", or install the schedule before a thread or lane gets a priority"
                 : ""));
}

// RT-CORBA allows lanes to share a native priority, but it is rarely intended.
void RealTime::warn_of_shared(const RTCORBA::ThreadpoolLanes& lanes) const {
  if (class_ == os::SchedulingClass::other) return;
  std::vector<PriorityUse> uses;
  for (const auto& lane : lanes) uses.push_back({lane.lane_priority(), "lane"});
  if (const auto shared = shared_native(uses, *mapping_.mapping))
    warn_(text_of(*shared, mapping_.name) +
          ", so that neither precedes the other: give -ORBPriorityMapping direct if these are native "
          "priorities");
}

os::Scheduling RealTime::native_of(Priority priority) const {
  if (priority < RTCORBA::minPriority)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "priority " + std::to_string(priority) + " is not from 0 to 32767");
  RTCORBA::NativePriority native = 0;
  if (!mapping_.mapping->to_native(priority, native)) throw_no_native(priority);
  return {class_, native};
}

bool RealTime::has_native(Priority priority) const {
  RTCORBA::NativePriority native = 0;
  return priority >= RTCORBA::minPriority && mapping_.mapping->to_native(priority, native);
}

[[gnu::cold, gnu::noinline]] void RealTime::throw_no_native(Priority priority) {
  throw CORBA::DATA_CONVERSION(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                               "the priority mapping has no native priority for " + std::to_string(priority));
}

void RealTime::set_watch_priority(std::optional<int> native) {
  if (class_ == os::SchedulingClass::other) native = 0;
  if (!native) return;
  watch_above_ = std::numeric_limits<int>::max();
  if (*native > 0) check_watch(*native);
}

// Returns true if it is the highest priority so far.
bool RealTime::run_watch_above(int native) noexcept {
  if (native <= watch_above_.load(std::memory_order_relaxed)) [[likely]]
    return false;
  watch_above_.store(
      native, std::memory_order_relaxed);  // a race keeps the lower one, which only costs another check
  os::WatchingThread::run_at_least(one_above(native));
  return true;
}

// Warns once if the watch cannot have that priority.
void RealTime::check_watch(int native) {
  if (warned_of_watch_.load(std::memory_order_relaxed)) return;
  int error = os::WatchingThread::run_at_least(native);
  if (error == 0 && !os::may_use({os::SchedulingClass::fifo, native})) error = EPERM;
  if (error == 0 || warned_of_watch_.exchange(true)) return;
  warn_(
      "the threads that keep timeouts of a second and more cannot have priority " + std::to_string(native) +
      " (-ORBWatchPriority): " + os::error_text(error) +
      "; such timeouts may be late while threads of that priority or the next lower one keep all processors");
}

void RealTime::run_at(Priority priority) {
  const os::Scheduling native = native_of(priority);
  if (!mapping_used_.load(std::memory_order_relaxed)) mapping_used_ = true;
  const bool highest = run_watch_above(native.priority);
  if (const int error = ThreadPriority::set(priority, native)) return warn_once(error);
  if (highest) check_watch(one_above(native.priority));
  if (!warned_of_throttling_.load(std::memory_order_relaxed)) warn_of_throttling();
}

std::optional<os::Scheduling> RealTime::upcall_scheduling_at(Priority priority) const noexcept {
  RTCORBA::NativePriority native = 0;
  if (!mapping_.mapping->to_native(priority, native)) return std::nullopt;
  return os::Scheduling{class_, native};
}

bool RealTime::run_upcall_at(Priority priority) noexcept {
  if (ThreadPriority::present().priority == priority) return true;  // for example in its own lane
  RTCORBA::NativePriority native = 0;
  if (!mapping_.mapping->to_native(priority, native)) return false;
  run_watch_above(native);
  if (const int error = ThreadPriority::set(priority, {class_, native})) warn_once(error);
  return true;
}

void RealTime::warn_once(int error) {
  if (told_.exchange(true)) return;
  warn_(std::string("threads stay at their ordinary priority: ") + os::error_text(error) +
        "; real-time priorities need CAP_SYS_NICE or a higher RLIMIT_RTPRIO");
}

void RealTime::warn_of_throttling() {
  if (class_ == os::SchedulingClass::other || warned_of_throttling_.exchange(true)) return;
  if (const std::string& throttling = os::real_time_throttling(); !throttling.empty()) warn_(throttling);
}

LaneHost& RealTime::host() const {
  LaneHost* host = host_;
  if (!host)
    throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(4), CORBA::COMPLETED_NO, "the ORB has been shut down");
  return *host;
}

void RealTime::require(const reference::ProtocolChoices& choices) const {
  for (const reference::ProtocolChoice& choice : choices) {
    if (host().protocol_name(choice.protocol).empty())
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                             "the ORB has no transport for protocol " + std::to_string(choice.protocol));
    if (const std::string wrong = host().validate(choice); !wrong.empty())
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, wrong);
    check_socket_priority(choice.streams.highest_priority());
  }
}

void RealTime::check_socket_priority(int priority) const {
  if (priority <= os::Socket::highest_free_priority || os::may_set_priority(priority)) return;
  if (!warned_of_socket_priority_.exchange(true))
    warn_("sockets do not get priority " + std::to_string(priority) +
          " (-ORBSocketPriority, -ORBSocketPriorities or a protocol policy), which needs CAP_NET_ADMIN: they "
          "keep the system's");
}

// `threads`: options shared by all lanes of the pool.
Threadpool::Lane RealTime::open_lane(const RTCORBA::ThreadpoolLane& lane, server::PoolThreads threads) {
  LaneHost* host = &this->host();
  if (lane.static_threads() == 0)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a thread pool needs a static thread for each priority");
  const Priority priority = lane.lane_priority();
  run_watch_above(native_of(priority).priority);
  mapping_used_ = true;
  threads.standing = lane.static_threads();
  threads.added = lane.dynamic_threads();
  threads.name = std::string("takt-lane-").append(std::to_string(priority));
  const auto counts = std::make_shared<LaneCounts>();
  threads.prepare = [self = shared_from_this(), counts, priority] {
    LaneCounts::of_thread = counts.get();
    self->run_at(priority);
  };
  threads.priority = priority;
  return {priority, host->open_lane(threads), counts};
}

RTCORBA::ThreadpoolId RealTime::make_pool(std::size_t stack_bytes, const RTCORBA::ThreadpoolLanes& lanes,
                                          PoolKind kind, std::shared_ptr<const server::BufferBounds> buffer) {
  return pools_.add(open_pool(stack_bytes, lanes, kind, std::move(buffer)));
}

std::shared_ptr<const Threadpool> RealTime::open_pool(std::size_t stack_bytes,
                                                      const RTCORBA::ThreadpoolLanes& lanes, PoolKind kind,
                                                      std::shared_ptr<const server::BufferBounds> buffer) {
  if (lanes.empty()) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a thread pool with lanes needs one");
  server::PoolThreads threads{.stack_bytes = stack_bytes, .buffer = std::move(buffer)};
  if (kind.lend_threads) {
    threads.lending = std::make_shared<server::Lending>();
    if (!threads.buffer) threads.buffer = std::make_shared<const server::BufferBounds>(0);
  }
  auto pool = std::make_shared<Threadpool>();
  pool->has_lanes = kind.has_lanes;
  for (const auto& lane : lanes) {
    if (pool->has_lane(lane.lane_priority()))
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                             "two lanes of priority " + std::to_string(lane.lane_priority()));
    pool->lanes.push_back({lane.lane_priority(), {}});
  }
  warn_of_shared(lanes);
  open_lanes(*pool, lanes, threads);
  return pool;
}

// Opens the highest lane first, so that it gets resources first.
void RealTime::open_lanes(Threadpool& pool, const RTCORBA::ThreadpoolLanes& lanes,
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

void RealTime::set_default_pool(DefaultPool pool) {
  std::lock_guard lock(default_mutex_);
  default_ = std::move(pool);
}

std::shared_ptr<const Threadpool> RealTime::default_pool() {
  std::lock_guard lock(default_mutex_);
  if (!opened_default_ && !default_.lanes.empty())
    opened_default_ = open_pool(0, default_.lanes, {.has_lanes = true, .lend_threads = default_.lend_threads},
                                default_.buffer);
  return opened_default_;
}

void RealTime::change_dynamic_threads(const RTCORBA::ThreadpoolLanes& lanes) {
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

std::vector<std::shared_ptr<const Threadpool>> RealTime::pools() const {
  auto all = pools_.all();
  std::lock_guard lock(default_mutex_);
  if (opened_default_) all.push_back(opened_default_);
  return all;
}

void RealTime::destroy_pool(RTCORBA::ThreadpoolId id) {
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
void RealTime::run_in_each_thread(const Threadpool& pool, const std::shared_ptr<server::ThreadRound>& round,
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

bool RealTime::validate_connection(RTCORBA::ThreadpoolId id,
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

bool RealTime::knows(CORBA::Policy& policy) const {
  switch (policy.policy_type()) {
    case RTCORBA::PRIORITY_MODEL_POLICY_TYPE:
    case RTCORBA::THREADPOOL_POLICY_TYPE:
    case RTCORBA::PRIORITY_BANDED_CONNECTION_POLICY_TYPE:
    case RTCORBA::SERVER_PROTOCOL_POLICY_TYPE:
      return true;
    default:
      return false;
  }
}

std::shared_ptr<adapter::PoaExtension> RealTime::extend(const CORBA::PolicyList& policies) {
  return make_poa_priorities(shared_from_this(), pools_, default_pool(), policies);
}

}  // namespace takt::rt

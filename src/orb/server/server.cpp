#include "orb/server/server.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <takt/transport/transport.h>

#include "bidirectional/bidirectional.h"
#include "groups/groups.h"
#include "orb/parts/parts.h"
#include "reference/local_roads.h"
#include "threads/thread.h"

namespace takt::orb {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

// For each part whose shutdown begins when the time for all is over.
constexpr std::chrono::milliseconds least_patience{200};

// Each in a thread of its own, so that peers and upcalls of one lane take no time from the others. Without
// threads for that, one after the other.
void stop_together(std::span<server::ServerConcurrency* const> all, std::chrono::nanoseconds bound) {
  std::vector<os::Thread> threads;
  threads.reserve(all.size());
  for (server::ServerConcurrency* const one : all) {
    if (one != all.back())
      if (auto thread = os::Thread::start({.name = "takt-drain"}, [one, bound] { one->stop(bound); })) {
        threads.push_back(std::move(*thread));
        continue;
      }
    one->stop(bound);
  }
}
}  // namespace

[[gnu::cold]] OrbServer::OrbServer(std::shared_ptr<OrbParts> parts, const Settings& settings)
    : parts_(std::move(parts)),
      patience_(settings.serving.shutdown_timeout),
      setup_(std::make_shared<ThreadSetup>(settings)),
      admission_(std::make_shared<LaneAdmission>(settings, setup_->lane_processors())),
      strategies_(
          std::make_shared<ServerStrategies>(settings, parts_->strategies, setup_, parts_->object_adapter)),
      listeners_(parts_->references.transports, parts_->connections.streams, parts_->connections.marking,
                 settings, parts_->client.report),
      adapter_timeout_(settings.serving.adapter_timeout),
      missing_lanes_(settings) {
  parts_->object_adapter.tree().when_complete = [gate = gate_] { gate->open(); };
  parts_->real_time->pools().set_default_pool(strategies_->default_pool());
  if (const auto add_groups = chosen_parts().add_groups)
    parts_->groups = add_groups(parts_->client, parts_->server, group_options(settings), setup_->for_pool());
  // The parts own it, so it must hold only a weak pointer to them.
  parts_->bidirectional.start_with([weak = std::weak_ptr(parts_), strategies = strategies_] {
    const auto locked = weak.lock();
    return locked ? strategies->bidirectional_pool(locked->server.shared()) : nullptr;
  });
}

OrbServer::~OrbServer() { gate_->close({}); }

void OrbServer::listen() {
  std::lock_guard one_at_a_time(listen_mutex_);
  {
    std::lock_guard lock(mutex_);
    if (concurrency_ || stopping()) return;
  }
  listen_first(adapter_timeout_);
}

void OrbServer::listen_as_bridge(std::shared_ptr<server::Stage> relay,
                                 std::function<void()> release_bridge_targets) {
  std::lock_guard one_at_a_time(listen_mutex_);
  {
    std::lock_guard lock(mutex_);
    if (concurrency_ || stopping())
      throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO,
                                 "the ORB listens already, so it cannot become a bridge any more");
  }
  server::Pipeline& pipeline = parts_->server.pipeline;
  pipeline.put(server::Pipeline::Place::relay, relay.get());
  parts_->relay = std::move(relay);
  parts_->release_bridge_targets = std::move(release_bridge_targets);
  try {
    listen_first(0ns);
  } catch (...) {
    pipeline.put(server::Pipeline::Place::relay, nullptr);
    parts_->relay.reset();
    parts_->release_bridge_targets = nullptr;
    throw;
  }
}

// They are not among the endpoints, since references do not name them.
[[gnu::cold]] void OrbServer::add_roads(Listening& listening) const {
  if (!parts_->roads || !listeners_.publishes_own()) return;
  for (auto& road : parts_->roads->listen_beside(listening.bound, listeners_.own_addresses(listening),
                                                 {.stream = parts_->connections.streams}))
    listening.acceptors.push_back(std::move(road));
}

void OrbServer::accept_at(const std::shared_ptr<server::ServerConcurrency>& concurrency, Listening& listening,
                          const giop::Messaging& messaging) {
  static_cast<void>(parts_->client.process.claim());
  EventLog* const log = parts_->server.log.get();
  for (auto& acceptor : listening.acceptors) {
    if (takes(log, LogEvent::listening))
      log->write({.event = LogEvent::listening, .peer = to_text(acceptor->local_endpoint())});
    gate_->add(concurrency, std::move(acceptor), messaging);
  }
}

// Call with listen_mutex_ held.
void OrbServer::listen_first(std::chrono::nanoseconds adapter_timeout) {
  parts_->operation_schedule.close();
  Listening usual = listeners_.usual();
  add_roads(usual);
  parts_->references.own_endpoints.publish(listeners_.reachable(usual, true));
  if (usual.published != usual.bound)  // calls to its other addresses are this process's, too
    parts_->references.own_endpoints.add(usual.bound, parts_->protocol.messaging);
  std::shared_ptr<server::ServerConcurrency> made = strategies_->usual(parts_->server.shared());
  if (adapter_timeout == 0ns)
    gate_->open();
  else
    gate_->call_after(adapter_timeout, [parts = parts_.get()] {
      try {
        parts->object_adapter.tree().adapters_complete();
      } catch (const CORBA::SystemException& failure) {
        if (parts->server.report) parts->server.report(LogEvent::warning, failure.what());
      }
    });
  parts_->object_adapter.tree().completeness.begin(adapter_timeout);
  accept_at(made, usual, parts_->protocol.messaging);
  std::lock_guard lock(mutex_);
  concurrency_ = std::move(made);
  changed_.notify_all();
}

void OrbServer::listen_at(const std::string& text) {
  std::lock_guard one_at_a_time(listen_mutex_);
  const auto concurrency = listening();
  Listening added = listeners_.at(text);
  add_roads(added);
  auto published = parts_->references.own_endpoints.published();
  if (!listeners_.publishes_own() || added.published != added.bound)
    parts_->references.own_endpoints.add(added.bound, parts_->protocol.messaging);
  if (listeners_.publishes_own())
    std::ranges::copy(listeners_.own_addresses(added), std::back_inserter(published));
  parts_->references.own_endpoints.publish(std::move(published));
  accept_at(concurrency, added, parts_->protocol.messaging);
  concurrency->wake();
}

void OrbServer::listen_for(server::ServerConcurrency& concurrency, const std::string& text) {
  static_cast<void>(parts_->client.process.claim());
  Listening there = listeners_.at(text);
  EventLog* const log = parts_->server.log.get();
  for (auto& acceptor : there.acceptors) {
    if (takes(log, LogEvent::listening))
      log->write({.event = LogEvent::listening, .peer = to_text(acceptor->local_endpoint())});
    concurrency.add(std::move(acceptor), parts_->protocol.messaging);
  }
}

std::vector<std::pair<std::uint64_t, std::size_t>> OrbServer::connections() const {
  std::vector<std::pair<std::uint64_t, std::size_t>> all;
  std::lock_guard lock(mutex_);
  if (concurrency_) all.emplace_back(0, concurrency_->connections());
  for (const auto& [id, lane] : lanes_) all.emplace_back(id, lane->connections());
  return all;
}

std::shared_ptr<server::ServerConcurrency> OrbServer::listening() const {
  std::lock_guard lock(mutex_);
  if (concurrency_ && !stopping()) return concurrency_;
  throw CORBA::BAD_INV_ORDER(
      stopping() ? CORBA::omg_minor(4) : 0, CORBA::COMPLETED_NO,
      stopping() ? "the ORB has been shut down"
                 : "the ORB does not listen yet: it does from the first request for the root POA on");
}

[[gnu::cold]] OrbServer::Opened OrbServer::open_lane(const server::PoolThreads& threads) {
  auto share = admission_->admit(threads.priority);
  Listening own = listeners_.of_lane(threads.priority);
  add_roads(own);
  server::PoolThreads own_threads = threads;
  const auto start = std::make_shared<LaneStart>();
  const auto reserving = setup_->reservations().open(threads.priority, threads.lending != nullptr);
  own_threads.begin = setup_->for_lane(threads.priority, reserving, start);
  own_threads.in_lane = true;
  own_threads.hands_over = false;  // those threads have another priority
  std::shared_ptr<server::ServerConcurrency> made = strategies_->pool(parts_->server.shared(), own_threads);
  const unsigned readers = threads.buffer ? 1 : 0;
  if (reserving) setup_->reservations().require(*reserving, threads.standing + readers, *start);
  Opened opened{.id = 0, .endpoints = listeners_.reachable(own, false)};
  parts_->references.own_endpoints.add(opened.endpoints, parts_->protocol.messaging);
  missing_lanes_.note_lane(threads.priority);
  accept_at(made, own, parts_->protocol.messaging);
  std::lock_guard lock(mutex_);
  if (stopping())
    throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(4), CORBA::COMPLETED_NO, "the ORB has been shut down");
  opened.id = next_lane_++;
  lanes_.emplace(opened.id, std::move(made));
  if (share) shares_.emplace(opened.id, std::move(share));
  return opened;
}

std::string OrbServer::protocol_name(std::uint32_t protocol) const {
  const transport::Transport* const transport = parts_->references.transports.find_by_profile(protocol);
  return transport ? std::string(transport->name()) : std::string();
}

[[gnu::cold]] std::string OrbServer::validate(const reference::ProtocolChoice& choice) const {
  const transport::Transport* const transport =
      parts_->references.transports.find_by_profile(choice.protocol);
  if (transport && choice.streams.settings)
    if (const std::string wrong = transport->validate(*choice.streams.settings); !wrong.empty())
      return "takt::TransportProtocolProperties for " + std::string(transport->name()) + ": " + wrong;
  if (!choice.messaging) return {};
  if (!parts_->protocol.can_speak(*choice.messaging))
    return "takt::GIOPLiteProtocolProperties and CompressedProtocolProperties need an ORB with "
           "-ORBGIOPVersion 1.2 and -ORBFragmentSize 0";
  const std::string_view names = choice.messaging->methods.text();
  if (names.empty()) return {};
  const auto methods = parts_->protocol.all_methods->named(names);
  return methods ? std::string() : "takt::CompressedProtocolProperties: " + methods.error();
}

bool OrbServer::is_usual(const reference::ProtocolChoice& choice) const {
  return !choice.streams.any() &&
         choice.messaging.value_or(parts_->protocol.messaging) == parts_->protocol.messaging;
}

std::vector<transport::Endpoint> OrbServer::endpoints_for(const reference::ProtocolChoices& choices,
                                                          std::optional<std::int16_t> priority) {
  return endpoints_in({.priority = priority}, parts_->references.own_endpoints.published(), choices);
}

std::vector<transport::Endpoint> OrbServer::endpoints_of_lane(const reference::ProtocolChoices& choices,
                                                              const Opened& lane, std::int16_t priority) {
  return endpoints_in({.lane = lane.id, .priority = priority}, lane.endpoints, choices);
}

[[gnu::cold]] std::vector<transport::Endpoint> OrbServer::endpoints_in(
    const ServedBy& by, const std::vector<transport::Endpoint>& usual,
    const reference::ProtocolChoices& choices) {
  std::vector<transport::Endpoint> endpoints;
  for (const reference::ProtocolChoice& choice : choices) {
    const transport::Transport& transport = *parts_->references.transports.find_by_profile(choice.protocol);
    const auto has_protocol = [&](const transport::Endpoint& one) {
      return one.protocol == transport.name();
    };
    if (is_usual(choice) && std::ranges::any_of(usual, has_protocol)) {
      std::ranges::copy_if(usual, std::back_inserter(endpoints), has_protocol);
      continue;
    }
    for (transport::Endpoint& endpoint : listen_with_options(by, transport, choice))
      if (has_protocol(endpoint)) endpoints.push_back(std::move(endpoint));
  }
  return endpoints;
}

// Listens only once for equal options.
std::vector<transport::Endpoint> OrbServer::listen_with_options(const ServedBy& by,
                                                                const transport::Transport& transport,
                                                                const reference::ProtocolChoice& choice) {
  std::lock_guard one_at_a_time(listen_mutex_);
  const giop::Messaging messaging = choice.messaging.value_or(parts_->protocol.messaging);
  std::string text = std::string(transport.name()) + to_text(messaging) + " " + choice.streams.text();
  if (by.priority && !choice.streams.by_priority.empty()) text += " at " + std::to_string(*by.priority);
  const std::pair key(by.lane, std::move(text));
  {
    std::lock_guard lock(mutex_);
    if (const auto known = endpoints_with_options_.find(key); known != endpoints_with_options_.end())
      return known->second;
  }
  const auto concurrency = by.lane == 0 ? listening() : lane_of(by.lane);
  Listening opened = listeners_.with_options(transport, choice.streams, by.priority, by.lane != 0);
  const auto endpoints = listeners_.reachable(opened, false);
  parts_->references.own_endpoints.add(endpoints, messaging);
  accept_at(concurrency, opened, messaging);
  concurrency->wake();
  std::lock_guard lock(mutex_);
  return endpoints_with_options_[key] = endpoints;
}

std::shared_ptr<server::ServerConcurrency> OrbServer::lane_of(std::uint64_t id) const {
  std::lock_guard lock(mutex_);
  if (const auto found = lanes_.find(id); found != lanes_.end()) return found->second;
  throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(4), CORBA::COMPLETED_NO,
                             "the lane is closed, or the ORB has been shut down");
}

void OrbServer::change_limits(const Settings& settings) {
  strategies_->change_queues(settings);
  if (filters()) filters()->change_budget(settings.serving.filter_budget);
  admission_->change_most(settings);
  patience_ = settings.serving.shutdown_timeout;
}

void OrbServer::change_dynamic_threads(std::uint64_t id, unsigned most) {
  std::lock_guard lock(mutex_);
  const auto found = lanes_.find(id);
  if (found != lanes_.end()) found->second->change_added_threads(most);
}

unsigned OrbServer::in_each_thread(std::uint64_t id, const std::shared_ptr<server::ThreadRound>& round) {
  std::lock_guard lock(mutex_);
  const auto found = lanes_.find(id);
  return found == lanes_.end() ? 0 : found->second->in_each_thread(round);
}

void OrbServer::close_lanes(std::span<const std::uint64_t> ids) {
  const auto deadline = server::stop_deadline(patience_);
  std::vector<std::shared_ptr<server::ServerConcurrency>> lanes;
  std::vector<server::ServerConcurrency*> serving;
  lanes.reserve(ids.size());
  serving.reserve(ids.size());
  {
    std::lock_guard lock(mutex_);
    for (const std::uint64_t id : ids) {
      const auto found = lanes_.find(id);
      if (found == lanes_.end()) continue;
      serving.push_back(found->second.get());
      lanes.push_back(std::move(found->second));
      lanes_.erase(found);
      std::erase_if(endpoints_with_options_, [id](const auto& one) { return one.first.first == id; });
    }
  }
  for (const auto& lane : lanes) gate_->drop(*lane, deadline);
  stop_together(serving, std::max<std::chrono::nanoseconds>(deadline - Clock::now(), least_patience));
  std::lock_guard lock(mutex_);
  for (const std::uint64_t id : ids) shares_.erase(id);
}

void OrbServer::run(std::chrono::nanoseconds timeout) {
  const auto now = Clock::now();
  const auto deadline = timeout >= Clock::time_point::max() - now ? Clock::time_point::max() : now + timeout;
  {
    std::unique_lock lock(mutex_);
    if (stopping())
      return finish_shutdown_if_last(lock);  // an upcall has stopped the server before run() was entered
    ++running_;
    if (!std::exchange(entered_, true)) changed_.notify_all();
  }
  serve_until(deadline);
  std::unique_lock lock(mutex_);
  --running_;
  finish_shutdown_if_last(lock);
}

// If the strategy needs a caller's thread, one thread at a time runs it, without a lock. The others wait for
// their turn.
void OrbServer::serve_until(Clock::time_point deadline) {
  const bool forever = deadline == Clock::time_point::max();  // then the clock is never read
  const auto left = [&]() -> std::chrono::nanoseconds {
    return forever ? 1h : std::clamp<std::chrono::nanoseconds>(deadline - Clock::now(), 0ns, 1h);
  };
  std::unique_lock lock(mutex_);
  if (concurrency_) missing_lanes_.report();
  do {
    if (stopping()) return;
    if (concurrency_ && concurrency_->needs_caller() && strategy_thread_ == RunThread::none) {
      strategy_thread_ = RunThread::serving;
      const auto concurrency = concurrency_;
      lock.unlock();
      do concurrency->run_once(left());
      while (!stopping() && (forever || Clock::now() < deadline));
      concurrency->rest();
      lock.lock();
      if (strategy_thread_ == RunThread::serving) strategy_thread_ = RunThread::none;
      changed_.notify_all();
    } else {
      changed_.wait_for(lock, left());
    }
  } while (Clock::now() < deadline);
}

bool OrbServer::work_pending() {
  std::lock_guard lock(mutex_);
  return concurrency_ && concurrency_->needs_caller() && strategy_thread_ == RunThread::none && !stopping();
}

void OrbServer::await_run(std::chrono::nanoseconds bound) {
  const bool activated = std::ranges::none_of(
      parts_->object_adapter.tree().managers(),
      [](const auto& manager) { return manager->state() == adapter::ManagerCore::State::HOLDING; });
  std::unique_lock lock(mutex_);
  if (activated && concurrency_ && !concurrency_->needs_caller()) return;
  changed_.wait_for(lock, bound, [this] { return entered_ || stopping() || !concurrency_; });
}

void OrbServer::stop() {
  std::unique_lock lock(mutex_);
  std::function<void(ServerPhase)> watcher;
  if (!stopping()) {
    life_ = Life::stopping;
    if (concurrency_) missing_lanes_.report();  // if the program has not called run()
    if (concurrency_) concurrency_->wake();
    changed_.notify_all();
    watcher = watcher_;
  }
  lock.unlock();
  if (watcher) watcher(ServerPhase::stopping);
  release_held_requests();  // for which a thread in run() may wait
  lock.lock();
  finish_shutdown_if_last(lock);
}

// They would wait in vain.
void OrbServer::release_held_requests() {
  using State = adapter::ManagerCore::State;
  for (const auto& manager : parts_->object_adapter.tree().managers())
    if (manager->state() == State::HOLDING) manager->change(State::INACTIVE);
}

// An upcall cannot wait for upcalls to finish; then run() or destroy() does this.
void OrbServer::finish_shutdown_if_last(std::unique_lock<std::mutex>& lock) {
  if (!stopping() || running_ != 0 || parts_->object_adapter.tree().in_request()) return;
  if (life_ == Life::stopping) return finish_shutdown(lock, server::stop_deadline(patience_));
  if (std::exchange(strategy_thread_, RunThread::none) != RunThread::left_behind) return;
  const auto concurrency = concurrency_;
  lock.unlock();
  concurrency->stop(0ns);
  lock.lock();
}

void OrbServer::finish_shutdown(std::unique_lock<std::mutex>& lock, Clock::time_point deadline) {
  life_ = Life::finishing;
  lock.unlock();
  std::unique_lock one_at_a_time(listen_mutex_);  // waits for a listen() in progress; no other can begin
  one_at_a_time.unlock();
  lock.lock();
  const auto concurrency = concurrency_;
  const auto lanes = std::exchange(lanes_, {});
  const bool serves = strategy_thread_ == RunThread::serving;
  if (serves) strategy_thread_ = RunThread::left_behind;
  lock.unlock();
  const auto left = [deadline] {
    return std::max<std::chrono::nanoseconds>(deadline - Clock::now(), least_patience);
  };
  gate_->close(deadline);
  parts_->object_adapter.tree().completeness.complete();
  parts_->operation_schedule.stop_periodic(
      left());  // periodic jobs call servants, so they end before the adapters
  release_held_requests();
  std::vector<server::ServerConcurrency*> serving;
  if (serves)
    concurrency->cut();
  else if (concurrency)
    serving.push_back(concurrency.get());
  for (const auto& [id, lane] : lanes) serving.push_back(lane.get());
  stop_together(serving, left());
  parts_->bidirectional.stop(left());
  if (parts_->groups) parts_->groups->stop(left());
  for (const auto& manager : parts_->object_adapter.tree().managers())
    manager->change(adapter::ManagerCore::State::INACTIVE);
  parts_->object_adapter.tree().shut_down(false);
  parts_->object_adapter.tree().wait_until_gone(deadline);  // for calls within the process
  if (parts_->release_bridge_targets) parts_->release_bridge_targets();
  parts_->operation_schedule.stop(left());
  parts_->client.shut_down();
  lock.lock();
  life_ = Life::stopped;
  changed_.notify_all();
}

void OrbServer::watch(std::function<void(ServerPhase)> watcher) {
  std::lock_guard lock(mutex_);
  watcher_ = std::move(watcher);
  gate_->call_when_serving([told = watcher_] { told(ServerPhase::serving); });
}

void OrbServer::wait_until_stopped() {
  std::unique_lock lock(mutex_);
  const auto begun = [this] { return life_ >= Life::finishing; };
  // An upcall in run() may not end.
  const auto deadline = server::stop_deadline(patience_);
  if (!changed_.wait_until(lock, deadline, begun)) finish_shutdown(lock, deadline);
  changed_.wait(lock, [this] { return life_ == Life::stopped; });
}

}  // namespace takt::orb

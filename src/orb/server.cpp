#include "orb/server.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <takt/transport/transport.h>

#include "connection/bidirectional/bidirectional.h"
#include "connection/groups/groups.h"
#include "connection/server/leader_followers.h"
#include "connection/server/queued/worker_pool.h"
#include "connection/server/reactive.h"
#include "connection/server/thread_per_connection.h"
#include "orb/config/endpoints.h"
#include "orb/config/lane_options.h"
#include "orb/parts/parts.h"
#include "os/poll/shared_poll.h"
#include "os/reactor/epoll_reactor.h"

namespace takt::orb {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

connection::ServerLimits limits_of(const Settings& settings) {
  connection::ServerLimits limits;
  limits.idle_timeout = settings.idle_timeout;
  limits.message_timeout = settings.message_timeout;
  limits.send_timeout = settings.send_timeout;
  return limits;
}

QueueOrder queue_order_of(const Settings& settings) {
  constexpr std::pair<std::string_view, QueueOrder> names[] = {
      {"priority", QueueOrder::priority}, {"deadline", QueueOrder::deadline}, {"fixed", QueueOrder::fixed},
      {"laxity", QueueOrder::laxity},     {"urgency", QueueOrder::urgency},
  };
  const auto* const found =
      std::ranges::find(names, settings.queue_order, &std::pair<std::string_view, QueueOrder>::first);
  return found == std::end(names) ? QueueOrder::temporal : found->second;
}

connection::PoolThreads standing_threads(const Settings& settings) {
  return {.standing = static_cast<unsigned>(settings.server_threads)};
}

connection::PoolThreads buffered_threads(const Settings& settings) {
  connection::PoolThreads threads = standing_threads(settings);
  threads.buffer = {.requests = settings.max_queued_requests};
  threads.order = queue_order_of(settings);
  return threads;
}

std::shared_ptr<connection::FilterChain> make_filters(const Settings& settings, ThreadSetup& setup) {
  if (settings.server_concurrency != "threading-framework") return nullptr;
  connection::PoolThreads threads = buffered_threads(settings);
  threads.begin = setup.for_pool();
  return std::make_shared<connection::FilterChain>(threads, settings.filter_budget);
}

std::uint32_t file_mode_of(const std::string& text) {
  std::uint32_t mode = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mode, 8);
  if (error != std::errc() || end != text.data() + text.size() || mode > 0777)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "option -ORBUnixPermissions: '" + text + "' is none of 0 to 0777, as in 0660");
  return mode;
}

rt::RealTime::DefaultPool default_pool(const Settings& settings) {
  rt::RealTime::DefaultPool pool{.lanes = pool_lanes(settings.lanes),
                                 .lend_threads = settings.lane_borrowing == "on"};
  if ((settings.lane_queued_requests | settings.lane_queued_octets) != 0)
    pool.buffer = {.requests = settings.lane_queued_requests == 0 ? SIZE_MAX : settings.lane_queued_requests,
                   .octets = settings.lane_queued_octets};
  return pool;
}

// The descriptors that a strategy waits with.
template <class Waiting>
auto make_waiting() {
  auto made = Waiting::create();
  if (!made)
    throw CORBA::INITIALIZE(
        0, CORBA::COMPLETED_NO,
        "no descriptor is left to wait for requests (errno " + std::to_string(made.error()) + ")");
  return std::move(*made);
}

struct Listening {
  std::vector<std::unique_ptr<transport::Acceptor>> acceptors;
  std::vector<transport::Endpoint> bound;

  void listen(const OrbParts& parts, const transport::Endpoint& endpoint,
              const transport::ListenOptions& options) {
    auto acceptor = parts.transports.find(endpoint.protocol)->listen(endpoint, options);
    if (!acceptor) throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO, acceptor.error().text);
    bound.push_back((*acceptor)->local_endpoint());
    acceptors.push_back(std::move(*acceptor));
  }
};

}  // namespace

Server::Server(std::shared_ptr<OrbParts> parts, const Settings& settings)
    : parts_(std::move(parts)),
      settings_(settings),
      setup_(std::make_shared<ThreadSetup>(settings)),
      admission_(std::make_shared<LaneAdmission>(lane_loads(settings.lane_loads, setup_->lane_processors()),
                                                 static_cast<double>(settings.max_lane_utilisation) / 100)),
      filters_(make_filters(settings, *setup_)) {
  for (const auto& [priority, texts] : by_priority(settings.lane_endpoints, "LaneEndpoints", "ENDPOINT"))
    lane_endpoints_[priority] = endpoints_of(texts, "LaneEndpoints");
  parts_->real_time->set_default_pool(default_pool(settings));
  // What is wrong with them is said now, even where nobody listens in the end.
  (void)endpoints_of(settings.listen_endpoints, "ListenEndpoints");
  (void)endpoints_of(settings.published_endpoints, "PublishedEndpoints");
  (void)file_mode_of(settings.unix_permissions);
  if (const auto make_groups = chosen_parts().make_groups)
    parts_->groups = make_groups(*parts_, setup_->for_pool());
  // The parts own it, so it must not own them.
  parts_->bidirectional->start_with([weak = std::weak_ptr(parts_), setup = setup_, settings] {
    const auto core = weak.lock();
    if (!core) return std::shared_ptr<connection::WorkerPool>();
    return std::make_shared<connection::WorkerPool>(
        core, limits_of(settings), make_waiting<os::SharedPoll>(),
        connection::PoolThreads{.standing = static_cast<unsigned>(settings.bidirectional_threads),
                                .name = "takt-both-ways",
                                .begin = setup->for_pool(),
                                .buffer = {{.requests = settings.max_queued_requests}}});
  });
}

std::vector<transport::Endpoint> Server::endpoints_of(const std::vector<std::string>& texts,
                                                      std::string_view option) const {
  std::vector<transport::Endpoint> endpoints;
  endpoints.reserve(texts.size());
  for (const std::string& text : texts)
    endpoints.push_back(endpoint_from_text(text, option, parts_->transports));
  return endpoints;
}

transport::ListenOptions Server::listen_options() const {
  transport::ListenOptions options;
  options.stream = parts_->options.streams;
  options.file_mode = file_mode_of(settings_.unix_permissions);
  return options;
}

std::unique_ptr<connection::ServerConcurrency> Server::make_concurrency() {
  if (settings_.server_concurrency == "reactive")
    return std::make_unique<connection::ReactiveServer>(parts_, limits_of(settings_),
                                                        make_waiting<os::EpollReactor>());
  if (settings_.server_concurrency == "leader-followers") return make_pool(standing_threads(settings_));
  if (settings_.server_concurrency == "worker-pool") return make_pool(buffered_threads(settings_));
  if (filters_) {
    filters_->close();
    return std::make_unique<connection::WorkerPool>(parts_, limits_of(settings_),
                                                    make_waiting<os::SharedPoll>(), filters_);
  }
  return std::make_unique<connection::ThreadPerConnection>(parts_, limits_of(settings_));
}

std::unique_ptr<connection::ServerConcurrency> Server::make_pool(connection::PoolThreads threads) {
  if (!threads.begin) threads.begin = setup_->for_pool();
  if (threads.buffer)
    return std::make_unique<connection::WorkerPool>(parts_, limits_of(settings_),
                                                    make_waiting<os::SharedPoll>(), threads);
  return std::make_unique<connection::LeaderFollowers>(parts_, limits_of(settings_),
                                                       make_waiting<os::SharedPoll>(), threads);
}

void Server::listen() {
  std::lock_guard one_at_a_time(listen_mutex_);
  {
    std::lock_guard lock(mutex_);
    if (concurrency_ || stopping_) return;
  }
  listen_first();
}

void Server::listen_as_bridge(std::unique_ptr<invocation::Relay> relay) {
  std::lock_guard one_at_a_time(listen_mutex_);
  {
    std::lock_guard lock(mutex_);
    if (concurrency_ || stopping_)
      throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO,
                                 "the ORB listens already, so it cannot become a bridge any more");
  }
  connection::Dispatcher* const usual = std::exchange(parts_->dispatcher, relay.get());
  parts_->relay = std::move(relay);
  try {
    listen_first();
  } catch (...) {
    parts_->dispatcher = usual;
    parts_->relay.reset();
    throw;
  }
}

// With the mutex for listening.
void Server::listen_first() {
  parts_->operation_schedule.close();
  Listening all;
  for (const transport::Endpoint& endpoint : endpoints_of(settings_.listen_endpoints, "ListenEndpoints"))
    all.listen(*parts_, endpoint, listen_options());
  parts_->publish(reachable(all.bound, true));
  std::shared_ptr<connection::ServerConcurrency> made = make_concurrency();
  for (auto& acceptor : all.acceptors) made->add(std::move(acceptor), parts_->options.messaging);
  std::lock_guard lock(mutex_);
  concurrency_ = std::move(made);
  changed_.notify_all();
}

void Server::listen_at(const std::string& text) {
  std::lock_guard one_at_a_time(listen_mutex_);
  const auto concurrency = listening();
  const auto endpoint = endpoint_from_text(text, "ListenEndpoints", parts_->transports);
  Listening added;
  added.listen(*parts_, endpoint, listen_options());
  auto published = parts_->published();
  if (settings_.published_endpoints.empty())
    std::ranges::copy(reachable(added.bound, false), std::back_inserter(published));
  else
    parts_->add_own(added.bound, parts_->options.messaging);
  parts_->publish(std::move(published));
  for (auto& acceptor : added.acceptors) concurrency->add(std::move(acceptor), parts_->options.messaging);
  concurrency->wake();
}

std::shared_ptr<connection::ServerConcurrency> Server::listening() const {
  std::lock_guard lock(mutex_);
  if (concurrency_ && !stopping_) return concurrency_;
  throw CORBA::BAD_INV_ORDER(
      stopping_ ? CORBA::omg_minor(4) : 0, CORBA::COMPLETED_NO,
      stopping_ ? "the ORB has been shut down"
                : "the ORB does not listen yet: it does from the first request for the root POA on");
}

std::vector<transport::Endpoint> Server::endpoints_of_lane(std::int16_t priority) const {
  if (const auto found = lane_endpoints_.find(priority); found != lane_endpoints_.end()) return found->second;
  auto endpoints = endpoints_of(settings_.listen_endpoints, "ListenEndpoints");
  for (transport::Endpoint& endpoint : endpoints)
    endpoint = parts_->transports.find(endpoint.protocol)->beside(endpoint);
  return endpoints;
}

Server::Opened Server::open_lane(const connection::PoolThreads& threads) {
  auto share = admission_->admit(threads.priority);
  Listening all;
  for (const transport::Endpoint& endpoint : endpoints_of_lane(threads.priority))
    all.listen(*parts_, endpoint, listen_options());
  connection::PoolThreads own_threads = threads;
  own_threads.order = queue_order_of(settings_);
  const auto start = std::make_shared<LaneStart>();
  own_threads.begin = setup_->for_lane(threads.priority, start);
  own_threads.hands_over = false;  // to threads of another priority
  std::shared_ptr<connection::ServerConcurrency> made = make_pool(own_threads);
  const unsigned readers = threads.buffer ? 1 : 0;
  setup_->require_reservations(threads.priority, threads.standing + readers, *start);
  Opened opened{.id = 0, .endpoints = reachable(all.bound, false)};
  parts_->add_own(opened.endpoints, parts_->options.messaging);
  for (auto& acceptor : all.acceptors) made->add(std::move(acceptor), parts_->options.messaging);
  std::lock_guard lock(mutex_);
  if (stopping_)
    throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(4), CORBA::COMPLETED_NO, "the ORB has been shut down");
  opened.id = next_lane_++;
  lanes_.emplace(opened.id, std::move(made));
  if (share) shares_.emplace(opened.id, std::move(share));
  return opened;
}

std::string Server::protocol_name(std::uint32_t protocol) const {
  const transport::Transport* const transport = parts_->transports.find_by_profile(protocol);
  return transport ? std::string(transport->name()) : std::string();
}

bool Server::has_messaging(const connection::ProtocolChoice& choice) const {
  return !choice.messaging || parts_->options.can_speak(*choice.messaging);
}

bool Server::is_usual(const connection::ProtocolChoice& choice) const {
  return !choice.streams.any() &&
         choice.messaging.value_or(parts_->options.messaging) == parts_->options.messaging;
}

std::vector<transport::Endpoint> Server::endpoints_for(const connection::ProtocolChoices& choices) {
  std::vector<transport::Endpoint> endpoints;
  const auto usual = parts_->published();
  for (const connection::ProtocolChoice& choice : choices) {
    const transport::Transport& transport = *parts_->transports.find_by_profile(choice.protocol);
    const auto has_protocol = [&](const transport::Endpoint& one) {
      return one.protocol == transport.name();
    };
    if (is_usual(choice) && std::ranges::any_of(usual, has_protocol)) {
      std::ranges::copy_if(usual, std::back_inserter(endpoints), has_protocol);
      continue;
    }
    for (transport::Endpoint& endpoint : listen_specially(transport, choice))
      if (has_protocol(endpoint)) endpoints.push_back(std::move(endpoint));
  }
  return endpoints;
}

// Beside where the ORB listens by this transport, or anywhere. Once for the same options.
std::vector<transport::Endpoint> Server::listen_specially(const transport::Transport& transport,
                                                          const connection::ProtocolChoice& choice) {
  std::lock_guard one_at_a_time(listen_mutex_);
  const std::string name(transport.name());
  const giop::Messaging messaging = choice.messaging.value_or(parts_->options.messaging);
  const std::string key = name + to_text(messaging) + " " + choice.streams.text();
  {
    std::lock_guard lock(mutex_);
    if (const auto known = special_.find(key); known != special_.end()) return known->second;
  }
  const auto concurrency = listening();
  Listening all;
  auto options = listen_options();
  options.stream = choice.streams.over(options.stream);
  for (const transport::Endpoint& endpoint : endpoints_of(settings_.listen_endpoints, "ListenEndpoints"))
    if (endpoint.protocol == name) all.listen(*parts_, transport.beside(endpoint), options);
  if (all.bound.empty()) all.listen(*parts_, {name, "", 0}, options);
  const auto endpoints = reachable(all.bound, false);
  parts_->add_own(endpoints, messaging);
  for (auto& acceptor : all.acceptors) concurrency->add(std::move(acceptor), messaging);
  concurrency->wake();
  std::lock_guard lock(mutex_);
  return special_[key] = endpoints;
}

void Server::change_dynamic_threads(std::uint64_t id, unsigned most) {
  std::lock_guard lock(mutex_);
  const auto found = lanes_.find(id);
  if (found != lanes_.end()) found->second->change_added_threads(most);
}

void Server::close_lane(std::uint64_t id) {
  std::shared_ptr<connection::ServerConcurrency> lane;
  {
    std::lock_guard lock(mutex_);
    const auto found = lanes_.find(id);
    if (found == lanes_.end()) return;
    lane = std::move(found->second);
    lanes_.erase(found);
  }
  lane->stop(settings_.shutdown_timeout);
  std::lock_guard lock(mutex_);
  shares_.erase(id);
}

// The addresses of PublishedEndpoints are those of ListenEndpoints; a lane has its own ports and paths.
std::vector<transport::Endpoint> Server::reachable(const std::vector<transport::Endpoint>& bound,
                                                   bool as_configured) const {
  std::vector<transport::Endpoint> published;
  for (transport::Endpoint endpoint : endpoints_of(settings_.published_endpoints, "PublishedEndpoints")) {
    const transport::Transport& transport = *parts_->transports.find(endpoint.protocol);
    if (!transport.is_definite(endpoint))
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                             "option -ORBPublishedEndpoints: '" + transport::to_text(endpoint) +
                                 "' is no address that a client can connect to");
    const auto own = std::ranges::find(bound, endpoint.protocol, &transport::Endpoint::protocol);
    if (own == bound.end() && !as_configured) continue;  // a lane is not where the server is
    const bool has_port = transport.profile_form().has_port;
    if (own != bound.end() && has_port && (endpoint.port == 0 || !as_configured)) endpoint.port = own->port;
    if (own != bound.end() && !has_port && !as_configured) endpoint.host = own->host;
    published.push_back(std::move(endpoint));
  }
  if (published.empty())
    for (const transport::Endpoint& endpoint : bound)
      for (transport::Endpoint& address : parts_->transports.find(endpoint.protocol)->published(endpoint))
        published.push_back(std::move(address));
  return published;
}

void Server::run(std::chrono::nanoseconds timeout) {
  const auto now = Clock::now();
  const auto deadline = timeout >= Clock::time_point::max() - now ? Clock::time_point::max() : now + timeout;
  {
    std::unique_lock lock(mutex_);
    if (stopping_) return finish_if_alone(lock);  // an upcall has stopped us before we were here
    ++running_;
  }
  serve_until(deadline);
  std::unique_lock lock(mutex_);
  --running_;
  finish_if_alone(lock);
}

// One thread at a time lends itself to a strategy that wants that, and keeps at it, without a lock; the
// others wait for its place.
void Server::serve_until(Clock::time_point deadline) {
  const bool forever = deadline == Clock::time_point::max();  // and then nobody asks the clock
  const auto left = [&]() -> std::chrono::nanoseconds {
    return forever ? 1h : std::clamp<std::chrono::nanoseconds>(deadline - Clock::now(), 0ns, 1h);
  };
  std::unique_lock lock(mutex_);
  do {
    if (stopping_) return;
    if (concurrency_ && concurrency_->needs_caller() && !serving_) {
      serving_ = true;
      const auto concurrency = concurrency_;
      lock.unlock();
      do concurrency->run_once(left());
      while (!stopping_ && (forever || Clock::now() < deadline));
      lock.lock();
      serving_ = false;
      changed_.notify_all();
    } else {
      changed_.wait_for(lock, left());
    }
  } while (Clock::now() < deadline);
}

bool Server::work_pending() {
  std::lock_guard lock(mutex_);
  return concurrency_ && concurrency_->needs_caller() && !serving_ && !stopping_;
}

bool Server::stopping() const {
  std::lock_guard lock(mutex_);
  return stopping_;
}

void Server::stop() {
  std::unique_lock lock(mutex_);
  if (!stopping_) {
    stopping_ = true;
    if (concurrency_) concurrency_->wake();
    changed_.notify_all();
  }
  finish_if_alone(lock);
}

// From inside an upcall nobody can wait for upcalls to finish: it is left to run(), or to destroy().
void Server::finish_if_alone(std::unique_lock<std::mutex>& lock) {
  if (!stopping_ || running_ != 0 || finishing_ || parts_->object_adapter.in_upcall()) return;
  finishing_ = true;
  const auto concurrency = concurrency_;
  const auto lanes = std::exchange(lanes_, {});
  lock.unlock();
  parts_->operation_schedule.stop_periodic(settings_.shutdown_timeout);  // its jobs call servants
  const auto managers = parts_->object_adapter.managers();
  using State = adapter::ManagerCore::State;
  for (const auto& manager : managers)  // what they hold would wait for nothing
    if (manager->state() == State::HOLDING) manager->change(State::INACTIVE);
  if (concurrency) concurrency->stop(settings_.shutdown_timeout);
  for (const auto& [id, lane] : lanes) lane->stop(settings_.shutdown_timeout);
  parts_->bidirectional->stop(settings_.shutdown_timeout);
  if (parts_->groups) parts_->groups->stop(settings_.shutdown_timeout);
  for (const auto& manager : managers) manager->change(State::INACTIVE);
  parts_->object_adapter.shut_down(false);
  if (parts_->relay) parts_->relay->targets().clear();  // whose references own the parts
  parts_->operation_schedule.stop(settings_.shutdown_timeout);
  parts_->shut_down();
  lock.lock();
  stopped_ = true;
  changed_.notify_all();
}

void Server::wait_until_stopped() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stopped_; });
}

}  // namespace takt::orb

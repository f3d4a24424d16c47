#include "orb/server.h"

#include <utility>

#include "connection/server/leader_followers.h"
#include "connection/server/queued/worker_pool.h"
#include "connection/server/reactive.h"
#include "connection/server/thread_per_connection.h"
#include "orb/config/endpoints.h"
#include "os/reactor/epoll_reactor.h"
#include "os/shared_poll.h"
#include "transport/acceptor.h"
#include "transport/published_endpoints.h"

namespace takt::orb {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

connection::ServerLimits limits_of(const Settings& settings) {
  connection::ServerLimits limits;
  limits.connections = settings.max_connections;
  limits.idle_timeout = settings.idle_timeout;
  limits.message_timeout = settings.message_timeout;
  limits.send_timeout = settings.send_timeout;
  return limits;
}

QueueOrder queue_order_of(const Settings& settings) {
  return settings.queue_order == "priority"   ? QueueOrder::priority
         : settings.queue_order == "deadline" ? QueueOrder::deadline
                                              : QueueOrder::temporal;
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

std::shared_ptr<connection::FilterChain> make_filters(const Settings& settings) {
  if (settings.server_concurrency != "threading-framework") return nullptr;
  return std::make_shared<connection::FilterChain>(buffered_threads(settings), settings.filter_budget);
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

std::unique_ptr<transport::Acceptor> listen_at(const transport::Endpoint& endpoint) {
  auto acceptor = transport::listen(endpoint);
  if (!acceptor) throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO, acceptor.error().text);
  return std::move(*acceptor);
}

}  // namespace

Server::Server(std::shared_ptr<OrbParts> parts, const Settings& settings)
    : parts_(std::move(parts)), settings_(settings), filters_(make_filters(settings)) {}

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

std::unique_ptr<connection::ServerConcurrency> Server::make_pool(const connection::PoolThreads& threads) {
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
  std::vector<std::unique_ptr<transport::Acceptor>> acceptors;
  std::vector<transport::Endpoint> bound;
  for (const std::string& text : settings_.listen_endpoints) {
    acceptors.push_back(listen_at(endpoint_from_text(text, "ListenEndpoints")));
    bound.push_back(acceptors.back()->local_endpoint());
  }
  parts_->publish(reachable(bound, true));
  std::shared_ptr<connection::ServerConcurrency> made = make_concurrency();
  for (auto& acceptor : acceptors) made->add(std::move(acceptor));
  std::lock_guard lock(mutex_);
  concurrency_ = std::move(made);
  changed_.notify_all();
}

Server::Opened Server::open_lane(const connection::PoolThreads& threads) {
  std::vector<std::unique_ptr<transport::Acceptor>> acceptors;
  std::vector<transport::Endpoint> bound;
  for (const std::string& text : settings_.listen_endpoints) {
    transport::Endpoint endpoint = endpoint_from_text(text, "ListenEndpoints");
    endpoint.port = 0;
    acceptors.push_back(listen_at(endpoint));
    bound.push_back(acceptors.back()->local_endpoint());
  }
  connection::PoolThreads ordered = threads;
  ordered.order = queue_order_of(settings_);
  std::shared_ptr<connection::ServerConcurrency> made = make_pool(ordered);
  Opened opened{.id = 0, .endpoints = reachable(bound, false)};
  parts_->add_own(opened.endpoints);
  for (auto& acceptor : acceptors) made->add(std::move(acceptor));
  std::lock_guard lock(mutex_);
  if (stopping_)
    throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(4), CORBA::COMPLETED_NO, "the ORB has been shut down");
  opened.id = next_lane_++;
  lanes_.emplace(opened.id, std::move(made));
  return opened;
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
}

// The ports of PublishedEndpoints are those of ListenEndpoints; a lane has its own.
std::vector<transport::Endpoint> Server::reachable(const std::vector<transport::Endpoint>& bound,
                                                   bool configured_ports) const {
  std::vector<transport::Endpoint> published;
  for (const std::string& text : settings_.published_endpoints) {
    transport::Endpoint endpoint = endpoint_from_text(text, "PublishedEndpoints");
    if (endpoint.host.empty() || endpoint.host == "0.0.0.0" || endpoint.host == "::")
      throw CORBA::BAD_PARAM(
          0, CORBA::COMPLETED_NO,
          "option -ORBPublishedEndpoints: '" + text + "' is no address that a client can connect to");
    if ((endpoint.port == 0 || !configured_ports) && !bound.empty()) endpoint.port = bound.front().port;
    published.push_back(std::move(endpoint));
  }
  if (published.empty())
    for (const transport::Endpoint& endpoint : bound)
      for (transport::Endpoint& address : transport::published_endpoints(endpoint))
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

// One thread at a time lends itself to a strategy that wants that; the others wait for its place.
void Server::serve_until(Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  do {
    if (stopping_) return;
    const auto left = std::min<std::chrono::nanoseconds>(deadline - Clock::now(), 1h);
    if (concurrency_ && concurrency_->needs_caller() && !serving_) {
      serving_ = true;
      const auto concurrency = concurrency_;
      lock.unlock();
      concurrency->run_once(std::max(left, 0ns));
      lock.lock();
      serving_ = false;
      changed_.notify_all();
    } else {
      changed_.wait_for(lock, left);
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
  for (const auto& manager : parts_->object_adapter.managers())
    manager->change(adapter::ManagerCore::State::INACTIVE);
  if (concurrency) concurrency->stop(settings_.shutdown_timeout);
  for (const auto& [id, lane] : lanes) lane->stop(settings_.shutdown_timeout);
  parts_->object_adapter.shut_down(false);
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

#include "orb/server/strategies.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <takt/cdr/exception.h>

#include "connection/server/leader_followers.h"
#include "connection/server/reactive.h"
#include "connection/server/thread_per_connection.h"
#include "orb/config/lane_options.h"
#include "os/poll/shared_poll.h"
#include "os/reactor/epoll_reactor.h"

namespace takt::orb {

namespace {

connection::ServerLimits limits_of(const Settings& settings) {
  connection::ServerLimits limits;
  limits.idle_timeout = settings.idle_timeout;
  limits.message_timeout = settings.message_timeout;
  limits.send_timeout = settings.send_timeout;
  return limits;
}

// In which requests of one priority leave a queue.
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
  return threads;
}

std::shared_ptr<connection::FilterChain> make_filters(const Settings& settings, ThreadSetup& setup) {
  if (settings.server_concurrency != "threading-framework") return nullptr;
  connection::PoolThreads threads = buffered_threads(settings);
  threads.order = queue_order_of(settings);
  threads.begin = setup.for_pool();
  return std::make_shared<connection::FilterChain>(threads, settings.filter_budget);
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

}  // namespace

ServerStrategies::ServerStrategies(const Settings& settings, std::shared_ptr<ThreadSetup> setup)
    : settings_(settings), setup_(std::move(setup)), filters_(make_filters(settings_, *setup_)) {}

std::unique_ptr<connection::ServerConcurrency> ServerStrategies::usual(
    std::shared_ptr<connection::OrbCore> core) const {
  if (settings_.server_concurrency == "reactive")
    return std::make_unique<connection::ReactiveServer>(std::move(core), limits_of(settings_),
                                                        make_waiting<os::EpollReactor>());
  if (settings_.server_concurrency == "leader-followers")
    return pool(std::move(core), standing_threads(settings_));
  if (settings_.server_concurrency == "worker-pool")
    return pool(std::move(core), buffered_threads(settings_));
  if (filters_) {
    filters_->close();
    return std::make_unique<connection::WorkerPool>(std::move(core), limits_of(settings_),
                                                    make_waiting<os::SharedPoll>(), filters_);
  }
  return std::make_unique<connection::ThreadPerConnection>(std::move(core), limits_of(settings_));
}

std::unique_ptr<connection::ServerConcurrency> ServerStrategies::pool(
    std::shared_ptr<connection::OrbCore> core, connection::PoolThreads threads) const {
  threads.order = queue_order_of(settings_);
  if (!threads.begin) threads.begin = setup_->for_pool();
  if (threads.buffer)
    return std::make_unique<connection::WorkerPool>(std::move(core), limits_of(settings_),
                                                    make_waiting<os::SharedPoll>(), threads);
  return std::make_unique<connection::LeaderFollowers>(std::move(core), limits_of(settings_),
                                                       make_waiting<os::SharedPoll>(), threads);
}

std::shared_ptr<connection::WorkerPool> ServerStrategies::both_ways(
    std::shared_ptr<connection::OrbCore> core) const {
  return std::make_shared<connection::WorkerPool>(
      std::move(core), limits_of(settings_), make_waiting<os::SharedPoll>(),
      connection::PoolThreads{.standing = static_cast<unsigned>(settings_.bidirectional_threads),
                              .name = "takt-both-ways",
                              .begin = setup_->for_pool(),
                              .buffer = {{.requests = settings_.max_queued_requests}}});
}

rt::RealTime::DefaultPool ServerStrategies::default_pool() const {
  rt::RealTime::DefaultPool pool{.lanes = pool_lanes(settings_.lanes),
                                 .lend_threads = settings_.lane_borrowing == "on"};
  if ((settings_.lane_queued_requests | settings_.lane_queued_octets) != 0)
    pool.buffer = {
        .requests = settings_.lane_queued_requests == 0 ? SIZE_MAX : settings_.lane_queued_requests,
        .octets = settings_.lane_queued_octets};
  return pool;
}

}  // namespace takt::orb

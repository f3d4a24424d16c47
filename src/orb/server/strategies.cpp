#include "orb/server/strategies.h"

#include <string>
#include <utility>

#include <takt/cdr/exception.h>

#include "concurrency/strategy/leader_followers.h"
#include "concurrency/strategy/reactive.h"
#include "concurrency/strategy/thread_per_connection.h"
#include "config/lane_options.h"
#include "orb/parts/parts.h"
#include "os/error_text.h"
#include "os/poll/shared_poll.h"
#include "os/reactor/epoll_reactor.h"
#include "queued/order/request_order.h"

namespace takt::orb {

namespace {

server::PoolThreads standing(std::size_t threads) { return {.standing = static_cast<unsigned>(threads)}; }

std::shared_ptr<server::BufferBounds> lane_queue_of(const Settings& settings) {
  if ((settings.threads.lane_queued_requests | settings.threads.lane_queued_octets) == 0) return nullptr;
  return std::make_shared<server::BufferBounds>(
      settings.threads.lane_queued_requests == 0 ? SIZE_MAX : settings.threads.lane_queued_requests,
      settings.threads.lane_queued_octets);
}

// Why the threads cannot wait by a ring, which has one owner; null if they can.
const char* needs_epoll(const server::PoolThreads& threads) {
  if (threads.buffer) return nullptr;  // a single thread reads
  if (threads.standing + threads.added > 1) return "epoll serves: the threads take turns at waiting";
  return nullptr;
}

void report_refused(int error, server::Server& server) {
  if (server.report)
    server.report(LogEvent::warning,
                  "option -ORBReactor io_uring: " + os::error_text(error) + "; epoll serves instead");
}

void log_unused(const char* why, server::Server& server) {
  if (takes(server.log.get(), LogEvent::reactor_unused))
    server.log->write({.event = LogEvent::reactor_unused, .reason = why});
}

// The reactor, or its like, with which a strategy waits.
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

ServerStrategies::ServerStrategies(const Settings& settings, const StrategyTables& tables,
                                   std::shared_ptr<ThreadSetup> setup, server::RequestUrgency& urgencies)
    : setup_(std::move(setup)),
      urgencies_(urgencies),
      urgencies_of_usual_(settings.calling.accept_bidirectional == bidirectional::Accept::off &&
                                  settings.serving.queue_order == QueueOrder::temporal
                              ? nullptr
                              : &urgencies),
      concurrency_(settings.serving.concurrency),
      reactor_(settings.serving.reactor),
      order_(&tables.orders.at("QueueOrder", settings)),
      queue_(std::make_shared<server::BufferBounds>()),
      bidirectional_queue_(std::make_shared<server::BufferBounds>()),
      lane_queue_(lane_queue_of(settings)),
      threads_(settings.serving.threads),
      bidirectional_threads_(settings.serving.bidirectional_threads),
      default_pool_{.lanes = pool_lanes(settings.threads.lanes),
                    .lend_threads = settings.threads.lane_borrowing,
                    .buffer = lane_queue_},
      filters_(make_filters(settings.serving.filter_budget)) {
  bound_queues(settings);
}

// Bursts of oneways would be lost in short queues.
void ServerStrategies::bound_queues(const Settings& settings) const {
  constexpr std::size_t automatic_oneways = 1000;
  queue_->requests = settings.most_queued_requests(threads_);
  bidirectional_queue_->requests = settings.most_queued_requests(bidirectional_threads_);
  const bool automatic = settings.serving.max_queued_requests == automatic_count;
  for (const auto& queue : {queue_, bidirectional_queue_})
    queue->more_oneways = automatic ? automatic_oneways : 0;
}

void ServerStrategies::change_queues(const Settings& settings) const {
  const auto lanes = lane_queue_of(settings);
  if (!lanes != !lane_queue_)
    throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO,
                               "LaneQueuedRequests and LaneQueuedOctets: lanes that began without queues get "
                               "none while the ORB runs, and the others keep theirs");
  if (lanes) *lane_queue_ = *lanes;
  bound_queues(settings);
}

server::PoolThreads ServerStrategies::buffered(std::size_t threads,
                                               std::shared_ptr<server::BufferBounds> queue) const {
  server::PoolThreads pool = standing(threads);
  pool.begin = setup_->for_pool();
  pool.buffer = std::move(queue);
  pool.urgencies = urgencies_of_usual_;
  return pool;
}

std::shared_ptr<server::FilterChain> ServerStrategies::make_filters(std::chrono::nanoseconds budget) const {
  if (concurrency_ != Concurrency::threading_framework) return nullptr;
  server::PoolThreads threads = buffered(threads_, queue_);
  threads.order = order_;
  return std::make_shared<server::FilterChain>(threads, budget);
}

std::unique_ptr<server::ServerConcurrency> ServerStrategies::reactive(
    std::shared_ptr<server::Server> server) const {
  if (reactor_ == ReactorKind::io_uring) {
    auto made = chosen_parts().make_io_uring();
    if (made) return std::make_unique<server::ReactiveServer>(std::move(server), std::move(*made));
    report_refused(made.error(), *server);
  }
  return std::make_unique<server::ReactiveServer>(
      std::move(server), server::ReactorAndStreams{make_waiting<os::EpollReactor>(), nullptr});
}

server::PollAndStreams ServerStrategies::waiting(server::Server& server,
                                                 const server::PoolThreads& threads) const {
  if (reactor_ == ReactorKind::io_uring) {
    if (const char* const why = needs_epoll(threads)) {
      log_unused(why, server);
    } else {
      auto made = chosen_parts().make_io_uring_poll();
      if (made) return std::move(*made);
      report_refused(made.error(), server);
    }
  }
  return {make_waiting<os::SharedPoll>()};
}

std::unique_ptr<server::ServerConcurrency> ServerStrategies::usual(
    std::shared_ptr<server::Server> server) const {
  if (concurrency_ == Concurrency::reactive) return reactive(std::move(server));
  if (concurrency_ == Concurrency::leader_followers) {
    server::PoolThreads threads = standing(threads_);
    threads.waiting = queue_;
    return pool(std::move(server), threads);
  }
  if (concurrency_ == Concurrency::worker_pool) return pool(std::move(server), buffered(threads_, queue_));
  if (filters_) {
    filters_->close();
    if (reactor_ == ReactorKind::io_uring)
      log_unused("epoll serves: a second thread reads on where a filter takes long", *server);
    return std::make_unique<server::WorkerPool>(
        std::move(server), server::PollAndStreams{make_waiting<os::SharedPoll>()}, filters_);
  }
  if (reactor_ == ReactorKind::io_uring)
    log_unused("the thread of each connection waits in its socket", *server);
  return std::make_unique<server::ThreadPerConnection>(std::move(server), make_waiting<os::SharedPoll>());
}

std::unique_ptr<server::ServerConcurrency> ServerStrategies::pool(std::shared_ptr<server::Server> server,
                                                                  server::PoolThreads threads) const {
  threads.order = order_;
  if (threads.in_lane && order_ == &server::request_order(QueueOrder::temporal))
    threads.order = &server::request_order(QueueOrder::importance);
  if (!threads.begin) threads.begin = setup_->for_pool();
  server::PollAndStreams by = waiting(*server, threads);
  if (threads.buffer) return std::make_unique<server::WorkerPool>(std::move(server), std::move(by), threads);
  return std::make_unique<server::LeaderFollowers>(std::move(server), std::move(by), threads);
}

std::shared_ptr<server::WorkerPool> ServerStrategies::bidirectional_pool(
    std::shared_ptr<server::Server> server) const {
  server::PoolThreads threads = buffered(bidirectional_threads_, bidirectional_queue_);
  threads.name = "takt-both-ways";
  threads.urgencies = &urgencies_;
  return std::make_shared<server::WorkerPool>(
      std::move(server), server::PollAndStreams{make_waiting<os::SharedPoll>()}, threads);
}

}  // namespace takt::orb

// What the threads of a pool share with its owner.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "os/poll/shared_poll.h"
#include "os/threads/priority_condition.h"
#include "os/threads/priority_mutex.h"
#include "server/concurrency.h"
#include "server/graceful_close.h"
#include "server/peer_connections.h"
#include "server/pool_threads.h"
#include "server/refusals.h"

namespace takt::server {

// `Owner`: the pointer that owns what serves one connection. Each thread holds the whole, since one that is
// stuck in an upcall may outlive the ORB's patience.
template <class Owner>
struct PoolState {
  using Served = typename Owner::element_type;

  PoolState(std::shared_ptr<Server> all, std::unique_ptr<os::SharedPoll> shared_poll)
      : server(std::move(all)), poll(std::move(shared_poll)) {}

  const std::shared_ptr<Server> server;
  const std::unique_ptr<os::SharedPoll> poll;
  std::atomic<bool> closing{false};   // nobody comes any more
  std::atomic<bool> stopping{false};  // and nothing is read any more

  os::PriorityMutex accepting;      // one thread at a time does; before `mutex`
  mutable os::PriorityMutex mutex;  // never held while a request is served
  os::PriorityCondition changed;
  std::unordered_map<Served*, Owner> serving;

  PeerConnections peers;

  // At most a burst, so that a flood of connections does not hold up requests. `open` makes an Owner of a
  // stream and its place in the count, `watch` has the poll watch it.
  template <class Open, class Watch>
  void accept_all(transport::Acceptor& acceptor, Open open, Watch watch) {
    std::lock_guard one_at_a_time(accepting);
    for (int burst = 0; burst < 64 && !closing; ++burst) {
      try {
        auto stream = acceptor.accept();
        if (!stream) return report_not_accepted(stream.error(), *server);
        accept_one(std::move(*stream), open, watch);
      } catch (const std::exception& failure) {
        report_lost(failure, *server);
      }
    }
  }
  template <class Open, class Watch>
  void accept_one(std::unique_ptr<transport::Stream> stream, Open& open, Watch& watch) {
    std::lock_guard lock(mutex);
    if (serving.size() >= server->options.connections) return refuse_one_too_many(std::move(stream), *server);
    auto place = peers.admit(*stream, server->options.peer_connections);
    if (!place) return refuse_one_too_many_of_peer(std::move(stream), *server);
    Owner owner = open(std::move(stream), std::move(*place));
    Served* const served = owner.get();
    serving.emplace(served, std::move(owner));
    if (!watch(*served)) serving.erase(served);
  }
  // No event of its comes from here on.
  Owner take_out(Served& gone, int descriptor) {
    poll->remove(descriptor);
    std::lock_guard lock(mutex);
    auto node = serving.extract(&gone);
    if (!node) return nullptr;
    changed.notify_all();
    return std::move(node.mapped());
  }
  void drop(Served& gone, int descriptor) { take_out(gone, descriptor); }
  // After `closing` was set; those who have come so far are told.
  void stop_listening(transport::Acceptor& acceptor, std::chrono::steady_clock::time_point deadline) {
    poll->remove(acceptor.native_handle());
    std::lock_guard one_at_a_time(accepting);
    reject_waiting(acceptor, deadline);
  }
};

}  // namespace takt::server

// The connections that one strategy serves: accepting, limits, sweeps and the drain.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <takt/transport/acceptor.h>

#include "os/threads/priority_condition.h"
#include "os/threads/priority_mutex.h"
#include "os/threads/thread.h"
#include "server/peer_connections.h"
#include "server/served_connection.h"
#include "server/server.h"

namespace takt::server {

// How often connections are looked at that may have outlasted idle_timeout, send_timeout or message_time.
inline constexpr std::chrono::milliseconds sweep_interval{500};
// The longest buffers that a connection keeps between its messages: one that was idle from one sweep to the
// next, and one that another thread must not touch.
inline constexpr std::size_t idle_buffer_bytes = 4 * 1024, busy_buffer_bytes = 1088 * 1024;

// A strategy derives from it, and says which thread accepts, reads and runs upcalls. Its threads keep the
// set, since one that is stuck in an upcall may outlive the ORB's patience. Any thread.
//
// The drain's rules:
//  1. No connection is accepted any more. Clients that are connected and not accepted are told so, and then
//     those whose connecting had begun.
//  2. Then nothing more is read, and threads end when what they have begun is answered.
//  3. At the deadline the streams are cut. A thread that runs on after that is in an upcall that does not
//     return: it ends with its upcall, and until then nobody touches the connections.
//  4. Otherwise each peer gets what is left of its replies, and CloseConnection.
class ConnectionSet : public std::enable_shared_from_this<ConnectionSet> {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ConnectionSet(std::shared_ptr<Server> all) : server(std::move(all)) {}
  virtual ~ConnectionSet() = default;

  std::size_t connections() const { return count_.load(std::memory_order_relaxed); }
  // May be called again, which goes on where the deadline came. Blocks until the deadline, and for a moment
  // more where it has to cut.
  void drain(Clock::time_point deadline);

  const std::shared_ptr<Server> server;
  std::atomic<bool> closing{false};   // no connection is accepted any more
  std::atomic<bool> stopping{false};  // and nothing is read any more

 protected:
  // A token of the strategy's poll may be derived from it.
  struct Listener {
    Listener(std::unique_ptr<transport::Acceptor> of, giop::Messaging with)
        : acceptor(std::move(of)), messaging(with) {}
    virtual ~Listener() = default;
    const std::unique_ptr<transport::Acceptor> acceptor;
    const giop::Messaging messaging;
  };

  // What a strategy says of itself.
  virtual bool watch(Listener& listener) = 0;
  virtual void unwatch(Listener& listener) = 0;
  virtual std::shared_ptr<ServedConnection> make(std::unique_ptr<transport::Stream> stream,
                                                 const giop::Messaging& messaging) = 0;
  // Whether a sweep may touch it now.
  virtual bool may_sweep(const ServedConnection&) const { return true; }
  // Between the first rule of the drain and the second: upcalls may still wait for something to be read.
  virtual void finish_reading(Clock::time_point) {}
  // `stopping` is set: wakes the threads, so that they end.
  virtual void end_threads() = 0;
  // Waits for the threads' end.
  virtual bool ended_by(Clock::time_point deadline);

  // NO_RESOURCES where it cannot be watched.
  void listen(std::unique_ptr<Listener> listener);
  // Not watched: only the drain will look at it.
  void keep(std::unique_ptr<Listener> listener);
  // Null: it is none of this set's.
  Listener* listener_at(const void* token) const;
  // Accepts a burst at most, so that a flood of connections does not hold up requests, and begins to serve
  // them; those beyond the limits are closed in good order. Says why there are no more at present.
  transport::AcceptError accept(Listener& listener);
  // Takes in a connection that was accepted elsewhere, as far as the limits allow. It has to be begun.
  bool admit(const std::shared_ptr<ServedConnection>& connection);
  // It is not of the set any more. Null: it was not before.
  std::shared_ptr<ServedConnection> take_out(ServedConnection& connection);
  // Null: it is none of this set's (any more).
  std::shared_ptr<ServedConnection> connection_at(const ServedConnection* key) const;
  void for_each(const std::function<void(ServedConnection&)>& act) const;
  // Sweeps if the time has come and no other thread does. Costs a clock and a load if not.
  void sweep_if_due(std::chrono::nanoseconds interval = sweep_interval);

  // An errno value, or 0. The thread counts until `body` has returned, and keeps the set as long.
  int start_thread(const os::ThreadOptions& options, std::move_only_function<void()> body);

  mutable os::PriorityMutex mutex;  // never held while a request is served
  os::PriorityCondition changed;    // a connection or a thread has gone, or `stopping` is set

 private:
  struct Open {
    std::shared_ptr<ServedConnection> connection;
    PeerConnections::Place place;
  };

  void take_in(std::unique_ptr<transport::Stream> stream, const giop::Messaging& messaging);
  void stop_listening(Clock::time_point deadline);
  void close_all(Clock::time_point deadline);
  void count_thread(int by);

  os::PriorityMutex accepting_;  // one thread at a time does; before `mutex`
  PeerConnections peers_;
  std::atomic<std::size_t> count_{0};
  std::atomic<Clock::time_point> next_sweep_{Clock::now() + sweep_interval};
  // With the mutex:
  std::unordered_map<const ServedConnection*, Open> open_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  unsigned running_ = 0;  // threads
};

}  // namespace takt::server

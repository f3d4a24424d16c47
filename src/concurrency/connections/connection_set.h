// The connections that one strategy serves: accepts, limits, sweeps and drains them.
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

#include "concurrency/connections/peer_connections.h"
#include "concurrency/connections/served_connection.h"
#include "server/server.h"
#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"
#include "threads/thread.h"

namespace takt::server {

// Interval at which connections are checked against idle_timeout, send_timeout and message_time.
inline constexpr std::chrono::milliseconds sweep_interval{500};
// Time for which no connection is accepted after descriptors or memory have run out.
inline constexpr std::chrono::milliseconds accept_pause{100};
// Largest buffers that an idle connection keeps when it is swept.
inline constexpr std::size_t idle_buffer_bytes = 4 * 1024;

// A strategy derives from this class and decides which thread accepts, reads and runs upcalls. Its threads
// own the set together, because a thread that is stuck in an upcall may outlive the shutdown of the ORB. Any
// thread.
//
// Steps of the drain:
//  1. Accepting ends. Clients that are connected but not accepted are rejected, and then those whose
//     connection attempt had begun.
//  2. Reading ends. Threads end when the requests that they have begun are answered.
//  3. At the deadline the streams are cut. A thread that still runs afterwards is in an upcall that does not
//     return. It ends with the upcall, and until then no other thread touches the connections.
//  4. Answers that upcalls have left to other threads are waited for, up to the deadline.
//  5. If all threads have ended, each peer gets the rest of its replies, then CloseConnection.
class ConnectionSet : public std::enable_shared_from_this<ConnectionSet> {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ConnectionSet(std::shared_ptr<Server> all) : server(std::move(all)) {}
  virtual ~ConnectionSet() = default;

  std::size_t connections() const { return count_.load(std::memory_order_relaxed); }
  // Blocks until the deadline at most, and 100 ms longer if streams must be cut. A further call continues a
  // drain that met its deadline.
  void drain(Clock::time_point deadline);

  const std::shared_ptr<Server> server;
  std::atomic<bool> closing{false};   // no connection is accepted any more
  std::atomic<bool> stopping{false};  // in addition, nothing is read any more

 protected:
  // Strategies may derive the tokens of their polls from it.
  struct Listener {
    Listener(std::unique_ptr<transport::Acceptor> of, giop::Messaging with)
        : acceptor(std::move(of)), messaging(with) {}
    virtual ~Listener() = default;
    const std::unique_ptr<transport::Acceptor> acceptor;
    const giop::Messaging messaging;
    bool paused = false;  // not watched for a while; guarded by ConnectionSet
  };

  // Implemented by the strategy.
  virtual bool watch(Listener& listener) = 0;
  virtual void unwatch(Listener& listener) = 0;
  virtual std::shared_ptr<ServedConnection> make(std::unique_ptr<transport::Stream> stream,
                                                 const giop::Messaging& messaging) = 0;
  virtual void before_sweep() {}  // by the thread that is about to sweep, which may take some time
  // Whether a sweep may touch the connection now.
  virtual bool may_sweep(const ServedConnection&) const { return true; }
  // Called between steps 1 and 2 of the drain, while upcalls may still need something to be read.
  virtual void finish_reading(Clock::time_point) {}
  // Wakes the threads so that they end; `stopping` is already set.
  virtual void end_threads() = 0;
  // Waits for all threads to end. False: the deadline has passed.
  virtual bool ended_by(Clock::time_point deadline);

  // Begins to listen. Throws NO_RESOURCES if the listener cannot be watched.
  void listen(std::unique_ptr<Listener> listener);
  // Keeps a listener that is not watched, until the drain rejects its clients.
  void keep(std::unique_ptr<Listener> listener);
  // Instead of step 1 of the drain, while a thread may be stuck in an upcall.
  void close_listeners();
  // Null if the token is not a listener of this set.
  Listener* listener_at(const void* token) const;
  // Accepts connections and begins to serve them. Stops after a few, and the listener stays ready, so that
  // requests get their turns during a flood of connections. Connections beyond the limits, or that cannot be
  // served, are closed gracefully. Returns the reason why no more can be accepted now. `exhausted`: the
  // listener is not watched until a sweep_if_due() after accept_pause, because it stays ready and would keep
  // its thread spinning.
  transport::AcceptError accept(Listener& listener);
  bool accepting_paused() const { return resume_at_.load(std::memory_order_relaxed) != never; }
  // Adds a connection that was accepted elsewhere, if the limits allow; false if not. The caller must begin
  // it.
  bool admit(const std::shared_ptr<ServedConnection>& connection);
  // Removes the connection from the set. Null if it was not in the set.
  std::shared_ptr<ServedConnection> take_out(ServedConnection& connection);
  // Null if the connection is not in this set (any more).
  std::shared_ptr<ServedConnection> connection_at(const ServedConnection* key) const;
  void for_each(const std::function<void(ServedConnection&)>& act) const;
  // Sweeps if it is time and no other thread sweeps. Otherwise costs a clock reading and two loads. Does not
  // throw: what fails for want of memory is reported, and left to the next sweep.
  void sweep_if_due(std::chrono::nanoseconds interval = sweep_interval);

  // Starts a thread; returns an errno value, or 0. Until `body` has returned and was destroyed, the thread
  // counts as running. It keeps the set alive. Does not throw.
  template <class Body>
  int start_thread(const os::ThreadOptions& options, Body body) {
    count_thread(1);
    auto thread = os::Thread::start(options, [self = shared_from_this(), body = std::move(body)]() mutable {
      {
        Body last = std::move(body);  // is destroyed while the thread still counts as running
        last();
      }
      self->count_thread(-1);
    });
    if (!thread) {
      count_thread(-1);
      return thread.error();
    }
    thread->detach();
    return 0;
  }

  mutable os::PriorityMutex mutex;  // never held while a request is served
  os::PriorityCondition changed;    // a connection or thread has gone, or `stopping` was set

 private:
  struct Open {
    std::shared_ptr<ServedConnection> connection;
    PeerConnections::Place place;
  };

  static constexpr Clock::time_point never = Clock::time_point::max();

  void take_in(std::unique_ptr<transport::Stream> stream, const giop::Messaging& messaging);
  bool begin(ServedConnection& connection) noexcept;
  void pause(Listener& listener);
  void resume();
  void find_overdue(Clock::time_point now, std::chrono::nanoseconds interval,
                    std::vector<std::shared_ptr<ServedConnection>>& overdue);
  bool begin_closing();
  void stop_listening(Clock::time_point deadline);
  void close_all(Clock::time_point deadline);
  void count_thread(int by);

  os::PriorityMutex accepting_;  // held while accepting; locked before `mutex`
  PeerConnections peers_;
  std::atomic<std::size_t> count_{0};
  std::atomic<Clock::time_point> next_sweep_{Clock::now() + sweep_interval};
  std::atomic<Clock::time_point> resume_at_{never};  // when to watch paused listeners again
  // Guarded by the mutex:
  std::unordered_map<const ServedConnection*, Open> open_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  unsigned running_ = 0;  // number of threads
};

}  // namespace takt::server

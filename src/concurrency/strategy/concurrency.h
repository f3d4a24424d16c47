// Threading strategies of a server: which thread reads a connection and runs its upcalls.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>

#include <takt/transport/acceptor.h>

#include "concurrency/strategy/thread_round.h"
#include "server/server.h"

namespace takt::server {

// The contract of every strategy:
//  1. add() takes a listening acceptor. Its connections are served with this messaging protocol until
//     stop(). Call it before stop(). Any thread.
//  2. Each request is dispatched exactly once, and its reply is sent on the connection it arrived on. The
//     requests of a connection begin in order of arrival. Each begins after the one before has ended, unless
//     the strategy states that they overlap.
//  3. A peer that floods, stalls in the middle of a message or does not read its replies costs at most the
//     limits. Other connections are still served.
//  4. If needs_caller(), run_once() serves in the calling thread and waits at most `timeout`. If not, it only
//     waits.
//  5. stop() accepts no more connections, lets requests in progress finish, and answers them. It closes each
//     connection with CloseConnection, including connections that were not accepted yet. Connections in a TLS
//     handshake are closed without it. stop() returns when all are closed. At `bound` it cuts the sockets and
//     returns. An upcall that still runs then cannot reply, and its connection gets no CloseConnection.
class ServerConcurrency {
 public:
  virtual ~ServerConcurrency() = default;
  virtual void add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) = 0;
  virtual bool needs_caller() const = 0;
  virtual void run_once(std::chrono::nanoseconds timeout) = 0;
  // The caller of run_once() will not call it again soon. Called in the same thread.
  virtual void rest() {}
  // Ends a run_once() that runs in another thread. Any thread.
  virtual void wake() = 0;
  // Sets the limit of dynamic threads, if the pool was made with dynamic threads or a queue. Any thread.
  virtual void change_added_threads(unsigned) {}
  // Makes each static thread of a pool run `round` between two requests, and returns the number of these
  // threads. A repeated call with the same round wakes threads that wait for requests. Any thread.
  virtual unsigned in_each_thread(const std::shared_ptr<ThreadRound>&) { return 0; }
  virtual void stop(std::chrono::nanoseconds bound) = 0;
  // Closes the listeners and cuts the connections, for a caller of run_once() in an upcall that does not end.
  // Any thread.
  virtual void cut() {}
  virtual std::size_t connections() const = 0;
};

// Whether to close a connection that has had no request for `without_request`. In the middle of a message,
// message_time is added to the limit, so that a request may begin until the last moment.
inline bool is_idle(std::chrono::nanoseconds without_request, bool mid_message, const Server& server) {
  const std::chrono::nanoseconds most = server.options.idle_timeout;
  if (most.count() == 0) return false;
  return without_request > (mid_message ? most + server.protocol.limits->message_time.get() : most);
}

// The deadline of a stop() that begins now with this bound.
inline std::chrono::steady_clock::time_point stop_deadline(std::chrono::nanoseconds bound) {
  return std::chrono::steady_clock::now() + std::min<std::chrono::nanoseconds>(bound, std::chrono::hours(24));
}

}  // namespace takt::server

// Which thread reads a connection and runs its upcalls.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>

#include <takt/transport/acceptor.h>

#include "server/server.h"
#include "server/thread_round.h"

namespace takt::server {

// The contract of every answer:
//  1. add() takes a listening acceptor; connections made to it are served from then on until stop(), with
//     that messaging.
//     Before any stop(), from any thread.
//  2. Each request is dispatched exactly once, and its reply is sent on the connection it came by. Those of
//     one connection begin in the order they arrived, and none before the last has ended, unless the strategy
//     says that they overlap.
//  3. A peer that floods, stalls in the middle of a message or does not read its replies costs at most the
//     limits, and no other connection its service.
//  4. run_once() serves what is due in the calling thread if this strategy works in its caller's thread,
//     and waits at most `timeout`; otherwise it only waits. needs_caller() tells which.
//  5. stop() accepts no more, lets requests in progress finish and answers them, closes every connection
//     with CloseConnection, those included that nobody had accepted yet (but not those that are in a
//     handshake of TLS: they just end), and returns when all is closed, after `bound` at the latest with the
//     sockets cut. An upcall that still runs then finishes on its own; it gets no chance to reply, and its
//     connection no CloseConnection.
class ServerConcurrency {
 public:
  virtual ~ServerConcurrency() = default;
  virtual void add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) = 0;
  virtual bool needs_caller() const = 0;
  virtual void run_once(std::chrono::nanoseconds timeout) = 0;
  // Ends a run_once() that another thread is in. Any thread.
  virtual void wake() = 0;
  // A pool that began with dynamic threads, or with a queue, has so many at most from now on. Any thread.
  virtual void change_added_threads(unsigned) {}
  // Each thread of a pool that is not dynamic does this between two requests; gives how many threads. Asked
  // again for the same round, it wakes those that wait for requests. Any thread.
  virtual unsigned in_each_thread(const std::shared_ptr<ThreadRound>&) { return 0; }
  virtual void stop(std::chrono::nanoseconds bound) = 0;
  virtual std::size_t connections() const = 0;
};

// Whether a connection that has been without a request for so long is to be closed. In the middle of a
// message its peer has message_time more, so that a request may begin until the last moment.
inline bool is_idle(std::chrono::nanoseconds without_request, bool mid_message, const Server& server) {
  const std::chrono::nanoseconds most = server.options.idle_timeout;
  if (most.count() == 0) return false;
  return without_request > (mid_message ? most + server.protocol.limits->message_time.get() : most);
}

// When a stop() with that bound has to be over.
inline std::chrono::steady_clock::time_point stop_deadline(std::chrono::nanoseconds bound) {
  return std::chrono::steady_clock::now() + std::min<std::chrono::nanoseconds>(bound, std::chrono::hours(24));
}

}  // namespace takt::server

// Options of a pool's threads, and how they wait.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <takt/base/live_setting.h>
#include <takt/transport/stream_wrapper.h>

#include "os/poll/shared_poll.h"

namespace takt::server {

class Lending;
class RequestOrder;
class RequestUrgency;

// Limits of requests that wait while all threads are busy (Real-time CORBA, max_buffered_requests and
// max_request_buffer_size). Pools share it with the code that may change it.
struct BufferBounds {
  LiveSetting<std::size_t> requests = 100;
  // Limit of all waiting requests together. 0: limited only by their number and the message limit.
  LiveSetting<std::size_t> octets = 0;
  // Separate limit for waiting oneways, whose clients cannot be told to try again. 0: they count among
  // `requests`.
  LiveSetting<std::size_t> more_oneways = 0;
};

// Idle time after which a dynamic thread ends.
inline constexpr std::chrono::seconds added_thread_patience{10};

struct PoolThreads {
  unsigned standing = 1;  // static threads: started at once, and kept
  unsigned added = 0;     // limit of dynamic threads: started while all others are busy, and end when idle
  std::chrono::nanoseconds patience = added_thread_patience;  // idle time of dynamic threads
  std::size_t stack_bytes = 0;                                // 0: the system's default
  std::string name = "takt-pool";
  std::function<void()> begin = {};       // runs first, once in each thread; may be empty
  std::function<void()> prepare = [] {};  // sets the priority: next, and at each change of lanes
  bool hands_over = true;                 // hands over connections on which both sides will make requests
  std::shared_ptr<const BufferBounds> buffer = {};   // null: requests wait in their sockets
  std::shared_ptr<const BufferBounds> waiting = {};  // limits of requests that wait in sockets; null: none
  // Order of buffered requests; must outlive the pool. Null: that in which they came.
  const RequestOrder* order = nullptr;
  // The lanes that lend each other threads; null if this lane does not. Needs a buffer, which may have a
  // limit of 0 requests.
  std::shared_ptr<Lending> lending = {};
  std::int16_t priority = 0;  // this lane's priority among them
  // For buffered requests of bidirectional connections, and of all if they have an order other than that in
  // which they came; null: they lend the threads no priority.
  RequestUrgency* urgencies = nullptr;
  bool in_lane = false;  // a lane of a thread pool: all requests have its priority
};

// `streams` puts the poll's own streams around those that it knows; null: it has none.
struct PollAndStreams {
  std::unique_ptr<os::SharedPoll> poll;
  std::unique_ptr<const transport::StreamWrapper> streams = {};
  // If `poll` is a ring: whether another descriptor of it than this one is ready. Else null.
  bool (*ring_has_others)(os::SharedPoll& poll, int fd) = nullptr;
  // Called in the thread that waits.
  std::unique_ptr<transport::Stream> adopt(std::unique_ptr<transport::Stream> stream) const {
    return streams ? streams->wrap(std::move(stream), transport::OpenedBy::peer) : std::move(stream);
  }
};

}  // namespace takt::server

// The threads of a pool.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <takt/base/live_setting.h>
#include <takt/server/threading.h>

namespace takt::server {

class Lending;

// What may wait while all threads are busy (Real-time CORBA, max_buffered_requests and
// max_request_buffer_size). Those who have it share it with whoever may change it.
struct BufferBounds {
  LiveSetting<std::size_t> requests = 100;
  // Of all of them together; 0: bounded by their number and the message limit alone.
  LiveSetting<std::size_t> octets = 0;
  // Requests without a reply, whose clients cannot be told to try again, that may wait besides. 0: they count
  // among `requests`.
  LiveSetting<std::size_t> more_oneways = 0;
};

// So long an added thread waits for something to do before it ends.
inline constexpr std::chrono::seconds added_thread_patience{10};

struct PoolThreads {
  unsigned standing = 1;        // started at once, and kept
  unsigned added = 0;           // at most, while all others are busy; they end when they have nothing to do
  std::size_t stack_bytes = 0;  // 0: the system's default
  std::string name = "takt-pool";
  std::function<void()> begin = {};       // once in each of them, before all else; may be empty
  std::function<void()> prepare = [] {};  // then, and whenever it changes between lanes: sets its priority
  bool hands_over = true;                 // connections on which both sides will make requests
  std::shared_ptr<const BufferBounds> buffer = {};   // null: requests wait in their sockets
  std::shared_ptr<const BufferBounds> waiting = {};  // of those, how many may; null: any number
  QueueOrder order = QueueOrder::temporal;           // of those that are buffered
  // Lanes that lend each other threads, and this one's priority among them. Null: this one does not. Needs a
  // buffer, be it of no requests.
  std::shared_ptr<Lending> lending = {};
  std::int16_t priority = 0;
  bool in_lane = false;  // of a thread pool, so that all requests are of one priority
};

}  // namespace takt::server

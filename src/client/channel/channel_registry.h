// The open connections of one ORB, so that shutting down can reach them all.
#pragma once

#include <mutex>
#include <unordered_set>

#include <takt/transport/stream.h>

#include "os/threads/priority_mutex.h"

namespace takt::client {

// Any thread. Outlives the ORB where a thread still caches one of its connections.
class ChannelRegistry {
 public:
  // False once shut_down() was called: the stream is of no use any more.
  bool add(transport::Stream& stream);
  void remove(transport::Stream& stream);
  // Wakes whoever reads or writes; the streams' owners close them.
  void shut_down();

 private:
  os::PriorityMutex mutex_;
  std::unordered_set<transport::Stream*> open_;
  bool down_ = false;
};

}  // namespace takt::client

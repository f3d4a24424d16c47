// The open connections of an ORB, for shutting them all down.
#pragma once

#include <mutex>
#include <unordered_set>

#include <takt/transport/stream.h>

#include "os/threads/priority_mutex.h"

namespace takt::client {

// Any thread. May outlive the ORB if a thread still caches one of its connections.
class ChannelRegistry {
 public:
  // False after shut_down(): the stream must not be used.
  bool add(transport::Stream& stream);
  void remove(transport::Stream& stream);
  // Wakes all readers and writers. The owners close the streams.
  void shut_down();

 private:
  os::PriorityMutex mutex_;
  std::unordered_set<transport::Stream*> open_;
  bool down_ = false;
};

}  // namespace takt::client

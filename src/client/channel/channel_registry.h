// The open connections of an ORB, for shutting them all down; logs when one is opened and closed.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_set>

#include <takt/transport/stream.h>

#include "base/event_log.h"
#include "client/channel/client_channel.h"
#include "threads/locks/priority_mutex.h"

namespace takt::client {

// Any thread. May outlive the ORB if a thread still caches one of its connections.
class ChannelRegistry {
 public:
  // Set before the first connection; may be null.
  std::shared_ptr<EventLog> log;

  // False after shut_down(): the stream must not be used.
  bool add(transport::Stream& stream);
  // `ending`: the last exchange, if it ended the connection.
  void remove(transport::Stream& stream, const Exchange& ending);
  // Wakes all readers and writers. The owners close the streams.
  void shut_down();

 private:
  void note(LogEvent event, const transport::Stream& stream, const Exchange& ending) const noexcept;

  os::PriorityMutex mutex_;
  std::unordered_set<transport::Stream*> open_;
  bool down_ = false;
};

}  // namespace takt::client

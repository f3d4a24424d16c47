// Writes the rest of late answers that their peers are slow to read.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "os/poll/shared_poll.h"
#include "threads/locks/priority_mutex.h"
#include "threads/raised_thread.h"

namespace takt::server {

class LateReplies;
class Server;

// Has a thread while there is something to write, at the highest priority of those that left it. Connections
// are not served here: their strategy may write on at the same time, under the same lock. Any thread.
class LateWriter : public std::enable_shared_from_this<LateWriter> {
 public:
  explicit LateWriter(std::unique_ptr<os::SharedPoll> poll) : poll_(std::move(poll)) {}

  // The server's writer, made by the first call. Null if the process has run out of descriptors.
  static std::shared_ptr<LateWriter> of(Server& server);
  // Writes on until write_on() returns false. False: no thread could be started.
  bool take(std::shared_ptr<LateReplies> replies);

 private:
  void run();
  bool run_once();

  // A stream whose handle does not report that it can be written is tried again after this time.
  static constexpr std::chrono::milliseconds try_again{20};
  const std::unique_ptr<os::SharedPoll> poll_;
  os::PriorityMutex mutex_;
  std::vector<std::shared_ptr<LateReplies>> added_;    // guarded by the mutex
  os::RaisedThread thread_;                            // guarded by the mutex
  std::vector<std::shared_ptr<LateReplies>> writing_;  // used by the thread
};

}  // namespace takt::server

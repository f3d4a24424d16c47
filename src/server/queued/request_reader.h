// The thread that reads the connections whose requests other threads serve.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include <takt/transport/acceptor.h>

#include "server/pool_state.h"
#include "server/queued/queued_channel.h"
#include "server/queued/reader_watch.h"
#include "server/read_delay.h"

namespace takt::server {

// Of one server. Any thread.
class RequestReader : public QueuedChannel::Host, protected PoolState<std::shared_ptr<QueuedChannel>> {
 public:
  RequestReader(std::shared_ptr<Server> all, std::unique_ptr<os::SharedPoll> shared_poll,
                const PoolThreads& like);
  virtual ~RequestReader() = default;

  // An errno value, or 0. Reading is guarded where there is a watch: by a second thread.
  int start(const std::shared_ptr<void>& keeper);
  void add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging);
  std::size_t connections() const;

  // Of a connection that was begun elsewhere. False: no room.
  bool admit(const std::shared_ptr<QueuedChannel>& channel);
  void begin_watching(QueuedChannel& channel);

  // Accepts and reads nothing more. False: some thread still reads at the deadline.
  bool stop_reading(std::chrono::steady_clock::time_point deadline);
  // Nothing more is sent, or received.
  void cut();
  // Nothing is sent any more; `orderly`: but for CloseConnection, and nobody reads or serves any more.
  void close(bool orderly, std::chrono::steady_clock::time_point until);

  void watch(QueuedChannel& channel, os::Interest interest) override;
  bool delay(QueuedChannel& channel, std::chrono::steady_clock::time_point until) override;

 protected:
  void end(QueuedChannel& channel);

  std::unique_ptr<ReaderWatch> guard_;  // null: nothing that a request meets can hold up the reader

 private:
  struct Listening {
    std::unique_ptr<transport::Acceptor> acceptor;
    giop::Messaging messaging;
  };
  int start_thread(void (RequestReader::*body)());
  void read();
  void guard_reader();
  void on_ready(void* token, os::Interest interest);
  void on_ready_guarded(QueuedChannel* channel, os::Interest interest);
  void read_on_where_due();
  const Listening* listening_at(void* token) const;
  void accept(const Listening& listening);
  void sweep();
  void let_replies_come(std::chrono::steady_clock::time_point deadline);

  const PoolThreads threads_;  // as these are made
  // Those that are not watched until their time comes.
  DelayedReads<std::shared_ptr<QueuedChannel>> delayed_;
  std::weak_ptr<void> keeper_;
  // Under the mutex:
  std::vector<std::unique_ptr<Listening>> listening_;  // each is its token
  unsigned running_ = 0;                               // threads
};

}  // namespace takt::server

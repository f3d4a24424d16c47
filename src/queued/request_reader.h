// The thread that accepts and reads connections whose requests are served by other threads.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include <takt/transport/acceptor.h>

#include "concurrency/connections/connection_set.h"
#include "concurrency/strategy/pool_threads.h"
#include "concurrency/strategy/read_delay.h"
#include "queued/queued_channel.h"
#include "queued/reader_watch.h"
#include "threads/scheduling/scheduling.h"
#include "threads/scheduling/shared_loan.h"

namespace takt::server {

// Any thread.
class RequestReader : public ConnectionSet, public QueuedChannel::Host {
 public:
  RequestReader(std::shared_ptr<Server> all, PollAndStreams waiting, const PoolThreads& like);

  // Starts the reader, and a second thread that replaces it when it is held up, if guard_ is set. Returns an
  // errno value, or 0.
  int start();
  void add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging);
  using ConnectionSet::admit;
  // Begins to watch a channel that has begun elsewhere and was admitted.
  void begin_watching(QueuedChannel& channel);

  bool begin(QueuedChannel& channel) override;
  void watch(QueuedChannel& channel, os::Interest interest) override;
  bool delay(QueuedChannel& channel, Clock::time_point until) override;
  bool others_wait(QueuedChannel& channel) override;
  void end(QueuedChannel& channel) override;
  os::SharedLoan& reader_loan() override { return loan_; }

 protected:
  void end_threads() override;

  std::unique_ptr<ReaderWatch> guard_;  // null: nothing can hold up the reader

 private:
  bool watch(Listener& listener) override;
  void unwatch(Listener& listener) override { poll_->remove(listener.acceptor->native_handle()); }
  std::shared_ptr<ServedConnection> make(std::unique_ptr<transport::Stream> stream,
                                         const giop::Messaging& messaging) override;
  bool may_sweep(const ServedConnection& connection) const override;
  void finish_reading(Clock::time_point deadline) override;

  int start_one(void (RequestReader::*body)());
  // The scheduling that the schedule wants of the reader, or of its guard. Empty: as it is.
  std::optional<os::Scheduling> above_queues(bool guards) const;
  // Gives the calling thread that scheduling, unless it has it.
  void follow_schedule(std::optional<os::Scheduling>& runs_at, bool guards) const;
  void read();
  void guard_reader();
  void on_ready(void* token, os::Interest interest);
  void on_ready_guarded(QueuedChannel* channel, os::Interest interest);
  void read_on_where_due();

  const PollAndStreams waiting_;
  os::SharedPoll* const poll_ = waiting_.poll.get();
  const PoolThreads threads_;  // options of the reader's threads
  // To the threads that read: by callers that wait for replies, and connections with urgent requests.
  os::SharedLoan loan_;
  os::Scheduling found_;  // the priority of the thread which has started the reader
  // Channels that are not watched until their time comes.
  DelayedReads<std::shared_ptr<QueuedChannel>> delayed_;
};

}  // namespace takt::server

#include "queued/worker_pool.h"

#include <algorithm>
#include <string>
#include <vector>

#include "queued/queue_workers.h"
#include "queued/request_reader.h"
#include "server/reports.h"

namespace takt::server {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

class Arrived final : public ArrivedRequest {
 public:
  Arrived(QueuedChannel& channel, const giop::Event& event, const giop::KnownContexts& known)
      : channel_(channel), event_(event) {
    operation = event.operation;
    object_key = event.object_key;
    priority = known.priority();
    deadline = RequestTimes::of(known, channel.heard_at()).due();
    if (known.quality) {
      importance = known.quality->importance;
      if (known.quality->remaining != giop::WireQuality::no_deadline)
        deadline = channel.heard_at() + known.quality->remaining;
    }
    response_expected = event.response_expected;
    body_octets = event.body.size() + event.body_missing;
    connection = channel.number();
  }
  std::optional<ByteView> service_context(std::uint32_t id) const override {
    return event_.contexts.find(id);
  }
  std::string peer() const override { return channel_.stream().describe(); }

 private:
  QueuedChannel& channel_;
  const giop::Event& event_;
};

}  // namespace

// State shared by the threads and their owner. Each thread owns a share.
class WorkerPool::Shared final : public RequestReader {
 public:
  Shared(std::shared_ptr<Server> all, PollAndStreams waiting, const std::vector<PoolThreads>& pools,
         std::shared_ptr<FilterChain> chain)
      : RequestReader(std::move(all), std::move(waiting), pools.front()), chain_(std::move(chain)) {
    for (const PoolThreads& pool : pools) queues_.push_back(std::make_unique<QueueWorkers>(pool, *server));
    if (chain_) guard_ = std::make_unique<ReaderWatch>(chain_->budget());
  }

  const std::vector<std::unique_ptr<QueueWorkers>>& queues() const { return queues_; }

  std::shared_ptr<QueuedChannel> make_channel(std::unique_ptr<transport::Stream> stream,
                                              giop::Connection&& protocol, const RequestFormats* formats) {
    return std::make_shared<QueuedChannel>(std::move(stream), *server, *this, std::move(protocol), formats);
  }
  const giop::Limits& protocol_limits() const { return *server->protocol.limits; }
  void report(const std::exception& failure) const { report_lost(failure, *server); }

  QueueWorkers& choose(QueuedChannel& channel, const giop::Event& event, const giop::KnownContexts& known,
                       const RequestTiming* timing) override {
    if (!chain_) return *queues_.front();
    if (!guard_->begin()) chain_->refuse_unfiltered();
    const Timed timed{*this};
    return *queues_[chain_->choose(Arrived(channel, event, known), timing)];
  }

 private:
  // When reading has ended, the requests in the queues are still served and answered. A thread that still
  // runs after the cut is in an upcall or filter that does not return, and ends with it.
  bool ended_by(Clock::time_point deadline) override {
    if (!RequestReader::ended_by(deadline)) return false;
    for (const auto& queue : queues_) queue->finish();
    return std::ranges::all_of(queues_, [&](const auto& queue) { return queue->ended_by(deadline); });
  }

  struct Timed {
    Shared& shared;
    ~Timed() {
      if (shared.guard_->end()) shared.note_late();
    }
  };
  void note_late() noexcept {
    try {
      const std::string text = chain_->note_late();
      if (!text.empty() && server->report) server->report(LogEvent::warning, text);
    } catch (const std::exception&) {  // no memory for the text
    }
  }

  const std::shared_ptr<FilterChain> chain_;  // null: there is one queue for all requests
  std::vector<std::unique_ptr<QueueWorkers>> queues_;
};

WorkerPool::WorkerPool(std::shared_ptr<Server> server, PollAndStreams waiting, const PoolThreads& threads)
    : shared_(
          std::make_shared<Shared>(std::move(server), std::move(waiting), std::vector{threads}, nullptr)) {
  start();
}

WorkerPool::WorkerPool(std::shared_ptr<Server> server, PollAndStreams waiting,
                       std::shared_ptr<FilterChain> chain)
    : shared_(std::make_shared<Shared>(std::move(server), std::move(waiting), chain->queues(), chain)) {
  start();
}

void WorkerPool::start() {
  int error = shared_->start();
  unsigned wanted = 1;
  for (const auto& queue : shared_->queues())
    if (!error) {
      wanted = queue->standing();
      error = queue->start(shared_);
    }
  if (!error) return;
  stop(1s);
  throw_no_thread(wanted, error);
}

WorkerPool::~WorkerPool() { stop(0ns); }

void WorkerPool::add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) {
  shared_->add(std::move(acceptor), messaging);
}

void WorkerPool::adopt(std::unique_ptr<transport::Stream> stream, giop::Connection&& protocol,
                       const RequestFormats& formats, const Announce& announce) {
  stream->set_timeouts({}, {});
  stream->set_silence_limit({});
  const auto channel = shared_->make_channel(std::move(stream), std::move(protocol), &formats);
  if (!shared_->admit(channel)) return channel->say_closed();
  bool goes_on = false;
  try {
    announce(channel);
    goes_on = channel->go_on_with_last_event();
  } catch (const std::exception& failure) {
    shared_->report(failure);
  }
  if (goes_on)
    shared_->begin_watching(*channel);
  else
    shared_->end(*channel);
}

std::shared_ptr<QueuedChannel> WorkerPool::serve_client_end(std::unique_ptr<transport::Stream> stream,
                                                            const Announce& announce) {
  auto channel = shared_->make_channel(
      std::move(stream), giop::Connection(giop::Connection::Role::client, shared_->protocol_limits()),
      nullptr);
  if (!shared_->admit(channel)) return nullptr;
  announce(channel);
  shared_->begin_watching(*channel);
  return channel;
}

void WorkerPool::stop(std::chrono::nanoseconds bound) {
  wake_permanently();
  shared_->drain(stop_deadline(bound));
  for (const auto& queue : shared_->queues()) queue->finish();
}

void WorkerPool::change_added_threads(unsigned most) {
  for (const auto& queue : shared_->queues()) queue->change_added_threads(most);
}

unsigned WorkerPool::in_each_thread(const std::shared_ptr<ThreadRound>& round) {
  unsigned threads = 0;
  for (const auto& queue : shared_->queues()) threads += queue->in_each_thread(round);
  return threads;
}

std::size_t WorkerPool::connections() const { return shared_->connections(); }

}  // namespace takt::server

#include "connection/server/worker_pool.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "connection/server/queued_channel.h"
#include "os/thread.h"

namespace takt::connection {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using os::Interest;

namespace {
constexpr std::chrono::milliseconds sweep_interval{500};
constexpr std::chrono::seconds added_thread_patience{10};
constexpr std::size_t scratch_bytes = 512;
}  // namespace

// What the threads and their owner share; each thread holds it, since one that is stuck in an upcall may
// outlive the ORB's patience.
struct WorkerPool::Shared final : std::enable_shared_from_this<Shared>, QueuedChannel::Host {
  Shared(std::shared_ptr<OrbCore> orb, const ServerLimits& bounds,
         std::unique_ptr<os::SharedPoll> shared_poll, const PoolThreads& pool)
      : core(std::move(orb)),
        limits(bounds),
        poll(std::move(shared_poll)),
        threads(pool),
        requests(pool.buffer.value_or(BufferBounds())) {}

  const std::shared_ptr<OrbCore> core;
  const ServerLimits limits;
  const std::unique_ptr<os::SharedPoll> poll;
  const PoolThreads threads;
  RequestQueue requests;
  std::atomic<bool> stopping{false};

  mutable std::mutex mutex;  // never held while a request is served
  std::condition_variable changed;
  std::vector<std::unique_ptr<transport::Acceptor>> listening;
  std::unordered_map<QueuedChannel*, std::shared_ptr<QueuedChannel>> serving;
  unsigned running = 0;  // workers
  unsigned added = 0;    // of them
  std::atomic<bool> reading{false};

  std::unique_ptr<QueuedRequest> blank() override { return requests.blank(); }
  void queue(std::unique_ptr<QueuedRequest> request) override;
  void watch(QueuedChannel& channel, Interest interest) override {
    poll->again(channel.stream().native_handle(), interest, &channel, os::SharedPoll::Watching::once);
  }

  int start(std::move_only_function<void()> body);
  int start_reader();
  int start_worker(bool standing);
  void add_worker();
  void read();
  void work(bool standing);
  void on_ready(void* token, Interest interest);
  transport::Acceptor* acceptor_of(void* token) const;
  void accept_all(transport::Acceptor& acceptor);
  void drop(QueuedChannel& channel);
  void sweep();
};

int WorkerPool::Shared::start(std::move_only_function<void()> body) {
  auto thread = os::Thread::start({.name = threads.name, .stack_bytes = threads.stack_bytes},
                                  [self = shared_from_this(), run = std::move(body)]() mutable {
                                    self->threads.prepare();
                                    run();
                                    std::lock_guard lock(self->mutex);
                                    self->changed.notify_all();
                                  });
  if (!thread) return thread.error();
  thread->detach();
  return 0;
}

int WorkerPool::Shared::start_reader() {
  reading = true;
  const int error = start([this] {
    read();
    std::lock_guard lock(mutex);
    reading = false;
  });
  if (error) reading = false;
  return error;
}

int WorkerPool::Shared::start_worker(bool standing) {
  const auto count = [this, standing](int by) {
    std::lock_guard lock(mutex);
    running += static_cast<unsigned>(by);
    added += standing ? 0 : static_cast<unsigned>(by);
  };
  count(1);
  requests.thread_comes();
  const int error = start([this, standing, count] {
    work(standing);
    requests.thread_goes();
    count(-1);
  });
  if (error) {
    requests.thread_goes();
    count(-1);
  }
  return error;
}

void WorkerPool::Shared::add_worker() {
  {
    std::lock_guard lock(mutex);
    if (stopping || added >= threads.added) return;
  }
  start_worker(false);  // without it, requests wait for a thread that there is
}

void WorkerPool::Shared::queue(std::unique_ptr<QueuedRequest> request) {
  if (threads.added > 0 && requests.all_busy()) add_worker();
  if (const auto refused = requests.push(std::move(request))) refused->channel().refuse(*refused);
}

void WorkerPool::Shared::work(bool standing) {
  GatherBuffer reply(scratch_bytes);
  std::unique_ptr<QueuedRequest> request;
  for (;;) {
    const bool over = stopping && !reading;  // nothing more will be queued
    request = requests.pop(std::move(request), added_thread_patience);
    if (request)
      request->channel().serve(*request, reply);
    else if (over || !standing)
      return;
  }
}

void WorkerPool::Shared::read() {
  auto next_sweep = Clock::now() + sweep_interval;
  while (!stopping.load(std::memory_order_relaxed)) {
    const auto ready = poll->wait(sweep_interval);
    if (ready && ready->token) on_ready(ready->token, ready->interest);
    if (const auto now = Clock::now(); now >= next_sweep) {
      next_sweep = now + sweep_interval;
      sweep();
    }
  }
}

transport::Acceptor* WorkerPool::Shared::acceptor_of(void* token) const {
  std::lock_guard lock(mutex);
  const auto found = std::ranges::find(listening, token, [](const auto& one) { return one.get(); });
  return found == listening.end() ? nullptr : found->get();
}

void WorkerPool::Shared::on_ready(void* token, Interest interest) {
  if (transport::Acceptor* acceptor = acceptor_of(token)) return accept_all(*acceptor);
  auto& channel = *static_cast<QueuedChannel*>(token);
  if (!channel.on_ready(interest)) drop(channel);
}

// At most a burst, so that a flood of connections does not hold up requests.
void WorkerPool::Shared::accept_all(transport::Acceptor& acceptor) {
  for (int burst = 0; burst < 64; ++burst) {
    auto stream = acceptor.accept();
    if (!stream) return;
    std::lock_guard lock(mutex);
    if (stopping || serving.size() >= limits.connections) continue;  // closed at once
    auto channel = std::make_shared<QueuedChannel>(std::move(*stream), *core, *this);
    QueuedChannel* key = channel.get();
    serving.emplace(key, std::move(channel));
    if (!poll->add(key->stream().native_handle(), Interest::read, key, os::SharedPoll::Watching::once))
      serving.erase(key);
  }
}

void WorkerPool::Shared::drop(QueuedChannel& gone) {
  gone.close();
  poll->remove(gone.stream().native_handle());
  std::shared_ptr<QueuedChannel> last;
  std::lock_guard lock(mutex);
  const auto found = serving.find(&gone);
  if (found == serving.end()) return;
  last = std::move(found->second);
  serving.erase(found);
  changed.notify_all();
}

void WorkerPool::Shared::sweep() {
  const auto now = Clock::now();
  std::vector<std::shared_ptr<QueuedChannel>> overdue;
  {
    std::lock_guard lock(mutex);
    for (auto& [key, channel] : serving)
      if (channel->overdue(now, limits.idle_timeout)) overdue.push_back(channel);
  }
  for (auto& channel : overdue) drop(*channel);
}

WorkerPool::WorkerPool(std::shared_ptr<OrbCore> core, const ServerLimits& limits,
                       std::unique_ptr<os::SharedPoll> poll, const PoolThreads& threads)
    : shared_(std::make_shared<Shared>(std::move(core), limits, std::move(poll), threads)) {
  int error = shared_->start_reader();
  for (unsigned i = 0; i < std::max(1u, threads.standing) && !error; ++i) error = shared_->start_worker(true);
  if (!error) return;
  stop(1s);
  throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO,
                            std::string("not all threads of a pool of ")
                                .append(std::to_string(threads.standing))
                                .append(" can be started: ")
                                .append(std::strerror(error)));
}

WorkerPool::~WorkerPool() { stop(0ns); }

void WorkerPool::add(std::unique_ptr<transport::Acceptor> acceptor) {
  acceptor->set_blocking(false);
  std::lock_guard lock(shared_->mutex);
  const auto& added = shared_->listening.emplace_back(std::move(acceptor));
  if (!shared_->poll->add(added->native_handle(), Interest::read, added.get(),
                          os::SharedPoll::Watching::always))
    shared_->listening.pop_back();
}

void WorkerPool::stop(std::chrono::nanoseconds bound) {
  wake_for_good();
  Shared& shared = *shared_;
  const auto deadline = Clock::now() + std::min<std::chrono::nanoseconds>(bound, 24h);
  std::unique_lock lock(shared.mutex);
  if (shared.stopping.exchange(true) && shared.running == 0 && !shared.reading) return;
  for (auto& acceptor : shared.listening) acceptor->close();
  shared.poll->wake_for_good();
  shared.requests.wake_for_good(shared.running);
  shared.changed.notify_all();
  const auto ended = [&shared] { return shared.running == 0 && !shared.reading; };
  if (!shared.changed.wait_until(lock, deadline, ended)) {
    for (auto& [key, channel] : shared.serving) channel->stream().shut_down();
    // What still runs now is an upcall that does not return; its thread ends with it.
    if (!shared.changed.wait_for(lock, 100ms, ended)) {
      for (auto& [key, channel] : shared.serving) channel->close();
      return;
    }
  }
  for (auto& [key, channel] : shared.serving) channel->close_orderly();
  shared.serving.clear();
  shared.listening.clear();
}

std::size_t WorkerPool::connections() const {
  std::lock_guard lock(shared_->mutex);
  return shared_->serving.size();
}

}  // namespace takt::connection

#include "connection/server/leader_followers.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

#include "connection/server/pool_state.h"
#include "connection/server/server_channel.h"
#include "os/threads/thread.h"

namespace takt::connection {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using os::Interest;
using Progress = ServerChannel::Progress;

namespace {

constexpr unsigned rounds_between_sweeps = 64;  // of a busy thread, which does not look at the clock for each

// What the poll's tokens point to.
class Watched {
 public:
  virtual void on_ready(Interest ready) = 0;

 protected:
  ~Watched() = default;
};

}  // namespace

class LeaderFollowers::Serving final : public Watched {
 public:
  Serving(Shared& shared, std::unique_ptr<transport::Stream> stream, giop::Messaging messaging);

  void on_ready(Interest ready) override;
  bool watch();
  int fd() { return channel_.stream().native_handle(); }
  ServerChannel& channel() { return channel_; }
  // Called at each sweep, in any thread: whether the peer has had its time. An upcall that takes long is none
  // of the peer's doing, and shutting down the stream's reading side does it no harm.
  bool overdue(Clock::time_point now);
  // An idle peer is told, and served if it has just sent a request.
  void give_up();
  // Likewise: gives back the memory of long messages, if nothing has come since the last sweep.
  void give_back_memory();

 private:
  enum class State : std::uint8_t { idle, mid_message, writing, served };
  // Of `rounds_`: a sweep is in the channel, and a thread that is given it waits.
  static constexpr std::uint64_t swept = std::uint64_t{1} << 63;

  Progress go_on() noexcept;
  void hand_over() noexcept;
  std::chrono::nanoseconds patience_in(State state) const;
  void* token() { return static_cast<Watched*>(this); }

  Shared& shared_;
  ServerChannel channel_;
  Interest wanted_ = Interest::read;
  std::atomic<std::uint64_t> rounds_{0};
  std::atomic<State> state_{State::idle};
  std::atomic<bool> may_hold_memory_{false};  // of messages that came or went in pieces
  // The sweep's, under the mutex:
  std::uint64_t seen_rounds_ = 0;
  Clock::time_point since_ = Clock::now();
};

struct LeaderFollowers::Shared : std::enable_shared_from_this<Shared>, PoolState<std::unique_ptr<Serving>> {
  Shared(std::shared_ptr<OrbCore> orb, std::unique_ptr<os::SharedPoll> shared_poll, const PoolThreads& pool);
  ~Shared();

  class Listening;

  const PoolThreads threads;
  const bool counts = threads.added > 0;  // who waits, so that it is known when all are busy
  Changeable<unsigned> most_added = threads.added;
  const os::SharedPoll::Watching watching;
  std::atomic<unsigned> waiting{0};  // threads in poll; counted only if there may be added ones
  // Under the mutex:
  std::vector<std::unique_ptr<Listening>> listening;
  unsigned running = 0;  // threads
  unsigned added = 0;    // of them
  std::atomic<Clock::time_point> next_sweep{Clock::now() + sweep_interval};

  int start(bool standing);
  void work(bool standing);
  void add_thread_if_all_are_busy();
  void thread_ended(bool standing);
  void accept(transport::Acceptor& acceptor, giop::Messaging messaging);
  void sweep();
  void part_from_all(Clock::time_point deadline);
};

class LeaderFollowers::Shared::Listening final : public Watched {
 public:
  Listening(Shared& shared, std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging)
      : shared_(shared), acceptor_(std::move(acceptor)), messaging_(messaging) {}
  void on_ready(Interest) override {
    shared_.accept(*acceptor_, messaging_);
    if (shared_.watching == os::SharedPoll::Watching::once)
      shared_.poll->again(fd(), Interest::read, token(), shared_.watching);
  }
  bool watch() { return shared_.poll->add(fd(), Interest::read, token(), shared_.watching); }
  int fd() const { return acceptor_->native_handle(); }
  transport::Acceptor& acceptor() { return *acceptor_; }

 private:
  void* token() { return static_cast<Watched*>(this); }
  Shared& shared_;
  const std::unique_ptr<transport::Acceptor> acceptor_;
  const giop::Messaging messaging_;
};

LeaderFollowers::Serving::Serving(Shared& shared, std::unique_ptr<transport::Stream> stream,
                                  giop::Messaging messaging)
    : shared_(shared),
      channel_(std::move(stream), ServerChannel::Waiting::reactive, *shared.core, messaging) {
  if (shared.threads.hands_over) channel_.allow_hand_over();
}

void LeaderFollowers::Serving::on_ready(Interest) {
  state_.load(std::memory_order_acquire);  // what the last thread did; the system's hand-over orders it, too
  if ((rounds_.fetch_add(1, std::memory_order_acquire) & swept) != 0) [[unlikely]]
    while ((rounds_.load(std::memory_order_acquire) & swept) != 0) std::this_thread::yield();
  state_.store(State::served, std::memory_order_relaxed);
  const Progress progress = go_on();
  if (progress == Progress::hand_over) [[unlikely]]
    return hand_over();
  if (progress == Progress::closed) [[unlikely]]
    return shared_.drop(*this, fd());
  if (shared_.stopping.load(std::memory_order_relaxed)) [[unlikely]]
    return;  // stop() closes it, when no thread serves any more
  const Interest wanted = channel_.waits_for();
  const State state = channel_.is_writing()    ? State::writing
                      : channel_.mid_message() ? State::mid_message
                                               : State::idle;
  if (state != State::idle) [[unlikely]]
    may_hold_memory_.store(true, std::memory_order_relaxed);
  const auto watching = shared_.watching;
  if (watching != os::SharedPoll::Watching::once && wanted == wanted_) [[likely]]
    return state_.store(state, std::memory_order_relaxed);
  wanted_ = wanted;
  os::SharedPoll& poll = *shared_.poll;
  const int descriptor = fd();
  // Another thread's, perhaps, from here on, which may even delete it.
  state_.store(state, std::memory_order_release);
  poll.again(descriptor, wanted, token(), watching);
}

Progress LeaderFollowers::Serving::go_on() noexcept {
  try {
    const Progress progress = channel_.is_writing() ? channel_.flush() : channel_.serve();
    if (progress == Progress::closed) channel_.close_orderly();
    return progress;
  } catch (const std::exception& failure) {
    tell_lost(failure, *shared_.core);
    return Progress::closed;
  }
}

[[gnu::cold]] void LeaderFollowers::Serving::hand_over() noexcept {
  const std::shared_ptr<OrbCore> core = shared_.core;
  try {
    shared_.take_out(*this, fd())->channel().hand_over();
  } catch (const std::exception& failure) {
    tell_lost(failure, *core);
  }
}

// Threads that are given the channel count themselves before they touch it, so none does once `swept` is set
// and the count is what it was; and one that was in it before is told by the state.
void LeaderFollowers::Serving::give_back_memory() {
  std::uint64_t rounds = rounds_.load(std::memory_order_relaxed);
  if (!may_hold_memory_.load(std::memory_order_relaxed)) return;
  if (rounds != seen_rounds_ || state_.load(std::memory_order_relaxed) != State::idle) return;
  if (!rounds_.compare_exchange_strong(rounds, rounds | swept, std::memory_order_acq_rel)) return;
  if (state_.load(std::memory_order_acquire) == State::idle) {
    channel_.give_back_memory(idle_buffer_bytes);
    may_hold_memory_.store(false, std::memory_order_relaxed);
  }
  rounds_.fetch_and(~swept, std::memory_order_release);
}

bool LeaderFollowers::Serving::watch() {
  return shared_.poll->add(fd(), Interest::read, token(), shared_.watching);
}

void LeaderFollowers::Serving::give_up() {
  if (state_.load(std::memory_order_relaxed) == State::idle)
    channel_.stream().shut_down_reading();
  else
    channel_.stream().shut_down();
}

bool LeaderFollowers::Serving::overdue(Clock::time_point now) {
  const std::uint64_t rounds = rounds_.load(std::memory_order_relaxed);
  const State state = state_.load(std::memory_order_relaxed);
  if (rounds != seen_rounds_ || state == State::served) since_ = now;
  seen_rounds_ = rounds;
  const auto patience = patience_in(state);
  return patience > 0ns && now - since_ > patience;
}

std::chrono::nanoseconds LeaderFollowers::Serving::patience_in(State state) const {
  const CoreOptions& options = shared_.core->options;
  switch (state) {
    case State::idle:
      return options.idle_timeout;
    case State::mid_message:
      return options.limits->message_time;
    case State::writing:
      return options.send_timeout;
    case State::served:
      break;
  }
  return 0ns;
}

LeaderFollowers::Shared::Shared(std::shared_ptr<OrbCore> orb, std::unique_ptr<os::SharedPoll> shared_poll,
                                const PoolThreads& pool)
    : PoolState(std::move(orb), std::move(shared_poll)),
      threads(pool),
      watching(pool.standing + pool.added > 1 ? os::SharedPoll::Watching::once
                                              : os::SharedPoll::Watching::always) {}

LeaderFollowers::Shared::~Shared() = default;

int LeaderFollowers::Shared::start(bool standing) {
  {
    std::lock_guard lock(mutex);
    ++running;
    added += standing ? 0 : 1;
  }
  auto thread = os::Thread::start({.name = threads.name, .stack_bytes = threads.stack_bytes},
                                  [self = shared_from_this(), standing]() mutable {
                                    if (self->threads.begin) self->threads.begin();
                                    self->threads.prepare();
                                    self->work(standing);
                                    self->thread_ended(standing);
                                  });
  if (!thread) {
    thread_ended(standing);
    return thread.error();
  }
  thread->detach();
  return 0;
}

void LeaderFollowers::Shared::thread_ended(bool standing) {
  std::lock_guard lock(mutex);
  --running;
  added -= standing ? 0 : 1;
  changed.notify_all();
}

void LeaderFollowers::Shared::work(bool standing) {
  const bool counted = counts;
  unsigned rounds = 0;
  while (!stopping.load(std::memory_order_relaxed)) {
    if (counted) waiting.fetch_add(1);
    const auto ready =
        poll->wait(standing ? std::chrono::nanoseconds(sweep_interval) : added_thread_patience);
    if (counted && waiting.fetch_sub(1) == 1) add_thread_if_all_are_busy();
    if (ready && ready->token) static_cast<Watched*>(ready->token)->on_ready(ready->interest);
    if (!ready && !standing) return;
    if (!ready || ++rounds >= rounds_between_sweeps) {
      rounds = 0;
      sweep();
    }
  }
}

void LeaderFollowers::Shared::add_thread_if_all_are_busy() {
  {
    std::lock_guard lock(mutex);
    if (stopping || added >= most_added) return;
  }
  start(false);  // without it, requests wait for a thread that there is
}

void LeaderFollowers::Shared::accept(transport::Acceptor& acceptor, giop::Messaging messaging) {
  accept_all(
      acceptor, [&](auto stream) { return std::make_unique<Serving>(*this, std::move(stream), messaging); },
      [](Serving& served) { return served.watch(); });
}

void LeaderFollowers::Shared::sweep() {
  const auto now = Clock::now();
  if (now < next_sweep.load(std::memory_order_relaxed)) return;
  std::unique_lock lock(mutex, std::try_to_lock);
  if (!lock || stopping) return;
  next_sweep = now + sweep_interval;
  for (auto& [key, served] : serving) {
    served->give_back_memory();
    if (served->overdue(now)) served->give_up();  // whoever is given it then drops it
  }
}

// Once no thread serves any more.
void LeaderFollowers::Shared::part_from_all(Clock::time_point deadline) {
  std::vector<Parting> partings;
  for (auto& [key, served] : serving)
    if (const auto parting = served->channel().parting()) partings.push_back(*parting);
  part_from(partings, deadline);
  serving.clear();
}

LeaderFollowers::LeaderFollowers(std::shared_ptr<OrbCore> core, std::unique_ptr<os::SharedPoll> poll,
                                 const PoolThreads& threads)
    : shared_(std::make_shared<Shared>(std::move(core), std::move(poll), threads)) {
  for (unsigned i = 0; i < std::max(1u, threads.standing); ++i)
    if (const int error = shared_->start(true)) {
      stop(1s);
      throw_no_thread(threads.standing, error);
    }
}

LeaderFollowers::~LeaderFollowers() { stop(0ns); }

void LeaderFollowers::add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) {
  acceptor->set_blocking(false);
  auto listening = std::make_unique<Shared::Listening>(*shared_, std::move(acceptor), messaging);
  std::lock_guard lock(shared_->mutex);
  if (!listening->watch()) throw_cannot_watch();
  shared_->listening.push_back(std::move(listening));
}

void LeaderFollowers::stop(std::chrono::nanoseconds bound) {
  wake_for_good();
  const auto deadline = stop_deadline(bound);
  const auto ended = [this] { return shared_->running == 0; };
  if (!shared_->closing.exchange(true)) {
    shared_->stopping = true;
    for (auto& listening : shared_->listening) shared_->stop_listening(listening->acceptor(), deadline);
  }
  std::unique_lock lock(shared_->mutex);
  shared_->poll->wake_for_good();
  shared_->changed.notify_all();
  const bool quiet = shared_->changed.wait_until(lock, deadline, ended);
  if (!quiet) {
    for (auto& [key, served] : shared_->serving) served->channel().stream().shut_down();
    // What still runs now is an upcall that does not return; its thread ends with it.
    if (!shared_->changed.wait_for(lock, 100ms, ended)) return;
  }
  shared_->part_from_all(deadline);
  shared_->listening.clear();
}

void LeaderFollowers::change_added_threads(unsigned most) {
  if (shared_->counts) shared_->most_added = most;
}

std::size_t LeaderFollowers::connections() const {
  std::lock_guard lock(shared_->mutex);
  return shared_->serving.size();
}

}  // namespace takt::connection

#include "server/leader_followers.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "os/threads/scheduling.h"
#include "os/threads/thread.h"
#include "server/pool_state.h"
#include "server/read_delay.h"
#include "server/ready_backlog.h"
#include "server/server_channel.h"

namespace takt::server {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using os::Interest;
using Progress = ServerChannel::Progress;

namespace {

constexpr unsigned requests_between_sweeps =
    64;  // of a busy thread, which does not look at the clock for each

// What the poll's tokens point to.
class Watched {
 public:
  virtual void on_ready(Interest ready) = 0;
  // Whether that may take as long as an upcall.
  virtual bool serves_requests() const { return false; }
  // As on_ready(), but requests are answered with TRANSIENT.
  virtual void refuse(Interest ready) { on_ready(ready); }
  // Instead of on_ready(): the poll gives it again.
  virtual void watch_again() {}

 protected:
  ~Watched() = default;
};

}  // namespace

class LeaderFollowers::Serving final : public Watched {
 public:
  Serving(Shared& shared, std::unique_ptr<transport::Stream> stream, PeerConnections::Place place,
          giop::Messaging messaging);
  ~Serving();

  void on_ready(Interest ready) override { serve(ready, false); }
  bool serves_requests() const override { return true; }
  void refuse(Interest ready) override { serve(ready, true); }
  void watch_again() override;
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

  void take();
  void leave(Interest wanted, State state);
  Progress go_on() noexcept;
  void hand_over() noexcept;
  void serve(Interest ready, bool refuses_requests);
  bool delay(State state);
  void forget_delay();
  void* token() { return static_cast<Watched*>(this); }

  Shared& shared_;
  ServerChannel channel_;
  Interest wanted_ = Interest::read;
  bool delayed_ = false;  // reads, at some time; so it may be among those that are
  std::atomic<std::uint64_t> rounds_{0};
  std::atomic<State> state_{State::idle};
  std::atomic<bool> may_hold_memory_{false};  // of messages that came or went in pieces
  // The sweep's, under the mutex:
  std::uint64_t seen_rounds_ = 0;
  Clock::time_point since_ = Clock::now();      // that something came or went
  Clock::time_point served_at_ = Clock::now();  // a request
};

struct LeaderFollowers::Shared : std::enable_shared_from_this<Shared>, PoolState<std::unique_ptr<Serving>> {
  Shared(std::shared_ptr<Server> all, std::unique_ptr<os::SharedPoll> shared_poll, const PoolThreads& pool);
  ~Shared();

  class Listening;
  class Resuming;

  const PoolThreads threads;
  const std::unique_ptr<ReadyBacklog> backlog;       // null: any number of requests may wait
  const bool counts = threads.added > 0 || backlog;  // who waits, so that it is known when all are busy
  LiveSetting<unsigned> most_added = threads.added;
  ThreadRounds rounds;
  DelayedReads<Serving*> delayed;
  const os::SharedPoll::Watching watching;
  const std::unique_ptr<Resuming> resuming;  // what is delayed
  std::atomic<unsigned> waiting{0};          // threads in poll; counted only if somebody has to know
  std::atomic<std::size_t> connections{0};
  // Under the mutex:
  std::vector<std::unique_ptr<Listening>> listening;
  unsigned running = 0;  // threads
  unsigned added = 0;    // of them
  std::atomic<Clock::time_point> next_sweep{Clock::now() + sweep_interval};

  int start(bool standing);
  void work(bool standing);
  std::optional<os::SharedPoll::Ready> next_ready(std::chrono::nanoseconds patience);
  void add_thread_if_all_are_busy();
  void bound_backlog(const void* taken);
  void give_backlog_back();
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

// Has connections read again whose time has come.
class LeaderFollowers::Shared::Resuming final : public Watched {
 public:
  explicit Resuming(Shared& shared) : shared_(shared) {
    if (fd() >= 0) shared_.poll->add(fd(), Interest::read, token(), shared_.watching);
  }
  void on_ready(Interest) override {
    for (Serving* const served : shared_.delayed.take_due(Clock::now())) served->watch_again();
    if (shared_.watching == os::SharedPoll::Watching::once)
      shared_.poll->again(fd(), Interest::read, token(), shared_.watching);
  }

 private:
  int fd() const { return shared_.delayed.fd(); }
  void* token() { return static_cast<Watched*>(this); }
  Shared& shared_;
};

LeaderFollowers::Serving::Serving(Shared& shared, std::unique_ptr<transport::Stream> stream,
                                  PeerConnections::Place place, giop::Messaging messaging)
    : shared_(shared),
      channel_(std::move(stream), ServerChannel::Waiting::reactive, *shared.server, messaging) {
  if (shared.threads.hands_over) channel_.allow_hand_over();
  channel_.keep(std::move(place));
  shared_.connections.fetch_add(1, std::memory_order_relaxed);
}

LeaderFollowers::Serving::~Serving() { shared_.connections.fetch_sub(1, std::memory_order_relaxed); }

[[gnu::always_inline]] inline Progress LeaderFollowers::Serving::go_on() noexcept {
  try {
    const Progress progress = channel_.is_writing() ? channel_.flush() : channel_.serve();
    if (progress == Progress::closed) channel_.close_orderly();
    return progress;
  } catch (const std::exception& failure) {
    tell_lost(failure, *shared_.server);
    return Progress::closed;
  }
}

// From here on this thread alone has the connection.
[[gnu::always_inline]] inline void LeaderFollowers::Serving::take() {
  state_.load(std::memory_order_acquire);  // what the last thread did; the system's hand-over orders it, too
  if ((rounds_.fetch_add(1, std::memory_order_acquire) & swept) != 0) [[unlikely]]
    while ((rounds_.load(std::memory_order_acquire) & swept) != 0) os::yield_processor();
  state_.store(State::served, std::memory_order_relaxed);
}

void LeaderFollowers::Serving::serve(Interest, bool refuses_requests) {
  take();
  if (refuses_requests) [[unlikely]]
    channel_.refuse_requests(true);
  const Progress progress = go_on();
  const bool delays = ReadDelay::asked();
  if (refuses_requests) [[unlikely]]
    channel_.refuse_requests(false);
  if (progress >= Progress::closed && (delays || delayed_)) [[unlikely]]
    forget_delay();
  if (progress == Progress::hand_over) [[unlikely]]
    return hand_over();
  if (progress == Progress::closed) [[unlikely]]
    return shared_.drop(*this, fd());
  if (shared_.stopping.load(std::memory_order_relaxed)) [[unlikely]]
    return;  // stop() closes it, when no thread serves any more
  const bool writing = progress == Progress::wants_write;
  const Interest wanted = writing ? channel_.waits_for() : Interest::read;
  const State state = writing ? State::writing : channel_.mid_message() ? State::mid_message : State::idle;
  if (state != State::idle) [[unlikely]]
    may_hold_memory_.store(true, std::memory_order_relaxed);
  if (delays && delay(state)) [[unlikely]]
    return;
  leave(wanted, state);
}

// To the thread that is given the connection next.
[[gnu::always_inline]] inline void LeaderFollowers::Serving::leave(Interest wanted, State state) {
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

// True: nobody has the connection until its time comes. Not while a reply is to be written on.
[[gnu::cold]] bool LeaderFollowers::Serving::delay(State state) {
  const auto until = ReadDelay::take();
  DelayedReads<Serving*>& delayed = shared_.delayed;
  if (state == State::writing || delayed.fd() < 0) return false;
  if (delayed_) delayed.forget(this);  // a hang-up has brought it here before its time
  delayed_ = true;
  if (shared_.watching == os::SharedPoll::Watching::always)
    shared_.poll->again(fd(), Interest::none, token(), shared_.watching);
  wanted_ = Interest::read;
  state_.store(state, std::memory_order_release);
  delayed.add(this, until);
  return true;
}

[[gnu::cold]] void LeaderFollowers::Serving::forget_delay() {
  ReadDelay::withdraw();
  shared_.delayed.forget(this);
}

[[gnu::cold]] void LeaderFollowers::Serving::hand_over() noexcept {
  const std::shared_ptr<Server> server = shared_.server;
  try {
    shared_.take_out(*this, fd())->channel().hand_over();
  } catch (const std::exception& failure) {
    tell_lost(failure, *server);
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

void LeaderFollowers::Serving::watch_again() {
  state_.load(std::memory_order_acquire);  // as in serve()
  shared_.poll->again(fd(), wanted_, token(), shared_.watching);
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
  if (state == State::served || channel_.take_activity()) served_at_ = now;
  const Server& server = *shared_.server;
  switch (state) {
    case State::served:
      return false;
    case State::writing:
      return now - since_ > server.options.send_timeout.get();
    case State::mid_message:
      return now - since_ > server.protocol.limits->message_time.get() ||
             is_idle(now - served_at_, true, server);
    case State::idle:
      break;
  }
  return is_idle(now - served_at_, false, server);
}

LeaderFollowers::Shared::Shared(std::shared_ptr<Server> all, std::unique_ptr<os::SharedPoll> shared_poll,
                                const PoolThreads& pool)
    : PoolState(std::move(all), std::move(shared_poll)),
      threads(pool),
      backlog(pool.waiting ? std::make_unique<ReadyBacklog>(pool.waiting) : nullptr),
      watching(pool.standing + pool.added > 1 ? os::SharedPoll::Watching::once
                                              : os::SharedPoll::Watching::always),
      resuming(std::make_unique<Resuming>(*this)) {}

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
                                    if (self->server->before_serving) self->server->before_serving();
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
  unsigned requests = 0;
  std::uint32_t seen = 0;
  while (!stopping.load(std::memory_order_relaxed)) {
    if (standing) rounds.run_if_asked(seen);
    const auto patience = standing ? std::chrono::nanoseconds(sweep_interval) : added_thread_patience;
    const auto ready = counts ? next_ready(patience) : poll->wait(patience);
    if (ready && ready->token) static_cast<Watched*>(ready->token)->on_ready(ready->interest);
    if (!ready && !standing) return;
    if (!ready || ++requests >= requests_between_sweeps) {
      requests = 0;
      sweep();
    }
  }
}

// A thread that counts itself as waiting looks at the backlog only then, and one that adds to the backlog
// looks only then whether any waits: so what is in it is not overlooked.
[[gnu::noinline]] std::optional<os::SharedPoll::Ready> LeaderFollowers::Shared::next_ready(
    std::chrono::nanoseconds patience) {
  waiting.fetch_add(1);
  std::optional<os::SharedPoll::Ready> ready;
  if (backlog && !backlog->empty()) [[unlikely]]
    ready = backlog->pop();
  if (!ready) ready = poll->wait(patience);
  if (waiting.fetch_sub(1) == 1) {
    if (threads.added > 0) add_thread_if_all_are_busy();
    if (backlog && ready && ready->token) bound_backlog(ready->token);
  }
  return ready;
}

// Once the caller serves what it has taken, no thread is free: whatever else is ready has to wait. As many
// connections as may go on waiting, in the order they came, and the requests of all others are refused. Where
// there are too few connections for that, nothing is looked at.
void LeaderFollowers::Shared::bound_backlog(const void* taken) {
  if (connections.load(std::memory_order_relaxed) <= backlog->most() + threads.standing) return;
  const bool stays_ready = watching == os::SharedPoll::Watching::always;  // and the poll gives it again
  constexpr std::size_t at_once = 64, most_looked_at = 4096;
  std::array<os::SharedPoll::Ready, at_once> found;
  const void* first_left = nullptr;
  std::size_t left = 0, count = at_once;
  for (std::size_t looked_at = 0; count == at_once && looked_at < most_looked_at; looked_at += count) {
    count = poll->take_ready(found);
    for (const auto& ready : std::span(found).first(count)) {
      if (!ready.token || ready.token == taken) continue;
      if (ready.token == first_left) return;  // it has come round
      auto* const watched = static_cast<Watched*>(ready.token);
      if (!watched->serves_requests()) {
        watched->on_ready(ready.interest);
      } else if (stays_ready ? left == backlog->most() : !backlog->push(ready)) {
        watched->refuse(ready.interest);
      } else if (stays_ready && left++ == 0) {
        first_left = ready.token;
      }
    }
  }
  if (waiting.load() != 0) give_backlog_back();
}

// To threads that have come to wait meanwhile.
void LeaderFollowers::Shared::give_backlog_back() {
  while (const auto ready = backlog->pop()) static_cast<Watched*>(ready->token)->watch_again();
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
      acceptor,
      [&](auto stream, PeerConnections::Place place) {
        return std::make_unique<Serving>(*this, std::move(stream), std::move(place), messaging);
      },
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
    served->channel().stream().probe_silent_peer(now);
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

LeaderFollowers::LeaderFollowers(std::shared_ptr<Server> server, std::unique_ptr<os::SharedPoll> poll,
                                 const PoolThreads& threads)
    : shared_(std::make_shared<Shared>(std::move(server), std::move(poll), threads)) {
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
  wake_permanently();
  const auto deadline = stop_deadline(bound);
  const auto ended = [this] { return shared_->running == 0; };
  if (!shared_->closing.exchange(true)) {
    shared_->stopping = true;
    for (auto& listening : shared_->listening) shared_->stop_listening(listening->acceptor(), deadline);
  }
  std::unique_lock lock(shared_->mutex);
  shared_->poll->wake_permanently();
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

// Each of them comes round once in a sweep interval.
unsigned LeaderFollowers::in_each_thread(const std::shared_ptr<ThreadRound>& round) {
  shared_->rounds.ask(round);
  return std::max(1u, shared_->threads.standing);
}

std::size_t LeaderFollowers::connections() const {
  std::lock_guard lock(shared_->mutex);
  return shared_->serving.size();
}

}  // namespace takt::server

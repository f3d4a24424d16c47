#include "concurrency/strategy/leader_followers.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/fair_turn.h"
#include "concurrency/connections/connection_set.h"
#include "concurrency/connections/refusals.h"
#include "concurrency/strategy/pooled_use.h"
#include "concurrency/strategy/read_delay.h"
#include "concurrency/strategy/ready_backlog.h"
#include "os/poll/wait.h"
#include "server/channel/server_channel.h"
#include "server/reports.h"
#include "threads/thread.h"

namespace takt::server {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using os::Interest;
using Progress = ServerChannel::Progress;

namespace {

constexpr unsigned requests_between_sweeps =
    64;  // a busy thread reads the clock only after this number of requests

// The target of a poll's token.
class Watched {
 public:
  virtual void on_ready(Interest ready) = 0;
  // Whether on_ready() may run an upcall.
  virtual bool serves_requests() const { return false; }
  // Like on_ready(), but answers requests with TRANSIENT.
  virtual void refuse(Interest ready) { on_ready(ready); }
  // Called instead of on_ready(): makes the poll report it again.
  virtual void watch_again() {}

 protected:
  ~Watched() = default;
};

}  // namespace

class LeaderFollowers::Serving final : public Watched, public ServedConnection, private FairTurn {
  using Clock = std::chrono::steady_clock;

 public:
  Serving(Shared& shared, std::unique_ptr<transport::Stream> stream, const giop::Messaging& messaging);

  void on_ready(Interest ready) override { serve(ready, false); }
  bool serves_requests() const override { return true; }
  void refuse(Interest ready) override { serve(ready, true); }
  void watch_again() override;
  // Whether it waits for its turn to serve what has arrived; then resume() serves that.
  bool waits_for_turn() const { return waits_for_turn_; }
  void resume();
  transport::Stream& stream() override { return channel_.stream(); }
  bool begin() override;
  // Returns false while an upcall runs, because that time is not the peer's fault.
  bool overdue(Clock::time_point now) override;
  // The next thread that gets an idle connection closes it gracefully, or serves a request that has just
  // arrived.
  void give_up() override;
  std::optional<GracefulClose> graceful_close() override { return channel_.graceful_close(); }
  ConnectionEnding ending() const override { return channel_.ending(); }

 private:
  using State = PooledUse::State;

  void leave(Interest wanted, State state);
  template <class Serve>
  Progress go_on(const Serve& serve) noexcept;
  void hand_over() noexcept;
  void serve(Interest ready, bool refuses_requests);
  void end_round(Progress progress, bool delays);
  void end_or_wait_for_turn(Progress progress, bool delays);
  bool delay(State state);
  void wait_for_turn(Clock::time_point until);
  bool others_wait() override;
  bool others_are_ready();
  void forget_delay();
  int fd() { return channel_.stream().native_handle(); }
  void* token() { return static_cast<Watched*>(this); }

  Shared& shared_;
  ServerChannel channel_;
  Interest wanted_ = Interest::read;
  bool delayed_ = false;  // reading was delayed at some time, so the connection may be in `delayed`
  bool waits_for_turn_ = false;
  // The last turn in which others were looked for, and when it began.
  std::uint64_t looked_in_turn_ = 0;
  Clock::time_point turn_began_{};
  PooledUse use_;
  std::atomic<bool> may_hold_memory_{false};    // set after a message was received or sent in parts
  Clock::time_point served_at_ = Clock::now();  // time of the last request; used by sweeps, with the mutex
};

class LeaderFollowers::Shared final : public ConnectionSet {
 public:
  Shared(std::shared_ptr<Server> all, PollAndStreams with, const PoolThreads& pool);
  ~Shared() override;

  class Listening;
  class Resuming;

  const PollAndStreams waits_by;
  os::SharedPoll* const poll = waits_by.poll.get();
  const PoolThreads threads;
  const std::unique_ptr<ReadyBacklog> backlog;       // null: no limit on waiting requests
  const bool counts = threads.added > 0 || backlog;  // counts waiting threads
  LiveSetting<unsigned> most_added = threads.added;
  ThreadRounds rounds;
  DelayedReads<Serving*> delayed;
  const os::SharedPoll::Watching watching;
  const std::unique_ptr<Resuming> resuming;      // resumes the delayed connections
  std::atomic<unsigned> waiting{0};              // number of threads in poll, if `counts`
  std::atomic<std::size_t> waiting_for_turn{0};  // connections
  std::atomic<std::uint64_t> turns{0};           // that have ended because others waited

  void add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging);
  int start(bool standing);  // a dynamic thread must be in added_ before
  void drop(Serving& served, int descriptor) { take_out(served, descriptor); }
  // The poll reports no event of it after this.
  std::shared_ptr<ServedConnection> take_out(Serving& served, int descriptor) {
    poll->remove(descriptor);
    return ConnectionSet::take_out(served);
  }

 private:
  bool watch(Listener& listener) override;
  void unwatch(Listener& listener) override { poll->remove(listener.acceptor->native_handle()); }
  std::shared_ptr<ServedConnection> make(std::unique_ptr<transport::Stream> stream,
                                         const giop::Messaging& messaging) override {
    return std::make_shared<Serving>(*this, waits_by.adopt(std::move(stream)), messaging);
  }
  void before_sweep() override { poll->rest(); }
  void end_threads() override { poll->wake_permanently(); }

  void work(bool standing);
  std::optional<os::SharedPoll::Ready> next_ready(std::chrono::nanoseconds patience, bool& others_wait);
  void add_thread_if_all_are_busy();
  void bound_backlog(const void* taken);
  void give_backlog_back();

  unsigned added_ = 0;  // number of dynamic threads; guarded by the mutex
};

class LeaderFollowers::Shared::Listening final : public Watched, public Listener {
 public:
  Listening(Shared& shared, std::unique_ptr<transport::Acceptor> of, giop::Messaging with)
      : Listener(std::move(of), with), shared_(shared) {}
  void on_ready(Interest) override {
    shared_.accept(*this);
    if (shared_.watching == os::SharedPoll::Watching::once)
      shared_.poll->again(fd(), Interest::read, token(), shared_.watching);
  }
  bool watch() { return shared_.poll->add(fd(), Interest::read, token(), shared_.watching); }

 private:
  int fd() const { return acceptor->native_handle(); }
  void* token() { return static_cast<Watched*>(this); }
  Shared& shared_;
};

// Resumes reading connections whose delay has ended.
class LeaderFollowers::Shared::Resuming final : public Watched {
 public:
  explicit Resuming(Shared& shared) : shared_(shared) {
    if (fd() >= 0) shared_.poll->add(fd(), Interest::read, token(), shared_.watching);
  }
  void on_ready(Interest) override {
    if (Serving* const first = take_first()) first->resume();
  }
  bool serves_requests() const override { return shared_.waiting_for_turn != 0; }
  // Their requests have been accepted.
  void refuse(Interest) override {
    if (Serving* const first = take_first()) leave_to_others(first, Clock::now());
  }
  void watch_again() override {
    if (shared_.watching == os::SharedPoll::Watching::once)
      shared_.poll->again(fd(), Interest::read, token(), shared_.watching);
  }

 private:
  // Returns the first connection that waits for its turn and is due; null if none does. Watches those that
  // are due and do not wait for one, and leaves the rest to other threads.
  Serving* take_first() {
    const auto now = Clock::now();
    Serving* first = nullptr;
    for (Serving* const served : shared_.delayed.take_due(now)) {
      if (!served->waits_for_turn())
        served->watch_again();
      else if (first)
        leave_to_others(served, now);
      else
        first = served;
    }
    watch_again();
    return first;
  }
  // Without memory it is served now.
  [[gnu::cold]] void leave_to_others(Serving* served, Clock::time_point now) {
    if (!shared_.delayed.add(served, now)) served->resume();
  }
  int fd() const { return shared_.delayed.fd(); }
  void* token() { return static_cast<Watched*>(this); }
  Shared& shared_;
};

LeaderFollowers::Serving::Serving(Shared& shared, std::unique_ptr<transport::Stream> stream,
                                  const giop::Messaging& messaging)
    : shared_(shared),
      channel_(std::move(stream), ServerChannel::Waiting::reactive, *shared.server, messaging) {
  if (shared.threads.hands_over) channel_.allow_hand_over();
  if (shared.delayed.fd() >= 0) channel_.take_turns(*this);
}

template <class Serve>
[[gnu::always_inline]] inline Progress LeaderFollowers::Serving::go_on(const Serve& serve) noexcept {
  try {
    const Progress progress = serve();
    if (progress == Progress::closed) channel_.close_orderly();
    return progress;
  } catch (const std::exception& failure) {
    report_lost(failure, *shared_.server);
    return Progress::closed;
  }
}

void LeaderFollowers::Serving::serve(Interest, bool refuses_requests) {
  use_.take();
  if (refuses_requests) [[unlikely]]
    channel_.refuse_requests(true);
  const Progress progress =
      go_on([this] { return channel_.is_writing() ? channel_.flush() : channel_.serve(); });
  const bool delays = ReadDelay::asked();
  if (refuses_requests) [[unlikely]]
    channel_.refuse_requests(false);
  end_round(progress, delays);
}

[[gnu::cold]] void LeaderFollowers::Serving::resume() {
  use_.take();
  waits_for_turn_ = false;
  shared_.waiting_for_turn.fetch_sub(1, std::memory_order_relaxed);
  const Progress progress = go_on([this] { return channel_.flush(); });
  end_round(progress, ReadDelay::asked());
}

[[gnu::always_inline]] inline void LeaderFollowers::Serving::end_round(Progress progress, bool delays) {
  if (progress >= Progress::wants_turn) [[unlikely]]
    return end_or_wait_for_turn(progress, delays);
  if (shared_.stopping.load(std::memory_order_relaxed)) [[unlikely]]
    return;  // the drain closes it when no thread serves any more
  const bool writing = progress == Progress::wants_write;
  const Interest wanted = writing ? channel_.waits_for() : Interest::read;
  const State state = writing ? State::writing : channel_.mid_message() ? State::mid_message : State::idle;
  if (state != State::idle) [[unlikely]]
    may_hold_memory_.store(true, std::memory_order_relaxed);
  if (delays && delay(state)) [[unlikely]]
    return;
  leave(wanted, state);
}

[[gnu::cold, gnu::noinline]] void LeaderFollowers::Serving::end_or_wait_for_turn(Progress progress,
                                                                                 bool delays) {
  if (progress == Progress::wants_turn) {
    const auto until = delays ? ReadDelay::take() : Clock::now();
    if (!shared_.stopping.load(std::memory_order_relaxed)) wait_for_turn(until);
    return;
  }
  if (delays || delayed_) forget_delay();
  if (progress == Progress::hand_over) return hand_over();
  shared_.drop(*this, fd());
}

// Leaves the connection to the thread that gets it next.
[[gnu::always_inline]] inline void LeaderFollowers::Serving::leave(Interest wanted, State state) {
  const auto watching = shared_.watching;
  if (watching != os::SharedPoll::Watching::once && wanted == wanted_) [[likely]]
    return use_.leave_to_same_thread(state);
  wanted_ = wanted;
  os::SharedPoll& poll = *shared_.poll;
  const int descriptor = fd();
  use_.leave(state);
  poll.again(descriptor, wanted, token(), watching);
}

// Delays reading. True: no thread uses the connection until its time comes. False while the rest of a reply
// waits to be written, and without memory.
[[gnu::cold]] bool LeaderFollowers::Serving::delay(State state) {
  const auto until = ReadDelay::take();
  DelayedReads<Serving*>& delayed = shared_.delayed;
  if (state == State::writing || delayed.fd() < 0) return false;
  if (delayed_) delayed.forget(this);  // a hang-up has woken it before its time
  delayed_ = true;
  if (shared_.watching == os::SharedPoll::Watching::always)
    shared_.poll->again(fd(), Interest::none, token(), shared_.watching);
  wanted_ = Interest::read;
  use_.leave(state);
  if (delayed.add(this, until)) return true;
  use_.take();
  wanted_ = Interest::none;  // differs, and the poll watches it again
  return false;
}

// Others are served first; nothing more is read meanwhile. No thread uses the connection until its turn
// comes.
[[gnu::cold]] void LeaderFollowers::Serving::wait_for_turn(Clock::time_point until) {
  DelayedReads<Serving*>& delayed = shared_.delayed;
  if (delayed_) delayed.forget(this);  // a hang-up has woken it before its time
  delayed_ = true;
  if (!std::exchange(waits_for_turn_, true)) shared_.waiting_for_turn.fetch_add(1, std::memory_order_relaxed);
  may_hold_memory_.store(true, std::memory_order_relaxed);
  shared_.turns.fetch_add(1, std::memory_order_relaxed);
  if (shared_.watching == os::SharedPoll::Watching::always) {
    shared_.poll->again(fd(), Interest::none, token(), shared_.watching);
    wanted_ = Interest::none;
  }
  use_.leave(channel_.mid_message() ? State::mid_message : State::idle);
  if (delayed.add(this, until)) return;
  use_.take();
  report_lost(std::bad_alloc(), *shared_.server);
  forget_delay();
  shared_.drop(*this, fd());
}

// Epoll would consume events of descriptors that are watched once, but these are not the served connection's.
bool LeaderFollowers::Serving::others_are_ready() {
  if (shared_.waits_by.ring_has_others) return shared_.waits_by.ring_has_others(*shared_.poll, fd());
  if (shared_.watching == os::SharedPoll::Watching::once)
    return os::wait_ready(shared_.poll->fd(), Interest::read, Clock::now()) == os::WaitResult::ready;
  std::array<os::SharedPoll::Ready, 2> found;
  const auto ready = std::span(found).first(shared_.poll->take_ready(found));
  return std::ranges::any_of(ready, [own = token()](const auto& one) { return one.token != own; });
}

// Connections that wait for their turn make the poll report a timer. Batches take turns with each other less
// often, because each turn costs a write and several system calls.
bool LeaderFollowers::Serving::others_wait() {
  constexpr auto least_turn = 10 * span;
  if (shared_.stopping.load(std::memory_order_relaxed)) return false;
  if (shared_.waiting_for_turn.load(std::memory_order_relaxed) == 0) return others_are_ready();
  const auto now = Clock::now();
  const auto turns = shared_.turns.load(std::memory_order_relaxed);
  if (looked_in_turn_ != turns) {
    looked_in_turn_ = turns;
    turn_began_ = now;
  }
  return now - turn_began_ >= least_turn;
}

[[gnu::cold]] void LeaderFollowers::Serving::forget_delay() {
  ReadDelay::withdraw();
  shared_.delayed.forget(this);
  if (std::exchange(waits_for_turn_, false)) shared_.waiting_for_turn.fetch_sub(1, std::memory_order_relaxed);
}

[[gnu::cold]] void LeaderFollowers::Serving::hand_over() noexcept {
  const std::shared_ptr<Server> server = shared_.server;
  try {
    const auto self = shared_.take_out(*this, fd());
    channel_.hand_over();
  } catch (const std::exception& failure) {
    report_lost(failure, *server);
  }
}

bool LeaderFollowers::Serving::begin() {
  if (shared_.poll->add(fd(), Interest::read, token(), shared_.watching)) return true;
  report_not_watched(*shared_.server);
  return false;
}

void LeaderFollowers::Serving::watch_again() {
  use_.synchronize();
  shared_.poll->again(fd(), wanted_, token(), shared_.watching);
}

void LeaderFollowers::Serving::give_up() {
  if (use_.state() == State::idle)
    channel_.stream().shut_down_reading();
  else
    channel_.stream().shut_down();
}

bool LeaderFollowers::Serving::overdue(Clock::time_point now) {
  if (may_hold_memory_.load(std::memory_order_relaxed))
    use_.act_if_unused([this] {
      channel_.give_back_memory(idle_buffer_bytes);
      may_hold_memory_.store(false, std::memory_order_relaxed);
    });
  const auto [state, used_at] = use_.look(now);
  if (state == State::served || channel_.take_activity()) served_at_ = now;
  const Server& server = *shared_.server;
  switch (state) {
    case State::served:
      return false;
    case State::writing:
      return now - used_at > server.options.send_timeout.get();
    case State::mid_message:
      return now - used_at > server.protocol.limits->message_time.get() ||
             is_idle(now - served_at_, true, server);
    case State::idle:
      break;
  }
  return is_idle(now - served_at_, false, server);
}

LeaderFollowers::Shared::Shared(std::shared_ptr<Server> all, PollAndStreams with, const PoolThreads& pool)
    : ConnectionSet(std::move(all)),
      waits_by(std::move(with)),
      threads(pool),
      backlog(pool.waiting ? std::make_unique<ReadyBacklog>(pool.waiting) : nullptr),
      watching(pool.standing + pool.added > 1 ? os::SharedPoll::Watching::once
                                              : os::SharedPoll::Watching::always),
      resuming(std::make_unique<Resuming>(*this)) {}

LeaderFollowers::Shared::~Shared() = default;

void LeaderFollowers::Shared::add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) {
  listen(std::make_unique<Listening>(*this, std::move(acceptor), messaging));
}

bool LeaderFollowers::Shared::watch(Listener& listener) { return static_cast<Listening&>(listener).watch(); }

int LeaderFollowers::Shared::start(bool standing) {
  const auto end = [this, standing] {
    std::lock_guard lock(mutex);
    if (!standing) --added_;
  };
  const os::ThreadOptions options{
      .name = threads.name, .stack_bytes = threads.stack_bytes, .use = ThreadUse::upcalls};
  const int error = start_thread(options, [this, standing, end] {
    if (threads.begin) threads.begin();
    threads.prepare();
    if (server->before_serving) server->before_serving();
    work(standing);
    poll->leave();
    end();
    // The last that waited may have found no place for another thread before this one gave up its own.
    if (!standing && waiting.load() == 0) add_thread_if_all_are_busy();
  });
  if (error) end();
  return error;
}

void LeaderFollowers::Shared::work(bool standing) {
  unsigned requests = 0;
  std::uint32_t seen = 0;
  while (!stopping.load(std::memory_order_relaxed)) {
    if (standing && rounds.asked(seen)) [[unlikely]] {
      poll->rest();
      rounds.run_if_asked(seen);
    }
    const auto patience = standing ? std::chrono::nanoseconds(sweep_interval) : threads.patience;
    bool others_wait = true;
    const auto ready = counts ? next_ready(patience, others_wait) : poll->wait(patience);
    if (ready && ready->token) static_cast<Watched*>(ready->token)->on_ready(ready->interest);
    if (!ready && !standing && others_wait) return;
    if (!ready || ++requests >= requests_between_sweeps) {
      requests = 0;
      sweep_if_due();
    }
  }
}

// A thread first counts itself as waiting and then looks at the backlog. A thread that fills the backlog does
// so first and then checks whether any thread waits. So no entry of the backlog is overlooked. `others_wait`:
// false if the thread was the last that waited. If nothing has come, it must wait on: the others are busy,
// and may need what comes next.
[[gnu::noinline]] std::optional<os::SharedPoll::Ready> LeaderFollowers::Shared::next_ready(
    std::chrono::nanoseconds patience, bool& others_wait) {
  waiting.fetch_add(1);
  std::optional<os::SharedPoll::Ready> ready;
  if (backlog && !backlog->empty()) [[unlikely]]
    ready = backlog->pop();
  if (!ready) ready = poll->wait(patience);
  others_wait = waiting.fetch_sub(1) != 1;
  if (ready && !others_wait) {
    if (threads.added > 0) add_thread_if_all_are_busy();
    if (backlog && ready->token) bound_backlog(ready->token);
  }
  return ready;
}

// Called when no thread will be free once the caller serves what it has taken. The first of the other ready
// connections wait in order of arrival, up to the limit, and requests of the rest are refused.
void LeaderFollowers::Shared::bound_backlog(const void* taken) {
  if (connections() <= backlog->most() + threads.standing) return;
  const bool stays_ready = watching == os::SharedPoll::Watching::always;  // the poll reports it again
  constexpr std::size_t at_once = 64, most_looked_at = 4096;
  std::array<os::SharedPoll::Ready, at_once> found;
  const void* first_left = nullptr;
  std::size_t left = 0, count = at_once;
  for (std::size_t looked_at = 0; count == at_once && looked_at < most_looked_at; looked_at += count) {
    count = poll->take_ready(found);
    for (const auto& ready : std::span(found).first(count)) {
      if (!ready.token || ready.token == taken) continue;
      if (ready.token == first_left) return;  // the poll has come round to the first one
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

// Gives the backlog to threads that have begun to wait meanwhile.
void LeaderFollowers::Shared::give_backlog_back() {
  while (const auto ready = backlog->pop()) static_cast<Watched*>(ready->token)->watch_again();
}

void LeaderFollowers::Shared::add_thread_if_all_are_busy() {
  {
    std::lock_guard lock(mutex);
    if (stopping || added_ >= most_added) return;
    ++added_;
  }
  start(false);  // if this fails, requests wait for an existing thread
}

LeaderFollowers::LeaderFollowers(std::shared_ptr<Server> server, PollAndStreams waiting,
                                 const PoolThreads& threads)
    : shared_(std::make_shared<Shared>(std::move(server), std::move(waiting), threads)) {
  for (unsigned i = 0; i < std::max(1u, threads.standing); ++i)
    if (const int error = shared_->start(true)) {
      stop(1s);
      throw_no_thread(threads.standing, error);
    }
}

LeaderFollowers::~LeaderFollowers() { stop(0ns); }

void LeaderFollowers::add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) {
  shared_->add(std::move(acceptor), messaging);
}

void LeaderFollowers::stop(std::chrono::nanoseconds bound) {
  wake_permanently();
  shared_->drain(stop_deadline(bound));
}

void LeaderFollowers::change_added_threads(unsigned most) {
  if (shared_->counts) shared_->most_added = most;
}

// Each thread checks for rounds at least once in a sweep interval.
unsigned LeaderFollowers::in_each_thread(const std::shared_ptr<ThreadRound>& round) {
  shared_->rounds.ask(round);
  return std::max(1u, shared_->threads.standing);
}

std::size_t LeaderFollowers::connections() const { return shared_->connections(); }

}  // namespace takt::server

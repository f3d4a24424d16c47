#include "concurrency/strategy/reactive.h"

#include <algorithm>
#include <deque>
#include <utility>

#include <takt/cdr/exception.h>

#include "concurrency/connections/refusals.h"
#include "concurrency/strategy/read_delay.h"
#include "server/channel/server_channel.h"
#include "server/reports.h"

namespace takt::server {

using Progress = ServerChannel::Progress;
using os::Interest;

class ReactiveServer::Listening final : public os::EventHandler, public Listener {
 public:
  Listening(ReactiveServer& strategy, std::unique_ptr<transport::Acceptor> of, giop::Messaging with)
      : Listener(std::move(of), with), strategy_(strategy) {}
  void on_ready(Interest) noexcept override { strategy_.accept(*this); }

 private:
  ReactiveServer& strategy_;
};

// Connections whose batches were interrupted, in the order in which they are resumed: one in each round of
// the reactor, so that connections with a request are served before most of them.
class ReactiveServer::Turns final : os::TimerHandler {
 public:
  explicit Turns(os::Reactor& reactor) : reactor_(reactor) {}
  // If it throws, nothing has changed.
  void add(Serving& last) {
    if (timer_ == os::TimerId::none) timer_ = reactor_.schedule(os::Clock::now(), this);
    waiting_.push_back(&last);
  }
  void forget(const Serving& one) { std::erase(waiting_, &one); }
  bool empty() const { return waiting_.empty(); }
  std::uint64_t number() const { return number_; }
  void end_turn() { ++number_; }

 private:
  void on_timer() noexcept override;

  os::Reactor& reactor_;
  os::TimerId timer_ = os::TimerId::none;
  std::deque<Serving*> waiting_;
  std::uint64_t number_ = 1;  // number of the current turn
};

class ReactiveServer::Serving final : public ServedConnection,
                                      public os::EventHandler,
                                      private os::TimerHandler,
                                      private FairTurn {
 public:
  Serving(ReactiveServer& strategy, std::unique_ptr<transport::Stream> stream,
          const giop::Messaging& messaging)
      : strategy_(strategy),
        channel_(std::move(stream), ServerChannel::Waiting::reactive, *strategy.server, messaging) {
    channel_.take_turns(*this);
  }

  void on_ready(Interest) noexcept override {
    go_on([this] { return channel_.is_writing() ? channel_.flush() : channel_.serve(); });
  }
  ~Serving() override {
    strategy_.reactor_->cancel(resumes_);
    if (waits_for_turn_) strategy_.turns_->forget(*this);
  }
  int fd() { return channel_.stream().native_handle(); }
  std::shared_ptr<Serving> next_dropped;
  void resume() noexcept {
    waits_for_turn_ = false;
    if (interest_ == Interest::none) go_on([this] { return channel_.flush(); });
  }

  transport::Stream& stream() override { return channel_.stream(); }
  bool begin() override {
    if (strategy_.reactor_->add(fd(), Interest::read, this)) return true;
    report_not_watched(*strategy_.server);
    return false;
  }
  bool overdue(std::chrono::steady_clock::time_point now) override {
    if (channel_.take_activity()) since_ = now;
    const bool mid_message = channel_.mid_message();
    if (mid_message || channel_.is_writing()) {
      if (channel_.overdue(now)) return true;
    } else if (!came_) {
      channel_.give_back_memory(idle_buffer_bytes);
    }
    came_ = false;
    return !channel_.is_writing() && is_idle(now - since_, mid_message, *strategy_.server);
  }
  void give_up() override {
    try {
      if (!channel_.mid_message()) channel_.close_orderly();
    } catch (const std::exception& failure) {
      report_lost(failure, *strategy_.server);
    }
    strategy_.drop(*this);
  }
  std::optional<GracefulClose> graceful_close() override { return channel_.graceful_close(); }
  ConnectionEnding ending() const override { return channel_.ending(); }

 private:
  // Returns the interest for the time of the delay. A connection that waits to write is not delayed.
  [[gnu::cold]] Interest delay(Interest wanted, bool for_turn) {
    const auto until = ReadDelay::take();
    if (wanted != Interest::read) return wanted;
    strategy_.reactor_->cancel(std::exchange(resumes_, os::TimerId::none));
    if (std::exchange(waits_for_turn_, false)) strategy_.turns_->forget(*this);  // a hang-up has woken it
    if (for_turn)
      strategy_.turns_->add(*this);
    else
      resumes_ = strategy_.reactor_->schedule(until, this);
    waits_for_turn_ = for_turn;
    return Interest::none;
  }
  void on_timer() noexcept override {
    resumes_ = os::TimerId::none;
    if (interest_ == Interest::none) go_on([this] { return channel_.flush(); });
  }
  // The reactor does not report connections that wait for their turn: their sockets are not watched. Batches
  // take turns with each other less often, because each turn costs a write and several system calls.
  bool others_wait() override {
    constexpr auto least_turn = 10 * span;
    if (strategy_.reactor_->has_others(fd())) return true;
    if (strategy_.turns_->empty()) return false;
    const auto now = os::Clock::now();
    if (looked_in_turn_ != strategy_.turns_->number()) {
      looked_in_turn_ = strategy_.turns_->number();
      turn_began_ = now;
    }
    return now - turn_began_ >= least_turn;
  }
  template <class Serve>
  void go_on(const Serve& serve) noexcept {
    Progress progress = Progress::closed;
    try {
      progress = serve();
    } catch (const std::exception& failure) {
      report_lost(failure, *strategy_.server);
    }
    came_ = true;
    bool for_turn = false;
    if (progress >= Progress::wants_turn) [[unlikely]] {
      if (progress == Progress::closed) {
        ReadDelay::withdraw();
        return strategy_.drop(*this);
      }
      for_turn = !ReadDelay::asked();
      if (for_turn) ReadDelay::ask_for_turn(os::Clock::now());
      strategy_.turns_->end_turn();
    }
    Interest wanted = channel_.waits_for();
    if (ReadDelay::asked()) [[unlikely]] {
      try {
        wanted = delay(wanted, for_turn);
      } catch (const std::exception& failure) {  // nothing would resume it
        report_lost(failure, *strategy_.server);
        return strategy_.drop(*this);
      }
    }
    if (wanted != interest_) {
      interest_ = wanted;
      (void)strategy_.reactor_->modify(fd(), wanted);
    }
  }

  ReactiveServer& strategy_;
  ServerChannel channel_;
  Interest interest_ = Interest::read;
  os::TimerId resumes_ = os::TimerId::none;  // timer that resumes reading
  bool waits_for_turn_ = false;
  std::uint64_t looked_in_turn_ = 0;  // the last turn in which others were looked for, and when it began
  os::TimePoint turn_began_{};
  bool came_ = true;  // something has arrived since the last sweep
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

// The next round's timer takes the place of this one's, so that it needs no memory.
void ReactiveServer::Turns::on_timer() noexcept {
  timer_ = os::TimerId::none;
  if (waiting_.empty()) return;
  Serving* const first = waiting_.front();
  waiting_.pop_front();
  if (!waiting_.empty()) timer_ = reactor_.schedule(os::Clock::now(), this);
  first->resume();
}

ReactiveServer::ReactiveServer(std::shared_ptr<Server> all, ReactorAndStreams waiting)
    : ConnectionSet(std::move(all)),
      reactor_(std::move(waiting.reactor)),
      streams_(std::move(waiting.streams)),
      turns_(std::make_unique<Turns>(*reactor_)) {}

ReactiveServer::~ReactiveServer() { ReactiveServer::stop(std::chrono::nanoseconds::zero()); }

void ReactiveServer::add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) {
  {
    std::lock_guard lock(mutex);
    added_.push_back(std::make_unique<Listening>(*this, std::move(acceptor), messaging));
    has_added_ = true;
  }
  reactor_->notify();
}

std::vector<std::unique_ptr<ReactiveServer::Listening>> ReactiveServer::take_added() {
  std::lock_guard lock(mutex);
  has_added_ = false;
  return std::exchange(added_, {});
}

void ReactiveServer::listen_to_added() {
  for (auto& one : take_added()) {
    try {
      listen(std::move(one));
    } catch (const std::exception&) {
      if (server->report)
        server->report(LogEvent::warning,
                       "an endpoint is not listened to: the process is out of watches or memory");
    }
  }
}

bool ReactiveServer::watch(Listener& listener) {
  auto& listening = static_cast<Listening&>(listener);
  return reactor_->add(listening.acceptor->native_handle(), Interest::read, &listening).has_value();
}

void ReactiveServer::unwatch(Listener& listener) {
  (void)reactor_->remove(listener.acceptor->native_handle());
}

std::shared_ptr<ServedConnection> ReactiveServer::make(std::unique_ptr<transport::Stream> stream,
                                                       const giop::Messaging& messaging) {
  if (streams_) stream = streams_->wrap(std::move(stream), transport::OpenedBy::peer);
  return std::make_shared<Serving>(*this, std::move(stream), messaging);
}

void ReactiveServer::drop(Serving& serving) {
  (void)reactor_->remove(serving.fd());
  auto dropped = std::static_pointer_cast<Serving>(take_out(serving));
  if (!dropped) return;
  dropped->next_dropped = std::move(first_dropped_);
  first_dropped_ = std::move(dropped);
}

// Must not be called from their event handlers.
void ReactiveServer::destroy_dropped() {
  while (first_dropped_) first_dropped_ = std::move(first_dropped_->next_dropped);
}

void ReactiveServer::run_once(std::chrono::nanoseconds timeout) {
  if (has_added_.load(std::memory_order_relaxed)) listen_to_added();
  const bool idle = reactor_->run_once(std::min<std::chrono::nanoseconds>(timeout, sweep_interval)) == 0;
  if (first_dropped_) destroy_dropped();
  if (idle || ++rounds_since_sweep_ >= 64) {  // avoids reading the clock for every request
    rounds_since_sweep_ = 0;
    sweep_if_due();
    if (first_dropped_) destroy_dropped();
  }
}

void ReactiveServer::wake() { reactor_->notify(); }

// Listeners that were just added are not watched yet, but their clients must be rejected too.
void ReactiveServer::stop(std::chrono::nanoseconds bound) {
  for (auto& one : take_added()) keep(std::move(one));
  drain(stop_deadline(bound));
  first_dropped_.reset();
}

void ReactiveServer::cut() {
  close_listeners();
  for_each([](ServedConnection& one) { one.stream().shut_down(); });
}

void ReactiveServer::end_threads() {
  for_each([this](ServedConnection& one) { (void)reactor_->remove(one.stream().native_handle()); });
}

}  // namespace takt::server

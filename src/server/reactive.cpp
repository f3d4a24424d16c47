#include "server/reactive.h"

#include <algorithm>
#include <utility>

#include "server/read_delay.h"
#include "server/refusals.h"
#include "server/server_channel.h"

namespace takt::server {

using Progress = ServerChannel::Progress;
using os::Interest;

class ReactiveServer::Listening final : public os::EventHandler {
 public:
  Listening(ReactiveServer& strategy, Added&& added)
      : strategy_(strategy), acceptor_(std::move(added.acceptor)), messaging_(added.messaging) {}
  void on_ready(Interest) noexcept override { strategy_.accept_all(*acceptor_, messaging_); }
  transport::Acceptor& acceptor() { return *acceptor_; }

 private:
  ReactiveServer& strategy_;
  const std::unique_ptr<transport::Acceptor> acceptor_;
  const giop::Messaging messaging_;
};

class ReactiveServer::Serving final : public os::EventHandler, private os::TimerHandler {
 public:
  Serving(ReactiveServer& strategy, std::unique_ptr<transport::Stream> stream, PeerConnections::Place place,
          giop::Messaging messaging)
      : strategy_(strategy),
        channel_(std::move(stream), ServerChannel::Waiting::reactive, *strategy.server_, messaging) {
    channel_.keep(std::move(place));
  }

  void on_ready(Interest) noexcept override {
    const Progress progress = go_on();
    came_ = true;
    const bool delayed = ReadDelay::asked();
    if (progress == Progress::closed) {
      ReadDelay::withdraw();
      return strategy_.drop(*this);
    }
    Interest wanted = channel_.waits_for();
    if (delayed) [[unlikely]]
      wanted = delay(wanted);
    if (wanted != interest_) {
      interest_ = wanted;
      (void)strategy_.reactor_->modify(fd(), wanted);
    }
  }
  ~Serving() { strategy_.reactor_->cancel(resumes_); }
  int fd() { return channel_.stream().native_handle(); }
  ServerChannel& channel() { return channel_; }
  Serving* next_dropped = nullptr;

  // Called at each sweep: whether the peer has had its time.
  bool overdue(std::chrono::steady_clock::time_point now, const Server& server) {
    if (channel_.take_activity()) since_ = now;
    const bool mid_message = channel_.mid_message();
    if (mid_message || channel_.is_writing()) {
      if (channel_.overdue(now)) return true;
    } else if (!came_) {
      channel_.give_back_memory(idle_buffer_bytes);
    }
    came_ = false;
    return !channel_.is_writing() && is_idle(now - since_, mid_message, server);
  }

 private:
  // What to wait for meanwhile: a reply that the peer does not take is written on.
  [[gnu::cold]] Interest delay(Interest wanted) {
    const auto until = ReadDelay::take();
    if (wanted != Interest::read) return wanted;
    strategy_.reactor_->cancel(resumes_);
    resumes_ = strategy_.reactor_->schedule(until, this);
    return Interest::none;
  }
  void on_timer() noexcept override {
    resumes_ = os::TimerId::none;
    if (interest_ != Interest::none) return;
    interest_ = Interest::read;
    (void)strategy_.reactor_->modify(fd(), interest_);
  }
  Progress go_on() noexcept {
    try {
      return channel_.is_writing() ? channel_.flush() : channel_.serve();
    } catch (const std::exception& failure) {
      report_lost(failure, *strategy_.server_);
      return Progress::closed;
    }
  }

  ReactiveServer& strategy_;
  ServerChannel channel_;
  Interest interest_ = Interest::read;
  os::TimerId resumes_ = os::TimerId::none;  // reading
  bool came_ = true;                         // something, since the last sweep
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

ReactiveServer::ReactiveServer(std::shared_ptr<Server> server, std::unique_ptr<os::Reactor> reactor)
    : server_(std::move(server)),
      reactor_(std::move(reactor)),
      next_sweep_(std::chrono::steady_clock::now() + sweep_interval) {}

ReactiveServer::~ReactiveServer() { stop(std::chrono::nanoseconds::zero()); }

void ReactiveServer::add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) {
  {
    std::lock_guard lock(mutex_);
    added_.push_back({std::move(acceptor), messaging});
    has_added_ = true;
  }
  reactor_->notify();
}

void ReactiveServer::listen_to_added() {
  std::vector<Added> added;
  {
    std::lock_guard lock(mutex_);
    added.swap(added_);
    has_added_ = false;
  }
  for (Added& one : added) {
    one.acceptor->set_blocking(false);
    const int fd = one.acceptor->native_handle();
    auto listening = std::make_unique<Listening>(*this, std::move(one));
    if (reactor_->add(fd, Interest::read, listening.get()))
      listening_.push_back(std::move(listening));
    else if (server_->report)
      server_->report("an endpoint is not listened to: the process is out of watches or memory");
  }
}

// At most a burst, so that a flood of connections does not hold up requests.
void ReactiveServer::accept_all(transport::Acceptor& acceptor, giop::Messaging messaging) noexcept {
  for (int burst = 0; burst < 64; ++burst) {
    try {
      auto stream = acceptor.accept();
      if (!stream) return report_not_accepted(stream.error(), *server_);
      if (serving_.size() >= server_->options.connections)
        refuse_one_too_many(std::move(*stream), *server_);
      else
        begin_serving(std::move(*stream), messaging);
    } catch (const std::exception& failure) {
      report_lost(failure, *server_);
    }
  }
}

void ReactiveServer::begin_serving(std::unique_ptr<transport::Stream> stream, giop::Messaging messaging) {
  auto place = peers_.admit(*stream, server_->options.peer_connections);
  if (!place) return refuse_one_too_many_of_peer(std::move(stream), *server_);
  auto serving = std::make_unique<Serving>(*this, std::move(stream), std::move(*place), messaging);
  Serving* const key = serving.get();
  serving_.emplace(key, std::move(serving));
  bool watched = false;
  try {
    watched = reactor_->add(key->fd(), Interest::read, key).has_value();
  } catch (const std::exception& failure) {
    report_lost(failure, *server_);
  }
  if (!watched) serving_.erase(key);
}

void ReactiveServer::drop(Serving& serving) {
  (void)reactor_->remove(serving.fd());
  serving.next_dropped = std::exchange(first_dropped_, &serving);
}

// Not while one of them runs.
void ReactiveServer::destroy_dropped() {
  while (Serving* const dropped = first_dropped_) {
    first_dropped_ = dropped->next_dropped;
    serving_.erase(dropped);
  }
}

void ReactiveServer::run_once(std::chrono::nanoseconds timeout) {
  if (has_added_.load(std::memory_order_relaxed)) listen_to_added();
  const bool idle = reactor_->run_once(std::min<std::chrono::nanoseconds>(timeout, sweep_interval)) == 0;
  if (first_dropped_) destroy_dropped();
  if (idle || ++rounds_since_sweep_ >= 64) {  // the clock is not read for every request
    rounds_since_sweep_ = 0;
    sweep();
  }
}

void ReactiveServer::sweep() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_sweep_) return;
  next_sweep_ = now + sweep_interval;
  for (auto& [key, serving] : serving_) {
    serving->channel().stream().probe_silent_peer(now);
    if (!serving->overdue(now, *server_)) continue;
    try {
      if (!serving->channel().mid_message()) serving->channel().close_orderly();
    } catch (const std::exception& failure) {
      report_lost(failure, *server_);
    }
    drop(*serving);
  }
  destroy_dropped();
}

void ReactiveServer::wake() { reactor_->notify(); }

void ReactiveServer::stop(std::chrono::nanoseconds bound) {
  const auto deadline = stop_deadline(bound);
  std::vector<Added> unheard;
  {
    std::lock_guard lock(mutex_);
    unheard.swap(added_);  // nobody has listened to them
  }
  for (Added& one : unheard) reject_waiting(*one.acceptor, deadline);
  for (auto& listening : listening_) {
    (void)reactor_->remove(listening->acceptor().native_handle());
    reject_waiting(listening->acceptor(), deadline);
  }
  listening_.clear();
  std::vector<GracefulClose> closes;
  for (auto& [key, serving] : serving_) {
    (void)reactor_->remove(key->fd());
    if (const auto close = key->channel().graceful_close()) closes.push_back(*close);
  }
  close_gracefully(closes, deadline);
  first_dropped_ = nullptr;
  serving_.clear();
}

std::size_t ReactiveServer::connections() const { return serving_.size(); }

}  // namespace takt::server

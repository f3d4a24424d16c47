#include "connection/server/reactive.h"

#include <algorithm>

#include "connection/server/refusals.h"
#include "connection/server/server_channel.h"

namespace takt::connection {

using Progress = ServerChannel::Progress;
using os::Interest;

class ReactiveServer::Listening final : public os::EventHandler {
 public:
  Listening(ReactiveServer& server, Added&& added)
      : server_(server), acceptor_(std::move(added.acceptor)), messaging_(added.messaging) {}
  void on_ready(Interest) noexcept override { server_.accept_all(*acceptor_, messaging_); }
  transport::Acceptor& acceptor() { return *acceptor_; }

 private:
  ReactiveServer& server_;
  const std::unique_ptr<transport::Acceptor> acceptor_;
  const giop::Messaging messaging_;
};

class ReactiveServer::Serving final : public os::EventHandler {
 public:
  Serving(ReactiveServer& server, std::unique_ptr<transport::Stream> stream, giop::Messaging messaging)
      : server_(server),
        channel_(std::move(stream), ServerChannel::Waiting::reactive, *server.core_, messaging) {}

  void on_ready(Interest) noexcept override {
    const Progress progress = channel_.is_writing() ? channel_.flush() : channel_.serve();
    active_ = true;
    if (progress == Progress::closed) return server_.drop(*this);
    const Interest wanted = channel_.waits_for();
    if (wanted != interest_) {
      interest_ = wanted;
      (void)server_.reactor_->modify(fd(), wanted);
    }
  }
  int fd() { return channel_.stream().native_handle(); }
  ServerChannel& channel() { return channel_; }

  // Called at each sweep: whether the peer has had its time.
  bool overdue(std::chrono::steady_clock::time_point now, std::chrono::nanoseconds idle_timeout) {
    if (channel_.mid_message() || channel_.is_writing()) return channel_.overdue(now);
    if (active_) since_ = now;
    active_ = false;
    return idle_timeout.count() > 0 && now - since_ > idle_timeout;
  }

 private:
  ReactiveServer& server_;
  ServerChannel channel_;
  Interest interest_ = Interest::read;
  bool active_ = true;  // since the last sweep
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

ReactiveServer::ReactiveServer(std::shared_ptr<OrbCore> core, std::unique_ptr<os::Reactor> reactor)
    : core_(std::move(core)),
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
    else if (core_->tell)
      core_->tell("an endpoint is not listened to: the process is out of watches or memory");
  }
}

// At most a burst, so that a flood of connections does not hold up requests.
void ReactiveServer::accept_all(transport::Acceptor& acceptor, giop::Messaging messaging) {
  for (int burst = 0; burst < 64; ++burst) {
    auto stream = acceptor.accept();
    if (!stream) return tell_not_accepted(stream.error(), *core_);
    if (serving_.size() >= core_->options.server_connections) {
      refuse_one_too_many(std::move(*stream), *core_);
      continue;
    }
    auto serving = std::make_unique<Serving>(*this, std::move(*stream), messaging);
    Serving* key = serving.get();
    if (reactor_->add(key->fd(), Interest::read, key)) serving_.emplace(key, std::move(serving));
  }
}

void ReactiveServer::drop(Serving& serving) {
  (void)reactor_->remove(serving.fd());
  auto found = serving_.find(&serving);
  if (found == serving_.end()) return;
  dropped_.push_back(std::move(found->second));
  serving_.erase(found);
}

void ReactiveServer::run_once(std::chrono::nanoseconds timeout) {
  if (has_added_.load(std::memory_order_relaxed)) listen_to_added();
  const bool idle = reactor_->run_once(std::min<std::chrono::nanoseconds>(timeout, sweep_interval)) == 0;
  if (!dropped_.empty()) dropped_.clear();
  if (idle || ++rounds_since_sweep_ >= 64) {  // the clock is not read for every request
    rounds_since_sweep_ = 0;
    sweep();
  }
}

void ReactiveServer::sweep() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_sweep_) return;
  next_sweep_ = now + sweep_interval;
  std::vector<Serving*> overdue;
  for (auto& [key, serving] : serving_)
    if (serving->overdue(now, core_->options.idle_timeout)) overdue.push_back(key);
  for (Serving* serving : overdue) {
    if (!serving->channel().mid_message()) serving->channel().close_orderly();
    drop(*serving);
  }
  dropped_.clear();
}

void ReactiveServer::wake() { reactor_->notify(); }

void ReactiveServer::stop(std::chrono::nanoseconds bound) {
  const auto deadline = stop_deadline(bound);
  std::vector<Added> unheard;
  {
    std::lock_guard lock(mutex_);
    unheard.swap(added_);  // nobody has listened to them
  }
  for (Added& one : unheard) turn_away(*one.acceptor, deadline);
  for (auto& listening : listening_) {
    (void)reactor_->remove(listening->acceptor().native_handle());
    turn_away(listening->acceptor(), deadline);
  }
  listening_.clear();
  std::vector<Parting> partings;
  for (auto& [key, serving] : serving_) {
    (void)reactor_->remove(key->fd());
    if (const auto parting = key->channel().parting()) partings.push_back(*parting);
  }
  part_from(partings, deadline);
  serving_.clear();
  dropped_.clear();
}

std::size_t ReactiveServer::connections() const { return serving_.size(); }

}  // namespace takt::connection

#include "server/connection_set.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "server/refusals.h"

namespace takt::server {

using namespace std::chrono_literals;
using transport::AcceptError;

namespace {
constexpr int burst = 64;
constexpr auto time_after_cut = 100ms;
}  // namespace

void ConnectionSet::listen(std::unique_ptr<Listener> listener) {
  listener->acceptor->set_blocking(false);
  std::lock_guard lock(mutex);
  if (!watch(*listener)) throw_cannot_watch();
  listeners_.push_back(std::move(listener));
}

void ConnectionSet::keep(std::unique_ptr<Listener> listener) {
  std::lock_guard lock(mutex);
  listeners_.push_back(std::move(listener));
}

ConnectionSet::Listener* ConnectionSet::listener_at(const void* token) const {
  std::lock_guard lock(mutex);
  const auto found = std::ranges::find(listeners_, token, [](const auto& one) { return one.get(); });
  return found == listeners_.end() ? nullptr : found->get();
}

AcceptError ConnectionSet::accept(Listener& listener) {
  std::lock_guard one_at_a_time(accepting_);
  for (int i = 0; i < burst && !closing; ++i) {
    try {
      auto stream = listener.acceptor->accept();
      if (!stream) {
        report_not_accepted(stream.error(), *server);
        if (stream.error() == AcceptError::failed) unwatch(listener);  // which would stay ready
        return stream.error();
      }
      take_in(std::move(*stream), listener.messaging);
    } catch (const std::exception& failure) {
      report_lost(failure, *server);
    }
  }
  return AcceptError::would_block;
}

// Checks the limits before it allocates anything for the connection.
void ConnectionSet::take_in(std::unique_ptr<transport::Stream> stream, const giop::Messaging& messaging) {
  if (connections() >= server->options.connections) return refuse_one_too_many(std::move(stream), *server);
  auto place = peers_.admit(*stream, server->options.peer_connections);
  if (!place) return refuse_one_too_many_of_peer(std::move(stream), *server);
  const auto connection = make(std::move(stream), messaging);
  {
    std::lock_guard lock(mutex);
    open_.emplace(connection.get(), Open{connection, std::move(*place)});
    count_ = open_.size();
  }
  bool begun = false;
  try {
    begun = connection->begin();
  } catch (const std::exception& failure) {
    report_lost(failure, *server);
  }
  if (!begun) take_out(*connection);
}

bool ConnectionSet::admit(const std::shared_ptr<ServedConnection>& connection) {
  std::lock_guard lock(mutex);
  if (closing || open_.size() >= server->options.connections) return false;
  auto place = peers_.admit(connection->stream(), server->options.peer_connections);
  if (!place) return false;
  open_.emplace(connection.get(), Open{connection, std::move(*place)});
  count_ = open_.size();
  return true;
}

std::shared_ptr<ServedConnection> ConnectionSet::take_out(ServedConnection& connection) {
  std::lock_guard lock(mutex);
  auto node = open_.extract(&connection);
  if (!node) return nullptr;
  count_ = open_.size();
  changed.notify_all();
  return std::move(node.mapped().connection);
}

std::shared_ptr<ServedConnection> ConnectionSet::connection_at(const ServedConnection* key) const {
  std::lock_guard lock(mutex);
  const auto found = open_.find(key);
  return found == open_.end() ? nullptr : found->second.connection;
}

void ConnectionSet::for_each(const std::function<void(ServedConnection&)>& act) const {
  std::lock_guard lock(mutex);
  for (const auto& [key, one] : open_) act(*one.connection);
}

void ConnectionSet::sweep_if_due(std::chrono::nanoseconds interval) {
  const auto now = Clock::now();
  if (now < next_sweep_.load(std::memory_order_relaxed)) return;
  std::vector<std::shared_ptr<ServedConnection>> overdue;
  {
    const std::unique_lock lock(mutex, std::try_to_lock);
    if (!lock || stopping) return;
    next_sweep_ = now + interval;
    for (auto& [key, one] : open_) {
      if (!may_sweep(*one.connection)) continue;
      one.connection->stream().probe_silent_peer(now);
      if (one.connection->overdue(now)) overdue.push_back(one.connection);
    }
  }
  for (const auto& one : overdue) one->give_up();
}

void ConnectionSet::count_thread(int by) {
  std::lock_guard lock(mutex);
  running_ += static_cast<unsigned>(by);
  changed.notify_all();
}

int ConnectionSet::start_thread(const os::ThreadOptions& options, std::move_only_function<void()> body) {
  count_thread(1);
  auto thread = os::Thread::start(options, [self = shared_from_this(), body = std::move(body)]() mutable {
    body();
    body = nullptr;  // destroys the captures while the thread still counts as running
    self->count_thread(-1);
  });
  if (!thread) {
    count_thread(-1);
    return thread.error();
  }
  thread->detach();
  return 0;
}

bool ConnectionSet::ended_by(Clock::time_point deadline) {
  std::unique_lock lock(mutex);
  return changed.wait_until(lock, deadline, [this] { return running_ == 0; });
}

void ConnectionSet::stop_listening(Clock::time_point deadline) {
  for (const auto& listener : listeners_) {
    unwatch(*listener);
    std::lock_guard one_at_a_time(accepting_);
    reject_waiting(*listener->acceptor, deadline);
  }
}

void ConnectionSet::drain(Clock::time_point deadline) {
  if (!closing.exchange(true)) {
    stop_listening(deadline);
    finish_reading(deadline);
  }
  {
    std::lock_guard lock(mutex);
    stopping = true;
    changed.notify_all();
  }
  end_threads();
  bool ended = ended_by(deadline);
  if (!ended) {
    for_each([](ServedConnection& one) { one.stream().shut_down(); });
    ended = ended_by(Clock::now() + time_after_cut);
  }
  if (ended)
    close_all(deadline);
  else
    for_each([](ServedConnection& one) { one.abandon(); });
}

// Closes without the mutex, because this may take long.
void ConnectionSet::close_all(Clock::time_point deadline) {
  std::vector<std::shared_ptr<ServedConnection>> all;
  std::vector<std::unique_ptr<Listener>> listeners;
  {
    std::lock_guard lock(mutex);
    for (auto& [key, one] : open_) all.push_back(std::move(one.connection));
    open_.clear();
    count_ = 0;
    listeners.swap(listeners_);
  }
  std::vector<GracefulClose> closes;
  for (const auto& one : all)
    if (const auto close = one->graceful_close()) closes.push_back(*close);
  close_gracefully(closes, deadline);
}

}  // namespace takt::server

#include "concurrency/connections/connection_set.h"

#include <algorithm>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "concurrency/connections/connection_log.h"
#include "concurrency/connections/refusals.h"
#include "server/channel/server_channel.h"
#include "server/reports.h"

namespace takt::server {

using namespace std::chrono_literals;
using transport::AcceptError;

namespace {

constexpr int most_accepted = 4;  // at a time: some tens of microseconds
constexpr int burst = 64;         // clients that are rejected at a time because there is no descriptor
constexpr auto time_after_cut = 100ms;
constexpr const char* is_overdue =
    "the peer was silent for longer than -ORBIdleTimeout, -ORBMessageTimeout or -ORBSendTimeout allows";

// Closes a connection that is not served gracefully and without waiting, so that its client knows.
[[gnu::cold]] void refuse_because(const std::string& why, std::unique_ptr<transport::Stream> stream,
                                  Server& server) {
  server.connections_refused.fetch_add(1, std::memory_order_relaxed);
  report_closing(why, server);
  if (takes(server.log.get(), LogEvent::connection_refused))
    server.log->write({.event = LogEvent::connection_refused, .peer = stream->describe(), .reason = why});
  ServerChannel::refuse(std::move(stream), server);
}

[[gnu::cold]] void refuse_one_too_many(std::unique_ptr<transport::Stream> stream, Server& server) {
  refuse_because(std::to_string(server.options.connections) + " are open, and " +
                     server.options.connections_limit + " allows no more",
                 std::move(stream), server);
}

[[gnu::cold]] void refuse_one_too_many_of_peer(std::unique_ptr<transport::Stream> stream, Server& server) {
  refuse_because(std::to_string(server.options.peer_connections) +
                     " from one peer are open, and -ORBMaxConnectionsPerPeer allows no more",
                 std::move(stream), server);
}

}  // namespace

// The ORB may end while it begins to serve: then drain() does not know the listener.
[[gnu::cold]] void ConnectionSet::listen(std::unique_ptr<Listener> listener) {
  listener->acceptor->set_blocking(false);
  std::unique_lock lock(mutex);
  if (closing) {
    lock.unlock();
    return reject_waiting(*listener->acceptor, Clock::now() + time_after_cut);
  }
  listeners_.reserve(listeners_.size() + 1);  // a listener that is watched must be kept
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

// An acceptor that is out of descriptors may have one in reserve, with which it closes each client in turn
// until none waits.
AcceptError ConnectionSet::accept(Listener& listener) {
  std::lock_guard one_at_a_time(accepting_);
  auto error = AcceptError::would_block;
  int accepted = 0;
  for (int i = 0; i < burst && accepted < most_accepted && !closing; ++i) {
    try {
      auto stream = listener.acceptor->accept();
      if (stream) {
        ++accepted;
        error = AcceptError::would_block;
        take_in(std::move(*stream), listener.messaging);
        continue;
      }
      const auto before = std::exchange(error, stream.error());
      if (error != before) report_not_accepted(error, *server);
      if (error == AcceptError::failed) unwatch(listener);  // it would stay ready
      if (error != AcceptError::exhausted) return error;
    } catch (const std::exception& failure) {
      report_lost(failure, *server);
    }
  }
  if (error == AcceptError::exhausted) pause(listener);
  return error;
}

void ConnectionSet::pause(Listener& listener) {
  unwatch(listener);
  listener.paused = true;
  resume_at_ = Clock::now() + accept_pause;
}

// Does not wait for a thread that accepts; the next sweep_if_due() tries again.
void ConnectionSet::resume() {
  const std::unique_lock one_at_a_time(accepting_, std::try_to_lock);
  if (!one_at_a_time || closing) return;
  std::lock_guard lock(mutex);
  bool all = true;
  for (const auto& listener : listeners_) {
    if (listener->paused) listener->paused = !watch(*listener);
    all &= !listener->paused;
  }
  if (all) resume_at_ = never;
}

// Checks the limits before it allocates anything for the connection.
void ConnectionSet::take_in(std::unique_ptr<transport::Stream> stream, const giop::Messaging& messaging) {
  if (connections() >= server->options.connections) return refuse_one_too_many(std::move(stream), *server);
  auto place = peers_.admit(*stream, server->options.peer_connections);
  if (!place) return refuse_one_too_many_of_peer(std::move(stream), *server);
  if (server->observers) stream = server->observers->observed(std::move(stream), transport::OpenedBy::peer);
  const auto connection = make(std::move(stream), messaging);
  {
    std::lock_guard lock(mutex);
    open_.emplace(connection.get(), Open{connection, std::move(*place)});
    count_ = open_.size();
  }
  log_accepted(connection->stream(), *server);
  if (begin(*connection)) return;
  take_out(*connection);
  connection->stream().set_blocking(false);
  if (const auto close = connection->graceful_close()) close->out->close(close->version);
}

bool ConnectionSet::begin(ServedConnection& connection) noexcept {
  try {
    return connection.begin();
  } catch (const std::exception& failure) {
    report_lost(failure, *server);
    return false;
  }
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
  std::shared_ptr<ServedConnection> taken;
  {
    std::lock_guard lock(mutex);
    auto node = open_.extract(&connection);
    if (!node) return nullptr;
    count_ = open_.size();
    changed.notify_all();
    taken = std::move(node.mapped().connection);
  }
  log_closed(*taken, *server, stopping);
  return taken;
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
  if (now >= resume_at_.load(std::memory_order_relaxed)) [[unlikely]]
    resume();
  if (now < next_sweep_.load(std::memory_order_relaxed)) return;
  before_sweep();
  std::vector<std::shared_ptr<ServedConnection>> overdue;
  try {
    find_overdue(now, interval, overdue);
  } catch (const std::bad_alloc&) {  // the next sweep finds the others
  }
  for (const auto& one : overdue) try {
      one->give_up();
    } catch (const std::exception& failure) {
      report_lost(failure, *server);
    }
}

void ConnectionSet::find_overdue(Clock::time_point now, std::chrono::nanoseconds interval,
                                 std::vector<std::shared_ptr<ServedConnection>>& overdue) {
  const std::unique_lock lock(mutex, std::try_to_lock);
  if (!lock || stopping) return;
  next_sweep_ = now + interval;
  for (auto& [key, one] : open_) {
    if (!may_sweep(*one.connection)) continue;
    one.connection->stream().probe_silent_peer(now);
    if (!one.connection->overdue(now)) continue;
    one.connection->note_ending(is_overdue);
    overdue.push_back(one.connection);
  }
}

void ConnectionSet::count_thread(int by) {
  std::lock_guard lock(mutex);
  running_ += static_cast<unsigned>(by);
  changed.notify_all();
}

bool ConnectionSet::ended_by(Clock::time_point deadline) {
  std::unique_lock lock(mutex);
  return changed.wait_until(lock, deadline, [this] { return running_ == 0; });
}

void ConnectionSet::stop_listening(Clock::time_point deadline) {
  for (const auto& listener : listeners_) {
    std::lock_guard one_at_a_time(
        accepting_);  // held until the listener is closed, or another thread might watch it again
    unwatch(*listener);
    try {
      reject_waiting(*listener->acceptor, deadline);
    } catch (const std::exception& failure) {
      listener->acceptor->close();
      report_lost(failure, *server);
    }
  }
}

[[gnu::cold]] void ConnectionSet::close_listeners() {
  closing = true;
  std::lock_guard one_at_a_time(accepting_);
  std::lock_guard lock(mutex);
  for (const auto& listener : listeners_) listener->acceptor->close();
}

[[gnu::cold]] bool ConnectionSet::begin_closing() {
  std::lock_guard lock(mutex);
  return !closing.exchange(true);
}

void ConnectionSet::drain(Clock::time_point deadline) {
  if (begin_closing()) {
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
  if (ended) server->due_answers.wait_until(deadline);
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
  std::unordered_map<const ServedConnection*, Open> all;
  std::vector<std::unique_ptr<Listener>> listeners;
  {
    std::lock_guard lock(mutex);
    all.swap(open_);
    count_ = 0;
    listeners.swap(listeners_);
  }
  for (const auto& [key, one] : all) log_closed(*one.connection, *server, true);
  try {
    std::vector<GracefulClose> closes;
    for (const auto& [key, one] : all)
      if (const auto close = one.connection->graceful_close()) closes.push_back(*close);
    close_gracefully(closes, deadline);
  } catch (const std::exception& failure) {  // the others are closed without it
    report_lost(failure, *server);
  }
}

}  // namespace takt::server

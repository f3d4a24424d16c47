#include "server/thread_per_connection.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>

#include "os/poll/wait.h"
#include "os/threads/priority_condition.h"
#include "os/threads/priority_mutex.h"
#include "os/threads/thread.h"
#include "server/read_delay.h"
#include "server/refusals.h"
#include "server/server_channel.h"

namespace takt::server {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Progress = ServerChannel::Progress;

namespace {
// Then a peer that does not read is given up; stop() may cut the stream before.
constexpr std::chrono::seconds farewell_time{10};
}  // namespace

// What the threads and their owner share; each thread holds it, since one that is stuck in an upcall may
// outlive the ORB's patience.
struct ThreadPerConnection::Shared : std::enable_shared_from_this<Shared> {
  // A connection for which there was room: it leaves when its thread ends, or when there is none for it.
  struct Admitted {
    Admitted(Shared& to, std::unique_ptr<transport::Stream> accepted, giop::Messaging with)
        : shared(&to), stream(std::move(accepted)), messaging(with) {}
    ~Admitted() {
      if (stream) leave();
    }
    std::unique_ptr<transport::Stream> leave() {
      shared->leave(stream.get());
      return std::move(stream);
    }
    Shared* shared;
    std::unique_ptr<transport::Stream> stream;
    PeerConnections::Place place;
    giop::Messaging messaging;
  };
  struct Served {
    ServerChannel* channel = nullptr;            // null until its thread is there
    Clock::time_point served_at = Clock::now();  // a request, as the last sweep saw it
  };

  // While its thread has the channel; stop() knows of it.
  class Open {
   public:
    Open(Shared& shared, const transport::Stream* stream, ServerChannel& channel)
        : shared_(shared), stream_(stream), begun_(shared.begin(stream, channel)) {}
    ~Open() { leave(); }
    bool begun() const { return begun_; }  // else stop() came first
    void leave() {
      if (stream_) shared_.leave(std::exchange(stream_, nullptr));
    }

   private:
    Shared& shared_;
    const transport::Stream* stream_;
    const bool begun_;
  };

  explicit Shared(std::shared_ptr<Server> all) : server(std::move(all)) {}

  const std::shared_ptr<Server> server;
  std::atomic<bool> closing{false};   // nobody comes any more
  std::atomic<bool> stopping{false};  // and nobody is served any more

  PeerConnections peers;

  os::PriorityMutex mutex;
  os::PriorityCondition changed;
  std::unordered_map<const transport::Stream*, Served> open;
  bool sweeping = false;
  std::vector<std::unique_ptr<transport::Acceptor>> acceptors;
  std::size_t threads = 0;  // that still run, acceptors' included

  // An errno value, or 0.
  int start(const char* name, std::move_only_function<void()> body);
  void accept_from(transport::Acceptor& acceptor, giop::Messaging messaging);
  void start_serving(std::unique_ptr<transport::Stream> stream, giop::Messaging messaging);
  void serve(Admitted& admitted) noexcept;
  void serve_on(ServerChannel& channel, const transport::Stream* accepted);
  bool accept_one(transport::Acceptor& acceptor, giop::Messaging messaging,
                  std::vector<std::unique_ptr<transport::Stream>>& too_late);
  Progress serve_until_stopped(ServerChannel& channel);
  void wait_to_read();
  bool enter(const transport::Stream* stream);
  bool begin(const transport::Stream* stream, ServerChannel& channel);
  void leave(const transport::Stream* stream);
  void thread_ended();
  void begin_sweeping();
  void sweep();
  void stop_listening(Clock::time_point deadline);
};

int ThreadPerConnection::Shared::start(const char* name, std::move_only_function<void()> body) {
  {
    std::lock_guard lock(mutex);
    ++threads;
  }
  auto thread =
      os::Thread::start({.name = name}, [self = shared_from_this(), body = std::move(body)]() mutable {
        body();
        body = nullptr;
        self->thread_ended();
      });
  if (!thread) {
    thread_ended();
    return thread.error();
  }
  thread->detach();
  return 0;
}

void ThreadPerConnection::Shared::thread_ended() {
  std::lock_guard lock(mutex);
  --threads;
  changed.notify_all();
}

bool ThreadPerConnection::Shared::enter(const transport::Stream* stream) {
  std::lock_guard lock(mutex);
  if (stopping || open.size() >= server->options.connections) return false;
  open.emplace(stream, Served());
  return true;
}

// False: stop() came first.
bool ThreadPerConnection::Shared::begin(const transport::Stream* stream, ServerChannel& channel) {
  std::lock_guard lock(mutex);
  open[stream].channel = &channel;
  return !stopping;
}

void ThreadPerConnection::Shared::leave(const transport::Stream* stream) {
  std::lock_guard lock(mutex);
  open.erase(stream);
}

// A connection for which there is no room, or no thread, is closed at once. The others never notice.
void ThreadPerConnection::Shared::start_serving(std::unique_ptr<transport::Stream> stream,
                                                giop::Messaging messaging) {
  const auto admitted = std::make_shared<Admitted>(*this, std::move(stream), messaging);
  if (!enter(admitted->stream.get())) {
    if (stopping) return ServerChannel::refuse(std::move(admitted->stream), *server);
    return refuse_one_too_many(std::move(admitted->stream), *server);
  }
  auto place = peers.admit(*admitted->stream, server->options.peer_connections);
  if (!place) return refuse_one_too_many_of_peer(admitted->leave(), *server);
  admitted->place = std::move(*place);
  begin_sweeping();
  if (const int error = start("takt-connection", [this, admitted] { serve(*admitted); }))
    refuse_without_thread(admitted->leave(), *server, error);
}

void ThreadPerConnection::Shared::accept_from(transport::Acceptor& acceptor, giop::Messaging messaging) {
  std::vector<std::unique_ptr<transport::Stream>> too_late;
  while (accept_one(acceptor, messaging, too_late)) continue;
  turn_away(too_late, Clock::now() + farewell_time);
}

// False: there will be no more.
bool ThreadPerConnection::Shared::accept_one(transport::Acceptor& acceptor, giop::Messaging messaging,
                                             std::vector<std::unique_ptr<transport::Stream>>& too_late) {
  try {
    auto stream = acceptor.accept();
    if (stream) {
      if (closing)
        too_late.push_back(std::move(*stream));
      else
        start_serving(std::move(*stream), messaging);
      return true;
    }
    if (stream.error() != transport::AcceptError::exhausted || closing) return false;
    tell_not_accepted(stream.error(), *server);
  } catch (const std::exception& failure) {
    tell_lost(failure, *server);
  }
  std::unique_lock lock(mutex);  // somebody must close before the next can come
  changed.wait_until(lock, Clock::now() + std::chrono::milliseconds(100));
  return true;
}

void ThreadPerConnection::Shared::serve(Admitted& admitted) noexcept {
  const transport::Stream* const accepted = admitted.stream.get();  // which may get wrapped
  std::optional<ServerChannel> channel;
  try {
    channel.emplace(std::move(admitted.stream), ServerChannel::Waiting::blocking, *server,
                    admitted.messaging);
  } catch (const std::exception& failure) {
    leave(accepted);
    return tell_lost(failure, *server);
  }
  try {
    serve_on(*channel, accepted);
  } catch (const std::exception& failure) {
    tell_lost(failure, *server);
  }
}

void ThreadPerConnection::Shared::serve_on(ServerChannel& channel, const transport::Stream* accepted) {
  channel.stream().set_timeouts({}, server->options.send_timeout);
  channel.stream().set_silence_limit(server->options.idle_timeout);
  channel.allow_hand_over();
  Open open_here(*this, accepted, channel);
  if (open_here.begun() && serve_until_stopped(channel) == Progress::hand_over) {
    open_here.leave();
    return channel.hand_over();
  }
  if (const auto parting = channel.parting()) part_from({&*parting, 1}, Clock::now() + farewell_time);
}

Progress ThreadPerConnection::Shared::serve_until_stopped(ServerChannel& channel) {
  bool armed_for_message = false;
  while (!stopping.load(std::memory_order_relaxed)) {
    const Progress progress = channel.serve();
    if (progress >= Progress::closed) [[unlikely]]
      return progress;
    if (ReadDelay::asked()) [[unlikely]]
      wait_to_read();
    if (channel.waited_in_upcall() || channel.mid_message() != armed_for_message) [[unlikely]] {
      armed_for_message = channel.mid_message();
      channel.give_back_memory(busy_buffer_bytes);
      channel.stream().set_silence_limit(armed_for_message ? server->protocol.limits->message_time
                                                           : server->options.idle_timeout);
    }
  }
  return Progress::closed;
}

[[gnu::cold]] void ThreadPerConnection::Shared::wait_to_read() {
  std::unique_lock lock(mutex);
  changed.wait_until(lock, ReadDelay::take(), [this] { return stopping.load(); });
}

void ThreadPerConnection::Shared::begin_sweeping() {
  {
    std::lock_guard lock(mutex);
    if (std::exchange(sweeping, true)) return;
  }
  if (start("takt-idle", [this] { sweep(); }) == 0) return;
  std::lock_guard lock(mutex);
  sweeping = false;  // the next connection tries again
}

// A peer that sends no request, but other things, ends none of its connection's waits: so it is found here.
void ThreadPerConnection::Shared::sweep() {
  std::unique_lock lock(mutex);
  auto next = Clock::now();
  while (!stopping) {
    changed.wait_until(lock, next, [this] { return stopping.load(); });
    const auto now = next = Clock::now();
    next += std::clamp<std::chrono::nanoseconds>(server->options.idle_timeout.get() / 8, sweep_interval, 10s);
    for (auto& [stream, one] : open) {
      if (!one.channel || one.channel->take_activity()) one.served_at = now;
      if (is_idle(now - one.served_at, true, *server)) one.channel->stop_reading();
    }
  }
}

// The threads that accept take those that are waiting, and tell them once nobody can come any more.
void ThreadPerConnection::Shared::stop_listening(Clock::time_point deadline) {
  for (auto& acceptor : acceptors) acceptor->stop_new_attempts();
  for (auto& acceptor : acceptors) {
    while (Clock::now() < deadline && os::wait_ready(acceptor->native_handle(), os::Interest::read,
                                                     Clock::now() + handshake_time) == os::WaitResult::ready)
      std::this_thread::sleep_for(1ms);
    acceptor->close();
  }
}

ThreadPerConnection::ThreadPerConnection(std::shared_ptr<Server> server)
    : shared_(std::make_shared<Shared>(std::move(server))) {}

ThreadPerConnection::~ThreadPerConnection() { stop(std::chrono::nanoseconds::zero()); }

void ThreadPerConnection::add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) {
  transport::Acceptor* listening = acceptor.get();
  listening->set_blocking(true);
  const int error = shared_->start("takt-accept", [shared = shared_.get(), listening, messaging] {
    shared->accept_from(*listening, messaging);
  });
  if (error != 0) throw_cannot_accept(error);
  std::lock_guard lock(shared_->mutex);
  shared_->acceptors.push_back(std::move(acceptor));
}

void ThreadPerConnection::stop(std::chrono::nanoseconds bound) {
  wake_permanently();
  const auto deadline = stop_deadline(bound);
  const auto all_ended = [this] { return shared_->threads == 0; };
  if (!shared_->closing.exchange(true)) shared_->stop_listening(deadline);
  std::unique_lock lock(shared_->mutex);
  shared_->stopping = true;
  for (auto& [stream, one] : shared_->open)
    if (one.channel) one.channel->stop_reading();
  shared_->changed.notify_all();
  if (!shared_->changed.wait_until(lock, deadline, all_ended)) {
    for (auto& [stream, one] : shared_->open)
      if (one.channel) one.channel->cut();
    // What still runs now is an upcall that does not return; its thread ends with it.
    shared_->changed.wait_for(lock, std::chrono::milliseconds(100), all_ended);
  }
}

std::size_t ThreadPerConnection::connections() const {
  std::lock_guard lock(shared_->mutex);
  return shared_->open.size();
}

}  // namespace takt::server

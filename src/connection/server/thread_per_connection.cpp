#include "connection/server/thread_per_connection.h"

#include <algorithm>
#include <unordered_set>

#include "connection/server/server_channel.h"
#include "os/thread.h"

namespace takt::connection {

using Progress = ServerChannel::Progress;

// What the threads and their owner share; each thread holds it, since one that is stuck in an upcall may
// outlive the ORB's patience.
struct ThreadPerConnection::Shared : std::enable_shared_from_this<Shared> {
  // A connection for which there was room: it leaves when its thread ends, or when there is none for it.
  struct Admitted {
    Admitted(Shared& to, std::unique_ptr<transport::Stream> accepted)
        : shared(&to), stream(std::move(accepted)) {}
    Admitted(Admitted&&) = default;
    ~Admitted() {
      if (stream) shared->leave(*stream);
    }
    Shared* shared;
    std::unique_ptr<transport::Stream> stream;
  };

  Shared(std::shared_ptr<OrbCore> orb, const ServerLimits& bounds) : core(std::move(orb)), limits(bounds) {}

  const std::shared_ptr<OrbCore> core;
  const ServerLimits limits;
  std::atomic<bool> stopping{false};

  std::mutex mutex;
  std::condition_variable changed;
  std::unordered_set<transport::Stream*> open;
  std::vector<std::unique_ptr<transport::Acceptor>> acceptors;
  std::size_t threads = 0;  // that still run, acceptors' included

  bool start(const char* name, std::move_only_function<void()> body);
  void accept_from(transport::Acceptor& acceptor);
  void serve(Admitted&& admitted);
  bool enter(transport::Stream& stream);
  void leave(transport::Stream& stream);
  void thread_ended();
};

bool ThreadPerConnection::Shared::start(const char* name, std::move_only_function<void()> body) {
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
    return false;
  }
  thread->detach();
  return true;
}

void ThreadPerConnection::Shared::thread_ended() {
  std::lock_guard lock(mutex);
  --threads;
  changed.notify_all();
}

bool ThreadPerConnection::Shared::enter(transport::Stream& stream) {
  std::lock_guard lock(mutex);
  if (stopping || open.size() >= limits.connections) return false;
  open.insert(&stream);
  return true;
}

void ThreadPerConnection::Shared::leave(transport::Stream& stream) {
  std::lock_guard lock(mutex);
  open.erase(&stream);
}

// A connection for which there is no room is closed at once, in good order and without a thread; one for
// which there is no thread, without a word. The others never notice.
void ThreadPerConnection::Shared::accept_from(transport::Acceptor& acceptor) {
  while (!stopping) {
    auto stream = acceptor.accept();
    if (!stream) {
      if (stopping || stream.error() != transport::AcceptError::exhausted) return;
      std::unique_lock lock(mutex);  // somebody must close before the next can come
      changed.wait_for(lock, std::chrono::milliseconds(100));
      continue;
    }
    if (!enter(**stream)) {
      ServerChannel::refuse(std::move(*stream), *core);
      continue;
    }
    start("takt-connection",
          [this, admitted = Admitted(*this, std::move(*stream))]() mutable { serve(std::move(admitted)); });
  }
}

void ThreadPerConnection::Shared::serve(Admitted&& admitted) {
  ServerChannel channel(std::move(admitted.stream), ServerChannel::Waiting::blocking, *core);
  bool armed_for_message = false;
  channel.stream().set_timeouts({}, limits.send_timeout);
  channel.stream().give_up_reading_after(limits.idle_timeout);
  while (!stopping.load(std::memory_order_relaxed)) {
    if (channel.serve() == Progress::closed) break;
    if (channel.waited_in_upcall() || channel.mid_message() != armed_for_message) [[unlikely]] {
      armed_for_message = channel.mid_message();
      channel.stream().give_up_reading_after(armed_for_message ? limits.message_timeout
                                                               : limits.idle_timeout);
    }
  }
  if (stopping) channel.close_orderly();
  leave(channel.stream());
}

ThreadPerConnection::ThreadPerConnection(std::shared_ptr<OrbCore> core, const ServerLimits& limits)
    : shared_(std::make_shared<Shared>(std::move(core), limits)) {}

ThreadPerConnection::~ThreadPerConnection() { stop(std::chrono::nanoseconds::zero()); }

void ThreadPerConnection::add(std::unique_ptr<transport::Acceptor> acceptor) {
  transport::Acceptor* listening = acceptor.get();
  listening->set_blocking(true);
  {
    std::lock_guard lock(shared_->mutex);
    shared_->acceptors.push_back(std::move(acceptor));
  }
  shared_->start("takt-accept", [shared = shared_.get(), listening] { shared->accept_from(*listening); });
}

void ThreadPerConnection::stop(std::chrono::nanoseconds bound) {
  wake_for_good();
  const auto all_ended = [this] { return shared_->threads == 0; };
  std::unique_lock lock(shared_->mutex);
  shared_->stopping = true;
  for (auto& acceptor : shared_->acceptors) acceptor->close();
  for (transport::Stream* stream : shared_->open) stream->shut_down_reading();
  shared_->changed.notify_all();
  if (!shared_->changed.wait_for(lock, bound, all_ended)) {
    for (transport::Stream* stream : shared_->open) stream->shut_down();
    // What still runs now is an upcall that does not return; its thread ends with it.
    shared_->changed.wait_for(lock, std::chrono::milliseconds(100), all_ended);
  }
}

std::size_t ThreadPerConnection::connections() const {
  std::lock_guard lock(shared_->mutex);
  return shared_->open.size();
}

}  // namespace takt::connection

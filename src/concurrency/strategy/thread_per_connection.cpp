#include "concurrency/strategy/thread_per_connection.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>

#include "concurrency/connections/connection_set.h"
#include "concurrency/connections/refusals.h"
#include "concurrency/strategy/read_delay.h"
#include "server/channel/server_channel.h"
#include "server/reports.h"

namespace takt::server {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Progress = ServerChannel::Progress;
using os::Interest;

namespace {
// Limit of a graceful close for a peer that does not read. The drain may cut the stream earlier.
constexpr std::chrono::seconds close_time{10};
}  // namespace

class ThreadPerConnection::Connections final : public ConnectionSet {
 public:
  Connections(std::shared_ptr<Server> all, std::unique_ptr<os::SharedPoll> shared_poll)
      : ConnectionSet(std::move(all)), poll_(std::move(shared_poll)) {}

  void add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging);
  // Makes a connection's thread wait before it reads on, as the dispatcher has asked.
  void wait_to_read();
  using ConnectionSet::start_thread;
  using ConnectionSet::take_out;
  // Waits for late answers in a connection's thread, before it closes the connection because the server ends.
  void await_answers() const { server->due_answers.wait_until(ends_by.load()); }
  std::atomic<Clock::time_point> ends_by{Clock::time_point::max()};

 private:
  bool watch(Listener& listener) override {
    return poll_->add(listener.acceptor->native_handle(), Interest::read, &listener,
                      os::SharedPoll::Watching::always);
  }
  void unwatch(Listener& listener) override { poll_->remove(listener.acceptor->native_handle()); }
  std::shared_ptr<ServedConnection> make(std::unique_ptr<transport::Stream> stream,
                                         const giop::Messaging& messaging) override;
  void end_threads() override;
  void accept_and_sweep();

  const std::unique_ptr<os::SharedPoll> poll_;
  std::atomic<bool> accepts_{false};
};

// The connection's own thread closes it and takes it out of the set.
class ThreadPerConnection::Serving final : public ServedConnection {
 public:
  Serving(Connections& all, std::unique_ptr<transport::Stream> stream, const giop::Messaging& messaging)
      : all_(all), channel_(std::move(stream), ServerChannel::Waiting::blocking, *all.server, messaging) {
    channel_.stream().set_blocking(true);
    channel_.stream().set_timeouts({}, options().send_timeout);
    channel_.stream().set_silence_limit(options().idle_timeout);
    channel_.allow_hand_over();
  }

  transport::Stream& stream() override { return channel_.stream(); }
  bool begin() override;
  // Finds idle peers that send other messages than requests. The thread's read timeout does not find them.
  bool overdue(Clock::time_point now) override {
    if (channel_.take_activity()) served_at_ = now;
    return is_idle(now - served_at_, true, *all_.server);
  }
  void give_up() override { channel_.stop_reading(); }
  std::optional<GracefulClose> graceful_close() override { return channel_.graceful_close(); }
  ConnectionEnding ending() const override { return channel_.ending(); }
  void stop_reading() { channel_.stop_reading(); }

 private:
  const ServerOptions& options() const { return all_.server->options; }
  void serve() noexcept;
  Progress serve_until_stopped();

  Connections& all_;
  ServerChannel channel_;
  Clock::time_point served_at_ = Clock::now();  // time of the last request, as seen by sweeps
};

bool ThreadPerConnection::Serving::begin() {
  const int error =
      all_.start_thread({.name = "takt-connection", .use = ThreadUse::upcalls}, [this] { serve(); });
  if (error == 0) return true;
  report_no_thread(error, *all_.server);
  return false;
}

void ThreadPerConnection::Serving::serve() noexcept {
  std::shared_ptr<ServedConnection> self;  // if this is out of the set, destroys it at the end
  try {
    if (serve_until_stopped() == Progress::hand_over) {
      self = all_.take_out(*this);
      channel_.hand_over();
    } else {
      if (all_.stopping && channel_.owes_answers()) all_.await_answers();
      if (const auto close = channel_.graceful_close())
        close_gracefully({&*close, 1}, Clock::now() + close_time);
    }
  } catch (const std::exception& failure) {
    report_lost(failure, *all_.server);
  }
  if (!self) self = all_.take_out(*this);
}

Progress ThreadPerConnection::Serving::serve_until_stopped() {
  const auto& stopping = all_.stopping;
  while (!stopping.load(std::memory_order_relaxed)) {
    const Progress progress = channel_.serve();
    if (progress >= Progress::closed) [[unlikely]]
      return progress;
    if (ReadDelay::asked()) [[unlikely]]
      all_.wait_to_read();
  }
  return Progress::closed;
}

std::shared_ptr<ServedConnection> ThreadPerConnection::Connections::make(
    std::unique_ptr<transport::Stream> stream, const giop::Messaging& messaging) {
  return std::make_shared<Serving>(*this, std::move(stream), messaging);
}

void ThreadPerConnection::Connections::add(std::unique_ptr<transport::Acceptor> acceptor,
                                           giop::Messaging messaging) {
  if (!accepts_.exchange(true))
    if (const int error = start_thread({.name = "takt-accept"}, [this] { accept_and_sweep(); })) {
      accepts_ = false;  // the next add() tries again
      throw_cannot_accept(error);
    }
  listen(std::make_unique<Listener>(std::move(acceptor), messaging));
}

void ThreadPerConnection::Connections::accept_and_sweep() {
  while (!stopping) {
    const auto interval =
        std::clamp<std::chrono::nanoseconds>(server->options.idle_timeout.get() / 8, sweep_interval, 10s);
    const bool idle = connections() == 0;
    const auto ready = poll_->wait(accepting_paused() ? std::chrono::nanoseconds(accept_pause)
                                   : idle             ? 1h
                                                      : interval);
    if (ready && ready->token) accept(*static_cast<Listener*>(ready->token));
    sweep_if_due(interval);
  }
}

[[gnu::cold]] void ThreadPerConnection::Connections::wait_to_read() {
  std::unique_lock lock(mutex);
  changed.wait_until(lock, ReadDelay::take(), [this] { return stopping.load(); });
}

void ThreadPerConnection::Connections::end_threads() {
  poll_->wake_permanently();
  for_each([](ServedConnection& one) { static_cast<Serving&>(one).stop_reading(); });
}

ThreadPerConnection::ThreadPerConnection(std::shared_ptr<Server> server, std::unique_ptr<os::SharedPoll> poll)
    : connections_(std::make_shared<Connections>(std::move(server), std::move(poll))) {}

ThreadPerConnection::~ThreadPerConnection() { stop(0ns); }

void ThreadPerConnection::add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) {
  connections_->add(std::move(acceptor), messaging);
}

void ThreadPerConnection::stop(std::chrono::nanoseconds bound) {
  wake_permanently();
  const auto deadline = stop_deadline(bound);
  connections_->ends_by = deadline;
  connections_->drain(deadline);
}

std::size_t ThreadPerConnection::connections() const { return connections_->connections(); }

}  // namespace takt::server

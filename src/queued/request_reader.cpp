#include "queued/request_reader.h"

#include <algorithm>
#include <thread>

#include "concurrency/connections/refusals.h"
#include "os/poll/wait.h"
#include "server/reports.h"

namespace takt::server {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using os::Interest;
using os::SharedPoll;

RequestReader::RequestReader(std::shared_ptr<Server> all, PollAndStreams waiting, const PoolThreads& like)
    : ConnectionSet(std::move(all)), waiting_(std::move(waiting)), threads_(like) {
  if (delayed_.fd() >= 0) poll_->add(delayed_.fd(), Interest::read, &delayed_, SharedPoll::Watching::once);
}

int RequestReader::start() {
  found_ = os::scheduling();
  const int error = start_one(&RequestReader::read);
  return error || !guard_ ? error : start_one(&RequestReader::guard_reader);
}

int RequestReader::start_one(void (RequestReader::*body)()) {
  return start_thread({.name = threads_.name, .stack_bytes = threads_.stack_bytes}, [this, body] {
    if (threads_.begin) threads_.begin();
    threads_.prepare();
    (this->*body)();
  });
}

// With a schedule, no upcall keeps the reader from a more urgent request, and no reader that a filter holds
// up keeps away its guard. If the process may not set that scheduling, the queues' threads report it.
std::optional<os::Scheduling> RequestReader::above_queues(bool guards) const {
  if (threads_.in_lane || !server->schedule) return std::nullopt;
  auto wanted = server->schedule->reader_scheduling();
  if (!wanted) return wanted;
  if (found_.scheduling_class != os::SchedulingClass::other && found_.priority > wanted->priority)
    wanted = found_;
  if (guards)
    wanted->priority =
        std::min(wanted->priority + 1, os::native_priorities(wanted->scheduling_class).highest);
  return wanted;
}

void RequestReader::follow_schedule(std::optional<os::Scheduling>& runs_at, bool guards) const {
  const auto wanted = above_queues(guards);
  if (wanted == runs_at) [[likely]]
    return;
  runs_at = wanted;
  if (wanted) static_cast<void>(os::set_scheduling(*wanted));
}

void RequestReader::read() {
  std::optional<os::Scheduling> runs_at;
  follow_schedule(runs_at, false);
  if (guard_ && !guard_->take_place()) return;
  const os::SharedLoan::Borrowing borrowing(loan_);
  while (!stopping.load(std::memory_order_relaxed) && (!guard_ || guard_->in_place())) {
    const auto ready = poll_->wait(sweep_interval);
    follow_schedule(runs_at, false);
    try {
      if (ready && ready->token) on_ready(ready->token, ready->interest);
      if (!guard_ || guard_->in_place()) sweep_if_due();
    } catch (const std::exception& failure) {  // channels catch their own exceptions
      report_lost(failure, *server);
    }
  }
  poll_->leave();
}

// If no thread can be started, this tries again.
void RequestReader::guard_reader() {
  std::optional<os::Scheduling> runs_at;
  follow_schedule(runs_at, true);
  while (!stopping)
    if (guard_->wait_until_held_up()) start_one(&RequestReader::read);
}

void RequestReader::watch(QueuedChannel& channel, Interest interest) {
  poll_->again(channel.stream().native_handle(), interest, &channel, SharedPoll::Watching::once);
}

// A channel that ends meanwhile is kept alive until then.
bool RequestReader::delay(QueuedChannel& channel, Clock::time_point until) {
  return delayed_.fd() >= 0 && delayed_.add(channel.shared_from_this(), until);
}

// Channels are watched once, so that the poll does not report the one that is being read.
bool RequestReader::others_wait(QueuedChannel& channel) {
  if (waiting_.ring_has_others) return waiting_.ring_has_others(*poll_, channel.stream().native_handle());
  return os::wait_ready(poll_->fd(), Interest::read, Clock::now()) == os::WaitResult::ready;
}

// Watches them for writing too, so that the reader looks at each of them at once.
void RequestReader::read_on_where_due() {
  for (const auto& channel : delayed_.take_due(Clock::now()))
    watch(*channel, Interest::read | Interest::write);
  poll_->again(delayed_.fd(), Interest::read, &delayed_, SharedPoll::Watching::once);
}

void RequestReader::on_ready(void* token, Interest interest) {
  if (token == &delayed_) return read_on_where_due();
  if (Listener* const listener = listener_at(token)) {
    accept(*listener);
    return;
  }
  auto* const channel = static_cast<QueuedChannel*>(token);
  if (guard_) return on_ready_guarded(channel, interest);
  if (!channel->on_ready(interest)) end(*channel);
}

// Another reader may be in the channel, or may have ended it since the poll reported it.
void RequestReader::on_ready_guarded(QueuedChannel* token, Interest interest) {
  const auto channel = std::static_pointer_cast<QueuedChannel>(connection_at(token));
  if (!channel || !guard_->enter(*channel)) return;
  const bool goes_on = channel->on_ready(interest);
  const bool again = guard_->leave(*channel);
  if (!goes_on)
    end(*channel);
  else if (again)
    watch(*channel, Interest::read | Interest::write);
}

void RequestReader::add(std::unique_ptr<transport::Acceptor> acceptor, giop::Messaging messaging) {
  listen(std::make_unique<Listener>(std::move(acceptor), messaging));
}

bool RequestReader::watch(Listener& listener) {
  return poll_->add(listener.acceptor->native_handle(), Interest::read, &listener,
                    SharedPoll::Watching::always);
}

std::shared_ptr<ServedConnection> RequestReader::make(std::unique_ptr<transport::Stream> stream,
                                                      const giop::Messaging& messaging) {
  return std::make_shared<QueuedChannel>(
      waiting_.adopt(std::move(stream)), *server, *this,
      giop::Connection(giop::Connection::Role::server, *server->protocol.limits, messaging,
                       server->protocol.methods_of(messaging)));
}

bool RequestReader::begin(QueuedChannel& channel) {
  if (poll_->add(channel.stream().native_handle(), Interest::read, &channel, SharedPoll::Watching::once))
    return true;
  report_not_watched(*server);
  return false;
}

// Watches for writing too, so that the reader looks at once: workers may have left it something to do.
void RequestReader::begin_watching(QueuedChannel& channel) {
  if (!poll_->add(channel.stream().native_handle(), Interest::read | Interest::write, &channel,
                  SharedPoll::Watching::once))
    end(channel);
}

void RequestReader::end(QueuedChannel& channel) {
  channel.close();
  poll_->remove(channel.stream().native_handle());
  take_out(channel);
}

bool RequestReader::may_sweep(const ServedConnection& connection) const {
  return !guard_ || !guard_->is_held(static_cast<const QueuedChannel&>(connection));
}

// Upcalls in progress may wait for replies of their clients, which the reader must read for them.
void RequestReader::finish_reading(Clock::time_point deadline) {
  const auto upcalls_wait = [this] {
    bool upcall = false, reply_due = false;
    for_each([&](ServedConnection& one) {
      auto& channel = static_cast<QueuedChannel&>(one);
      channel.begin_no_more();
      upcall |= channel.pending() > 0;
      reply_due |= channel.waits_for_reply();
    });
    return upcall && reply_due;
  };
  while (upcalls_wait() && Clock::now() < deadline) std::this_thread::sleep_for(2ms);
}

void RequestReader::end_threads() {
  poll_->wake_permanently();
  if (guard_) guard_->over();
}

}  // namespace takt::server

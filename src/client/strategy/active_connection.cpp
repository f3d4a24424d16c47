#include "client/strategy/active_connection.h"

#include <algorithm>
#include <cerrno>
#include <mutex>

#include <takt/base/probe_site.h>

#include "client/channel/failure.h"
#include "giop/close.h"
#include "os/reactor/epoll_reactor.h"

namespace takt::client {

using os::Interest;
using transport::IoResult;
using transport::IoStatus;
using Status = Exchange::Status;

namespace {

constexpr int writes_at_once = 16;  // limit of writes before replies are read again
// A longer request is not written with the lock held, as other callers need it.
constexpr std::size_t most_written_at_once = 16 * 1024;

Exchange not_sent(Status status, const char* reason) {
  Exchange end;
  end.status = status;
  end.phase = "send";
  end.reason = reason;
  return end;
}

Exchange out_of_memory() {
  Exchange end = not_sent(Status::no_memory, "there is no memory to send and receive");
  end.sent_in_part = true;
  return end;
}

}  // namespace

std::expected<std::shared_ptr<ActiveConnection>, int> ActiveConnection::begin(
    std::unique_ptr<transport::Stream> stream, const Client& client, const giop::Messaging& messaging,
    std::shared_ptr<ChannelRegistry> registry, std::function<void()> prepare, std::size_t chains) {
  auto reactor = os::EpollReactor::create();
  if (!reactor) return std::unexpected(reactor.error());
  std::shared_ptr<ActiveConnection> connection(
      new ActiveConnection(std::move(stream), client, messaging, std::move(*reactor), chains));
  if (!registry->add(*connection->stream_)) throw_orb_down();
  connection->registry_ = std::move(registry);
  auto thread =
      os::Thread::start({.name = "takt-client-io"},
                        [self = connection.get(), prepare = std::move(prepare)] { self->run(prepare); });
  if (!thread) return std::unexpected(thread.error());
  connection->thread_ = std::move(*thread);
  return connection;
}

ActiveConnection::ActiveConnection(std::unique_ptr<transport::Stream> stream, const Client& client,
                                   const giop::Messaging& messaging, std::unique_ptr<os::Reactor> reactor,
                                   std::size_t chains)
    : stream_(std::move(stream)),
      limits_(client.protocol.limits),
      methods_(client.protocol.all_methods),
      fragment_bytes_(client.protocol.fragment_bytes),
      max_waiting_(limits_->outstanding_requests),
      usual_timeout_(client.options.round_trip_timeout),
      names_(giop::lite::names_for(messaging)),
      queue_(max_waiting_, client.options.send_queue_bytes),
      waiting_(chains),
      reactor_(std::move(reactor)),
      protocol_(giop::Connection::Role::client, *limits_, messaging, client.protocol.methods_of(messaging)) {
  stream_->set_blocking(false);
  repeats_ = stream_->next_read_deadline() != os::no_deadline;
  if (stream_->write_waits_for_read()) waits_to_write_for_ = Interest::read;
}

ActiveConnection::~ActiveConnection() {
  stopping_ = true;
  reactor_->notify();
  thread_.join();
  if (registry_) registry_->remove(*stream_, ended_);
}

Exchange ActiveConnection::exchange(const Outgoing& call, Caller& caller) {
  const Packed packed = pack(call.request, caller);
  if (auto end = enqueue(call, packed, caller)) return *end;
  return wait(call, caller);
}

// Call with mutex_ held.
Exchange ActiveConnection::failed_before() const {
  Exchange end = not_sent(refused_ ? Status::failed : Status::retry, "the connection failed before");
  if (refused_) end.error = EACCES;
  return end;
}

bool ActiveConnection::is_one_piece(const GatherBuffer& request) const {
  return request.contiguous() && (fragment_bytes_ == 0 || request.size() <= fragment_bytes_);
}

// A copy is needed because the request may be written after its caller has gone. The queue copies short
// requests itself.
[[gnu::always_inline]] inline ActiveConnection::Packed ActiveConnection::pack(const GatherBuffer& request,
                                                                              Caller& caller) const {
  if (is_one_piece(request)) [[likely]] {
    const ByteView octets(request.owned(), request.size());
    if (octets.size() <= SendQueue::most_copied_bytes) return {octets, true};
    caller.message.assign(octets.begin(), octets.end());
    return {octets, false};
  }
  caller.pieces.clear();
  giop::fragment(request, fragment_bytes_, caller.pieces, caller.fragment_headers);
  caller.message.clear();
  for (const ByteView piece : caller.pieces)
    caller.message.insert(caller.message.end(), piece.begin(), piece.end());
  return {caller.message, false};
}

// nullopt: wait for the result.
std::optional<Exchange> ActiveConnection::enqueue(const Outgoing& call, const Packed& packed,
                                                  Caller& caller) {
  const bool waits_for_system = !call.response_expected && !call.at_once;
  bool was_empty;
  {
    std::lock_guard lock(mutex_);
    if (broken()) return failed_before();
    if (call.response_expected && waiting_.size() >= max_waiting_) return refused(too_many_outstanding);
    if (!queue_.has_room_for(packed.octets.size()))
      return refused("as much waits to be sent as -ORBSendQueueSize and -ORBMaxOutstandingRequests allow");
    was_empty = queue_.empty();
    note_caller(caller);
    Waiter* const when_sent = waits_for_system || caller.tells_left ? &caller : nullptr;
    caller.queued_as = packed.is_copied ? queue_.add_copy(call.request_id, packed.octets, when_sent)
                                        : queue_.add(call.request_id, caller.message, when_sent);
    if (call.response_expected) waiting_.add(call.request_id, caller);
    has_work_.store(true, std::memory_order_relaxed);
  }
  TAKT_PROBE(client_io);
  if (was_empty) wake_thread();  // otherwise the thread is already notified, or waits for the peer
  TAKT_PROBE(client_transport_receive);
  if (call.response_expected || waits_for_system) return std::nullopt;
  Exchange queued;
  queued.status = Status::sent;
  return queued;
}

// Call with mutex_ held.
void ActiveConnection::note_caller(Caller& caller) {
  caller.answered.store(false, std::memory_order_relaxed);
  // A call that a handler in the connection's own thread makes is as urgent as the one that it handles.
  caller.urgency = read_here_ == this ? handing_on_ : os::remembered_urgency();
  if (caller.urgency != 0) loan_.raise(caller.urgency);
}

// Whether the calling thread may write in place of the connection's, which would have to know of the times
// and octets of a stream that paces itself.
bool ActiveConnection::may_write_here() const {
  if (Waiter::more_follow) return false;  // the requests leave together
  return !stream_->capabilities().self_pacing || read_here_ == this;
}

// Posts a request that nothing else can leave with. False: it must be queued.
bool ActiveConnection::post_at_once(const Outgoing& call, Caller& caller) {
  const std::size_t bytes = call.request.size();
  if (bytes > most_written_at_once || !is_one_piece(call.request)) return false;
  caller.message.reserve(bytes);
  {
    const std::lock_guard lock(mutex_);
    if (broken() || !queue_.empty() || waiting_.size() != 0) return false;
    note_caller(caller);
    waiting_.add(call.request_id, caller);
    const ByteView message(call.request.owned(), bytes);
    const IoResult sent = stream_->write(message);
    const std::size_t begun = sent.status == IoStatus::ok ? sent.bytes : 0;
    if (begun == bytes) return true;
    // The thread sends the rest, or notices that the stream has failed.
    caller.message.assign(message.begin(), message.end());
    caller.queued_as = queue_.add(call.request_id, caller.message, nullptr);
    queue_.begin_front(begun);
    has_work_.store(true, std::memory_order_relaxed);
  }
  wake_thread();
  return true;
}

// The connection's own thread writes as soon as it has handed on what it has read.
void ActiveConnection::wake_thread() {
  if (read_here_ != this) reactor_->notify();
}

bool ActiveConnection::is_idle() const {
  const std::lock_guard lock(mutex_);
  return queue_.empty() && waiting_.size() == 0;
}

bool ActiveConnection::retire() {
  const std::lock_guard lock(mutex_);
  if (!queue_.empty() || waiting_.size() != 0) return false;
  broken_ = true;
  stream_->shut_down();  // the thread notices the end
  return true;
}

// Call with mutex_ held.
bool ActiveConnection::has_room(std::size_t octets) const {
  return waiting_.size() < max_waiting_ && queue_.has_room_for(octets);
}

// Call with mutex_ held.
void ActiveConnection::note_room() {
  if (wait_for_room_ != 0) room_.notify_all();
}

std::optional<Exchange> ActiveConnection::post(const Outgoing& call, Caller& caller,
                                               Clock::time_point room_by) {
  // The thread tells of what it writes before it hands on the reply to it.
  if (!caller.tells_left && may_write_here() && post_at_once(call, caller)) return std::nullopt;
  const Packed packed = pack(call.request, caller);
  for (;;) {
    auto end = enqueue(call, packed, caller);
    if (!end || end->status != Status::refused || is_reading_thread()) return end;
    os::PriorityCondition::Lock lock(mutex_);
    ++wait_for_room_;
    const bool found =
        room_.wait_until(lock, room_by, [&] { return broken() || has_room(packed.octets.size()); });
    --wait_for_room_;
    if (!found) return end;
  }
}

void ActiveConnection::give_up_posted(std::uint32_t request_id, Caller& caller, Status status) {
  std::lock_guard lock(mutex_);
  if (waiting_.take(request_id) != &caller) return;
  Exchange end = withdraw(request_id, caller);
  end.status = status;
  caller.end(end);
  note_room();
}

void ActiveConnection::give_up_late(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  waiting_.take_late(now, [this](Waiter& waiter, std::uint32_t request_id) {
    waiter.end(withdraw(request_id, waiter));
    note_room();
  });
}

Exchange ActiveConnection::wait(const Outgoing& call, Caller& caller) {
  constexpr std::chrono::nanoseconds longest = std::chrono::hours(1);
  const bool bounded = call.timeout.count() > 0;
  const auto deadline = bounded ? Clock::now() + call.timeout : Clock::time_point::max();
  for (auto left = bounded ? call.timeout : longest; left.count() > 0; left = deadline - Clock::now()) {
    const bool woken = caller.wake.acquire_within(std::min(left, longest));
    TAKT_PROBE(client_messaging_receive);
    if (woken && caller.answered.load(std::memory_order_acquire)) return caller.exchange;
  }
  return give_up(call.request_id, caller);
}

Exchange ActiveConnection::give_up(std::uint32_t request_id, Caller& caller) {
  std::lock_guard lock(mutex_);
  if (caller.answered) {
    caller.wake.acquire_within({});
    return caller.exchange;
  }
  waiting_.take(request_id);
  return withdraw(request_id, caller);
}

// Call with mutex_ held.
Exchange ActiveConnection::withdraw(std::uint32_t request_id, const Waiter& waiter) {
  Exchange late;
  late.status = Status::timeout;
  late.sent_in_part = queue_.give_up(request_id, waiter.queued_as) == SendQueue::Fate::begun;
  late.phase = late.sent_in_part ? "wait for the reply" : "wait for the requests before it to be sent";
  return late;
}

void ActiveConnection::cancel(const std::uint8_t* request, std::uint32_t request_id, Caller& caller) {
  const auto message = giop::cancel_request(request, request_id);
  caller.message.assign(message.begin(), message.end());
  const std::lock_guard lock(mutex_);
  if (broken() || !queue_.has_room_for(caller.message.size())) return;
  const bool was_empty = queue_.empty();
  queue_.add(request_id, caller.message, nullptr);
  has_work_.store(true, std::memory_order_relaxed);
  if (was_empty) wake_thread();
}

void ActiveConnection::run(const std::function<void()>& prepare) noexcept {
  read_here_ = this;
  try {
    prepare();
    {
      std::lock_guard lock(mutex_);
      loan_.begin();
      loan_.raise(waiting_.most_urgent());  // for calls that were queued before
    }
    if (!reactor_->add(stream_->native_handle(), Interest::read, this))
      fail(not_sent(Status::failed, "the system cannot wait for the connection"));
    while (!broken() && (!stopping_ || (has_work_ && !stalled_))) {
      reactor_->run_once(repeats_ ? next_wait() : patience());
      if (repeats_) read_if_due();
      hand_on_ended();
      write_some();
      hand_on_ended();
    }
  } catch (const std::exception&) {
    fail(out_of_memory());
  }
  static_cast<void>(reactor_->remove(stream_->native_handle()));
  {
    const std::lock_guard lock(mutex_);
    loan_.end();  // must end while the borrowing thread still runs
    queue_.abandon([](std::uint32_t, Waiter* when_sent, bool) {  // octets that the system has not taken
      if (when_sent && when_sent->left) when_sent->left(*when_sent, false);
    });
  }
  hand_on_ended();
}

// Waits no longer than until the stream must be read again.
std::chrono::nanoseconds ActiveConnection::next_wait() {
  if (stream_->holds_octets()) return {};
  const auto wait = patience();
  const auto left = std::max<std::chrono::nanoseconds>(stream_->next_read_deadline() - Clock::now(), {});
  return wait.count() < 0 ? left : std::min(wait, left);
}

void ActiveConnection::read_if_due() {
  if (broken()) return;
  if (stream_->holds_octets() || Clock::now() >= stream_->next_read_deadline()) read_some();
}

std::chrono::nanoseconds ActiveConnection::patience() const {
  if (!stalled_) return std::chrono::nanoseconds(has_work_.load(std::memory_order_relaxed) ? 0 : -1);
  if (usual_timeout_.count() == 0) return std::chrono::nanoseconds(-1);
  return std::max<std::chrono::nanoseconds>(stalled_since_ + usual_timeout_ - Clock::now(), {});
}

void ActiveConnection::on_ready(Interest ready) noexcept {
  if (os::has(ready, waits_to_write_for_)) set_stalled(false);
  try {
    if (os::has(ready, Interest::read)) read_some();
  } catch (const std::exception&) {
    fail(out_of_memory());
  }
}

void ActiveConnection::read_some() {
  do {
    const IoResult result = stream_->read(protocol_.read_space());
    if (result.status == IoStatus::would_block) return;
    if (result.status != IoStatus::ok) return fail(end_of_reading(protocol_, result));
    protocol_.bytes_read(result.bytes);
    if (const auto end = deliver_all()) return fail(*end);
  } while (stream_->holds_octets());
}

// Hands on a few calls at a time. Their last ones are handed on by run(), so that its next requests leave at
// once. While priority is lent, hands on one at a time, at that call's priority at least: its handler, or the
// thread of that, has yet to begin.
std::optional<Exchange> ActiveConnection::deliver_all() {
  for (bool more = true;;) {
    std::optional<Exchange> end;
    os::Urgency of_one = 0;
    bool hands_on_at_once = false;
    {
      const std::lock_guard lock(mutex_);
      const std::size_t before = waiting_.size();
      end = deliver_some(protocol_, waiting_, more, loan_.lent() != 0 ? &of_one : nullptr);
      if (waiting_.size() != before) has_replied_.store(true, std::memory_order_relaxed);
      hands_on_at_once = of_one != 0 && Waiter::hand_on;
      lower_loan(hands_on_at_once ? of_one : 0);
      note_room();
    }
    if (hands_on_at_once) [[unlikely]] {
      handing_on_ = of_one;
      hand_on_ended();
      handing_on_ = 0;
      const std::lock_guard lock(mutex_);
      lower_loan(0);
    }
    if (end || !more) return end;
    hand_on_ended();
  }
}

// Writes until the queue is empty, the system takes no more, or the limit of writes is reached.
void ActiveConnection::write_some() {
  if (broken()) return;
  if (stalled_) {
    if (usual_timeout_.count() == 0 || Clock::now() < stalled_since_ + usual_timeout_) return;
    Exchange late = not_sent(Status::timeout, "");
    late.sent_in_part = true;
    return fail(late);
  }
  if (!has_work_.load(std::memory_order_relaxed)) return;
  std::size_t sent = 0;
  for (int i = 0; collect(sent) && i < writes_at_once; ++i) {
    const IoResult result = stream_->write_gather(pieces_);
    sent = result.status == IoStatus::ok ? result.bytes : 0;
    if (result.status == IoStatus::would_block) return set_stalled(true);
    if (result.status != IoStatus::ok) return fail_writing(result);
  }
}

// The write may have failed because of an orderly close that was announced earlier. Its messages may arrive
// in pieces.
void ActiveConnection::fail_writing(const IoResult& result) {
  for (int reads = 0; reads < max_reads_of_an_ending && !broken(); ++reads) read_some();
  if (broken()) return;
  Exchange end = end_of_reading(protocol_, result);
  end.phase = "send";
  fail(end);
}

// Accounts for the `sent` octets and collects what comes next. False if there is nothing.
bool ActiveConnection::collect(std::size_t sent) {
  std::lock_guard lock(mutex_);
  Exchange told;
  told.status = Status::sent;
  queue_.sent(sent, [&](Waiter& waiter) {
    if (waiter.left) return waiter.left(waiter, true);
    waiter.end(told);
  });
  queue_.collect(pieces_);
  if (queue_.empty()) has_work_.store(false, std::memory_order_relaxed);
  lower_loan(0);
  note_room();
  return !pieces_.empty();
}

// Call with mutex_ held. `handing_on`: the urgency of a call that has ended, and is not handed on yet.
void ActiveConnection::lower_loan(os::Urgency handing_on) {
  if (loan_.lent() != 0 && queue_.empty()) loan_.lower(std::max(handing_on, waiting_.most_urgent()));
}

void ActiveConnection::set_stalled(bool still) {
  if (still == stalled_) return;
  stalled_ = still;
  if (still) stalled_since_ = Clock::now();
  if (waits_to_write_for_ != Interest::read)
    static_cast<void>(
        reactor_->modify(stream_->native_handle(), still ? Interest::read_write : Interest::read));
}

// Callers whose requests were not begun may reissue them elsewhere.
void ActiveConnection::fail(const Exchange& how) noexcept {
  if (!broken()) ended_ = how;
  std::lock_guard lock(mutex_);
  broken_ = true;
  refused_ |= how.error == EACCES;
  const Exchange elsewhere = failed_before();
  queue_.abandon([&](std::uint32_t request_id, Waiter* when_sent, bool begun) {
    if (when_sent && when_sent->left)
      when_sent->left(*when_sent, false);
    else if (when_sent)
      return when_sent->end(begun ? how : elsewhere);
    if (begun) return;
    if (Waiter* waiter = waiting_.take(request_id)) waiter->end(elsewhere);
  });
  waiting_.end_all(how);
  note_room();
  stream_->shut_down();
}

}  // namespace takt::client

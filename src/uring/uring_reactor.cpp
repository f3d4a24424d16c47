#include "uring/uring_reactor.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "os/poll/epoll_events.h"

namespace takt::uring {

using os::Interest;
using os::ReactorError;
using namespace std::chrono_literals;

namespace {

// Whether a wait that fails in this way will fail again.
bool is_lasting(int error) {
  return error != 0 && error != ETIME && error != EINTR && error != EBUSY && error != EAGAIN;
}

bool can_be_polled(int fd) {
  struct stat status{};
  return ::fstat(fd, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

// Whether the descriptor keeps others from an address: it listens, or takes datagrams.
bool is_port(int fd) {
  const auto option = [fd](int name) {
    int value = 0;
    socklen_t size = sizeof value;
    return ::getsockopt(fd, SOL_SOCKET, name, &value, &size) == 0 ? value : 0;
  };
  return option(SO_ACCEPTCONN) != 0 || option(SO_TYPE) == SOCK_DGRAM;
}

}  // namespace

// The kind in four bits, the descriptor in 28, the number in the upper half.
std::uint64_t UringReactor::tag(Kind kind, int fd, std::uint32_t number) {
  return std::uint64_t{number} << 32 | static_cast<std::uint32_t>(fd) << 4 | static_cast<std::uint32_t>(kind);
}

std::expected<std::unique_ptr<UringReactor>, int> UringReactor::create() {
  if (const auto probe = Ring::create(); !probe) return std::unexpected(probe.error());
  auto epoll = os::EpollReactor::create();
  if (!epoll) return std::unexpected(epoll.error());
  const int wake_fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_fd < 0) return std::unexpected(errno);
  return std::unique_ptr<UringReactor>(new UringReactor(std::move(*epoll), wake_fd));
}

UringReactor::UringReactor(std::unique_ptr<os::EpollReactor> epoll, int wake_fd)
    : epoll_(std::move(epoll)), wake_fd_(wake_fd) {
  constexpr std::size_t few = 64;
  ready_.reserve(few);
  round_.reserve(few);
}

UringReactor::~UringReactor() {
  for (Watch& watch : watches_)
    if (watch.stream) watch.stream->detach();
  ring_.reset();
  ::close(wake_fd_);
}

UringReactor::Watch& UringReactor::slot(int fd) {
  const auto index = static_cast<std::size_t>(fd);
  if (index >= watches_.size()) watches_.resize(std::max(index + 1, 2 * watches_.size()));
  return watches_[index];
}

UringReactor::Watch* UringReactor::find(int fd) {
  if (fd < 0 || static_cast<std::size_t>(fd) >= watches_.size()) return nullptr;
  Watch& watch = watches_[static_cast<std::size_t>(fd)];
  return watch.handler ? &watch : nullptr;
}

bool UringReactor::owns_ring() const { return ring_ && owner_ == this_thread(); }

bool UringReactor::has_ring() {
  if (owns_ring()) [[likely]]
    return true;
  if (by_epoll_.load(std::memory_order_relaxed)) return false;
  if (ring_) leave_ring();
  make_ring();
  return ring_ != nullptr;
}

[[gnu::cold]] void UringReactor::make_ring() {
  auto made = Ring::create();
  if (!made || ++rings_ > most_rings) return use_epoll();
  ring_ = std::move(*made);
  owner_ = this_thread();
  sees_wake_ups_ = false;
  for (std::size_t fd = 0; fd < watches_.size(); ++fd) settle(static_cast<int>(fd), watches_[fd]);
}

// Handlers of descriptors that epoll cannot watch are called once, to find out.
[[gnu::cold]] void UringReactor::use_epoll() {
  by_epoll_ = true;
  for (std::size_t index = 0; index < watches_.size(); ++index) {
    Watch& watch = watches_[index];
    const int fd = static_cast<int>(index);
    if (!watch.handler) continue;
    const Interest interest = watch.muted ? Interest::none : watch.interest;
    if (!epoll_->add(fd, interest, watch.handler)) watch.seen = EPOLLERR;
    if (watch.seen != 0 || holds_news(watch)) list(fd, watch);
    has_rests_ |= watch.stream && watch.stream->holds_rest();
  }
}

// True: the sockets do not take all of them yet.
[[gnu::cold]] bool UringReactor::send_rests() {
  bool are_left = false;
  for (Watch& watch : watches_)
    if (watch.stream && watch.stream->holds_rest()) are_left |= !watch.stream->send_rest();
  return are_left;
}

// Reads the completions, but does not enter the ring, because that is for its owner. Nothing is lost: the
// system receives nothing more for a ring that no thread enters.
[[gnu::cold]] void UringReactor::leave_ring() {
  collect();
  for (Watch& watch : watches_) {
    if (watch.stream) watch.stream->leave_ring();
    watch.receiving = Receiving::off;
    watch.polled = watch.open_polls = watch.seen = 0;
  }
  if (std::exchange(deferred_, 0) != 0)
    if (Watch* const watch = find(deferred_fd_); watch && watch->stream)
      watch->stream->keep_rest({ring_->sending(), deferred_bytes_});
  ring_.reset();
}

[[gnu::cold]] void UringReactor::watch_wake_ups() {
  io_uring_sqe* const entry = ring_->entry();
  if (!entry) return;
  io_uring_prep_poll_multishot(entry, wake_fd_, EPOLLIN);
  io_uring_sqe_set_data64(entry, tag(Kind::wake, 0, 0));
  sees_wake_ups_ = true;
}

std::unique_ptr<transport::Stream> UringReactor::adopt(std::unique_ptr<transport::Stream> stream) {
  if (stream->capabilities().plain_socket != stream.get()) return stream;
  Watch& watch = slot(stream->native_handle());
  auto adopted = std::make_unique<UringStream>(std::move(stream), *this);
  watch.stream = adopted.get();
  return adopted;
}

void UringReactor::forget(const UringStream& stream) {
  const auto index = static_cast<std::size_t>(stream.native_handle());
  if (index < watches_.size() && watches_[index].stream == &stream) watches_[index].stream = nullptr;
}

std::expected<void, ReactorError> UringReactor::add(int fd, Interest interest, os::EventHandler* handler) {
  if (fd < 0) return std::unexpected(ReactorError::unsupported);
  if (find(fd)) return std::unexpected(ReactorError::already_added);
  if (by_epoll_.load(std::memory_order_relaxed)) {
    if (auto added = epoll_->add(fd, interest, handler); !added) return added;
  } else if (!can_be_polled(fd)) {
    return std::unexpected(ReactorError::unsupported);
  }
  Watch& watch = slot(fd);
  ready_.reserve(watches_.size());
  round_.reserve(watches_.size());
  ++watch.generation;
  watch.handler = handler;
  watch.interest = interest;
  watch.port_watch = watch_port(fd, interest);
  watch.seen = 0;
  watch.listed = watch.muted = false;
  settle_here(fd, watch);
  return {};
}

// Another thread's ring is left, so that the next round settles all.
void UringReactor::settle_here(int fd, Watch& watch) {
  if (ring_ && !owns_ring()) leave_ring();
  settle(fd, watch);
}

std::expected<void, ReactorError> UringReactor::modify(int fd, Interest interest) {
  Watch* const watch = find(fd);
  if (!watch) return std::unexpected(ReactorError::not_added);
  if (by_epoll_.load(std::memory_order_relaxed))
    if (auto modified = epoll_->modify(fd, interest); !modified) return modified;
  watch->interest = interest;
  if (std::exchange(watch->muted, false) && watch->seen != 0) list(fd, *watch);
  settle_here(fd, *watch);
  return {};
}

void UringReactor::mute(int fd) {
  Watch* const watch = find(fd);
  if (!watch) return;
  watch->muted = true;
  if (by_epoll_.load(std::memory_order_relaxed)) (void)epoll_->modify(fd, Interest::none);
}

bool UringReactor::has_adopted(int fd) const {
  const auto index = static_cast<std::size_t>(fd);
  return index < watches_.size() && watches_[index].stream;
}

void UringReactor::close() {
  finish();
  for (std::size_t fd = 0; fd < watches_.size(); ++fd)
    if (watches_[fd].handler) (void)remove(static_cast<int>(fd));
}

// The system's work for a descriptor holds it open, so it ends before this returns.
std::expected<void, ReactorError> UringReactor::remove(int fd) {
  constexpr int most_waits = 1000;
  Watch* const watch = find(fd);
  if (!watch) return std::unexpected(ReactorError::not_added);
  watch->handler = nullptr;
  watch->listed = false;
  ++watch->generation;
  if (by_epoll_.load(std::memory_order_relaxed)) {
    (void)epoll_->remove(fd);
  } else if (owns_ring()) {
    push();
    if (watch->receiving == Receiving::on) end_receiving(fd, *watch);
    if (watch->polled != 0) cancel_poll(fd, *watch);
    for (int waits = 0; waits < most_waits; ++waits) {
      if (watch->receiving == Receiving::off && watch->open_polls == 0) break;
      ring_->wait(1, 1ms);
      collect();
    }
  } else if (ring_) {
    leave_ring();
  }
  watch->port_watch = os::Descriptor();
  if (watch->stream) std::exchange(watch->stream, nullptr)->detach();
  return {};
}

std::uint32_t UringReactor::wanted_polls(const Watch& watch) const {
  Interest wanted = watch.interest;
  if (watch.receiving != Receiving::off || holds_news(watch)) wanted = wanted & Interest::write;
  if (watch.stream && watch.stream->holds_rest()) wanted = wanted | Interest::write;
  return os::to_epoll(wanted);
}

// Begins and ends polls and receiving as the interest and the stream want it now. Without a ring it only
// makes the next round read what the stream holds.
void UringReactor::settle(int fd, Watch& watch) {
  if (!watch.handler) return;
  const bool reads = has(watch.interest, Interest::read);
  if (reads && !watch.muted && holds_news(watch)) list(fd, watch);
  if (!ring_) return;
  const bool wants_buffers = reads && watch.stream && watch.stream->wants_buffers();
  if (wants_buffers && watch.receiving == Receiving::off)
    receive(fd, watch);
  else if (!wants_buffers && watch.receiving == Receiving::on)
    end_receiving(fd, watch);
  if (!watch.muted) settle_polls(fd, watch);
}

void UringReactor::settle_polls(int fd, Watch& watch) {
  const std::uint32_t wanted = wanted_polls(watch);
  if (wanted == watch.polled) [[likely]]
    return;
  if (watch.polled != 0) cancel_poll(fd, watch);
  if (wanted != 0) poll(fd, watch, wanted);
}

void UringReactor::poll(int fd, Watch& watch, std::uint32_t events) {
  io_uring_sqe* const entry = ring_->entry();
  if (!entry) return list(fd, watch);  // tries again
  const bool by_port_watch = watch.port_watch.is_open() && events == os::to_epoll(Interest::read);
  io_uring_prep_poll_add(entry, by_port_watch ? watch.port_watch.fd() : fd, events);
  io_uring_sqe_set_data64(entry, tag(Kind::poll, fd, ++watch.poll_number));
  watch.polled = events;
  ++watch.open_polls;
}

// The ring holds open what it polls. When a process is killed, the system ends its ring later than it closes
// its descriptors, so the process that starts in its place would find the port in use. Epoll holds nothing
// open.
[[gnu::cold]] os::Descriptor UringReactor::watch_port(int fd, Interest interest) {
  if (interest != Interest::read || !is_port(fd)) return {};
  os::Descriptor epoll(::epoll_create1(EPOLL_CLOEXEC));
  epoll_event event{};
  event.events = EPOLLIN;
  if (!epoll.is_open() || ::epoll_ctl(epoll.fd(), EPOLL_CTL_ADD, fd, &event) != 0) return {};
  return epoll;
}

// A cancellation has no completion of its own if it succeeds, and otherwise one that concerns no descriptor.
void UringReactor::tell_failure_only(io_uring_sqe* entry) {
  io_uring_sqe_set_flags(entry, IOSQE_CQE_SKIP_SUCCESS);
  io_uring_sqe_set_data64(entry, tag(Kind::none, 0, 0));
}

void UringReactor::cancel_poll(int fd, Watch& watch) {
  io_uring_sqe* const entry = ring_->entry();
  if (!entry) return;
  io_uring_prep_poll_remove(entry, tag(Kind::poll, fd, watch.poll_number));
  tell_failure_only(entry);
  watch.polled = 0;
}

void UringReactor::receive(int fd, Watch& watch) {
  io_uring_sqe* const entry = ring_->entry();
  if (!entry) return;
  io_uring_prep_recv_multishot(entry, fd, nullptr, 0, 0);
  io_uring_sqe_set_flags(entry, IOSQE_BUFFER_SELECT);
  entry->buf_group = Ring::buffer_group;
  io_uring_sqe_set_data64(entry, tag(Kind::receive, fd, ++watch.receive_number));
  watch.receiving = Receiving::on;
  watch.stream->set_receiving(true);
}

void UringReactor::end_receiving(int fd, Watch& watch) {
  io_uring_sqe* const entry = ring_->entry();
  if (!entry) return;
  io_uring_prep_cancel64(entry, tag(Kind::receive, fd, watch.receive_number), 0);
  tell_failure_only(entry);
  watch.receiving = Receiving::ending;
}

void UringReactor::list(int fd, Watch& watch) {
  if (std::exchange(watch.listed, true)) return;
  ready_.push_back({fd, watch.generation});
}

unsigned UringReactor::collect() {
  if (!ring_) return 0;
  unsigned count = ring_->collect([this](const io_uring_cqe& one) { take(one); });
  while (ring_->has_overflown() && owns_ring()) [[unlikely]] {
    if (ring_->wait(0, 0ns) != 0) break;
    count += ring_->collect([this](const io_uring_cqe& one) { take(one); });
  }
  return count;
}

void UringReactor::take(const io_uring_cqe& completion) {
  const auto kind = static_cast<Kind>(completion.user_data & 0xf);
  const int fd = static_cast<int>(static_cast<std::uint32_t>(completion.user_data) >> 4);
  const auto number = static_cast<std::uint32_t>(completion.user_data >> 32);
  switch (kind) {
    case Kind::receive:
      return take_received(fd, completion, number);
    case Kind::send:
      return take_sent(fd, completion, number);
    case Kind::wake:
      if (!(completion.flags & IORING_CQE_F_MORE)) sees_wake_ups_ = false;
      return;
    case Kind::none:
      return;
    case Kind::poll:
      break;
  }
  Watch& watch = slot(fd);
  --watch.open_polls;
  if (number != watch.poll_number || watch.polled == 0) return;
  watch.polled = 0;
  if (completion.res != -ECANCELED)
    watch.seen |= completion.res > 0 ? static_cast<std::uint32_t>(completion.res) : EPOLLERR;
  list(fd, watch);
}

void UringReactor::take_received(int fd, const io_uring_cqe& completion, std::uint32_t number) {
  Watch& watch = slot(fd);
  const bool is_current = watch.stream && number == watch.receive_number;
  if (completion.flags & IORING_CQE_F_BUFFER) {
    const unsigned id = completion.flags >> IORING_CQE_BUFFER_SHIFT;
    if (is_current && completion.res > 0)
      watch.stream->received(id, static_cast<std::size_t>(completion.res));
    else
      ring_->give_back(id);
  }
  if (!is_current) return;
  if (!(completion.flags & IORING_CQE_F_MORE)) {
    watch.receiving = Receiving::off;
    watch.stream->set_receiving(false);
  }
  if (completion.res == -ENOBUFS)
    watch.stream->find_no_buffer();
  else if (completion.res == 0)
    watch.stream->ended(0);
  else if (completion.res < 0 && completion.res != -ECANCELED)
    watch.stream->ended(-completion.res);
  list(fd, watch);
}

void UringReactor::take_sent(int fd, const io_uring_cqe& completion, std::uint32_t number) {
  --deferred_;
  const auto sent = static_cast<std::size_t>(std::max(completion.res, 0));
  Watch& watch = slot(fd);
  if (sent == number || !watch.stream) [[likely]]
    return;
  if (completion.res >= 0 || completion.res == -EAGAIN)
    watch.stream->keep_rest({ring_->sending() + sent, number - sent});
  else
    watch.stream->ended(-completion.res);
  list(fd, watch);
}

// A failed send concerns the stream's next read.
bool UringReactor::defer(UringStream& stream, ByteView octets) {
  if (!dispatching_ || !ring_) return false;
  if (deferred_ != 0) push();
  if (deferred_ != 0 || stream.holds_rest()) return false;
  io_uring_sqe* const entry = ring_->entry();
  if (!entry) return false;
  std::memcpy(ring_->sending(), octets.data(), octets.size());
  const int fd = stream.native_handle();
  io_uring_prep_send(entry, fd, ring_->sending(), octets.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  io_uring_sqe_set_data64(entry, tag(Kind::send, fd, static_cast<std::uint32_t>(octets.size())));
  ++deferred_;
  deferred_fd_ = fd;
  deferred_bytes_ = octets.size();
  return true;
}

// With MSG_DONTWAIT, a message is sent while it is submitted.
void UringReactor::push() {
  if (deferred_ == 0 || !ring_) return;
  if (ring_->submit() != 0) ring_->wait(0, 0ns);
  collect();
}

Interest UringReactor::ready_of(Watch& watch) {
  Interest ready = os::from_epoll(std::exchange(watch.seen, 0));
  if (has(ready, Interest::write) && watch.stream && watch.stream->holds_rest() && !watch.stream->send_rest())
    ready = ready & Interest::read;
  if (holds_news(watch)) ready = ready | Interest::read;
  return ready & watch.interest;
}

// False: there is nothing to tell.
bool UringReactor::begin(const Ready& ready) {
  Watch* const watch = find(ready.fd);
  if (!watch || watch->generation != ready.generation) return false;
  watch->listed = false;
  const Interest told = watch->muted ? Interest::none : ready_of(*watch);
  if (told == Interest::none) {
    settle(ready.fd, *watch);
    return false;
  }
  push();
  dispatching_ = true;
  served_ = ready;
  watch->handler->on_ready(told);
  return true;
}

// Called when all that the event led to has been done.
void UringReactor::finish() {
  dispatching_ = false;
  if (!served_) return;
  Watch* const watch = find(served_->fd);
  if (watch && watch->generation == served_->generation) settle(served_->fd, *watch);
  served_.reset();
}

// Calls the next handler of the round. False: the round is over.
bool UringReactor::begin_next() {
  while (next_in_round_ < round_.size()) {
    const Ready one = round_[next_in_round_++];  // a handler that adds a descriptor may move the list
    if (begin(one)) return true;
  }
  round_.clear();
  next_in_round_ = 0;
  return false;
}

std::size_t UringReactor::dispatch_ready() {
  std::size_t called = 0;
  std::swap(ready_, round_);
  for (; begin_next(); finish()) ++called;
  return called;
}

[[gnu::cold]] std::size_t UringReactor::look_at_ready(std::span<Told> into) {
  push();
  dispatching_ = false;
  if (owns_ring() && ring_->wait(0, 0ns) == 0) collect();
  ready_.insert(ready_.begin(), round_.begin() + static_cast<std::ptrdiff_t>(next_in_round_), round_.end());
  round_.clear();
  next_in_round_ = 0;
  std::size_t count = 0;
  auto next = ready_.begin();
  for (; next != ready_.end() && count < into.size(); ++next) {
    const Watch* const watch = find(next->fd);
    if (!watch || watch->generation != next->generation || watch->muted) continue;
    const Interest ready =
        os::from_epoll(watch->seen) | (holds_news(*watch) ? Interest::read : Interest::none);
    if ((ready & watch->interest) != Interest::none)
      into[count++] = {watch->handler, ready & watch->interest};
  }
  std::rotate(ready_.begin(), next, ready_.end());
  return count;
}

// Completions come only while this thread waits, so it asks for them. Octets of `fd` that its handler cannot
// take stay in the socket.
bool UringReactor::has_others(int fd) {
  if (!ring_) return epoll_->has_others(fd);
  const auto is_other = [fd](const Ready& one) { return one.fd != fd; };
  const auto has_other = [&] {
    return std::any_of(ready_.begin(), ready_.end(), is_other) ||
           std::any_of(round_.begin() + static_cast<std::ptrdiff_t>(next_in_round_), round_.end(), is_other);
  };
  if (has_other()) return true;
  Watch& own = slot(fd);
  if (own.receiving == Receiving::on && !own.stream->wants_buffers()) end_receiving(fd, own);
  if (ring_->wait(0, 0ns) == 0) collect();
  return has_other();
}

std::chrono::nanoseconds UringReactor::until_timer(std::chrono::nanoseconds timeout) const {
  const auto next = timers_.next();
  if (!next) return timeout;
  const auto left = os::remaining(*next, os::Clock::now());
  return timeout < 0ns || left < timeout ? left : timeout;
}

std::size_t UringReactor::run_timers() {
  if (timers_.empty()) return 0;
  const auto now = os::Clock::now();
  if (*timers_.next() <= now) push();
  return timers_.run_due(now);
}

// Fewer completions than were waited for: the time is over, or a signal came.
UringReactor::Fetched UringReactor::fetch(std::chrono::nanoseconds timeout) {
  if (!sees_wake_ups_) watch_wake_ups();
  const bool looks = notified_.load(std::memory_order_relaxed) || !ready_.empty();
  const unsigned wanted = deferred_ + 1;
  const int error = ring_->wait(wanted, looks ? 0ns : until_timer(timeout));
  const bool is_over = collect() < wanted;
  const bool notified = notified_.load(std::memory_order_relaxed) && notified_.exchange(false);
  if (is_over && is_lasting(error)) leave_ring();
  return {is_over, notified};
}

// Waits again where completions concerned no handler.
template <class Call>
std::size_t UringReactor::run(std::chrono::nanoseconds timeout, Call&& call) {
  if (!has_ring()) return run_by_epoll(timeout);
  const auto until =
      timeout > 0ns ? os::Clock::now() + std::min<std::chrono::nanoseconds>(timeout, 24h) : os::TimePoint();
  for (auto left = timeout;;) {
    const Fetched fetched = fetch(left);
    const std::size_t called = call();
    if (called != 0 || fetched.notified || fetched.is_over) return called;
    if (timeout > 0ns) left = os::remaining(until, os::Clock::now());
  }
}

std::size_t UringReactor::run_once(std::chrono::nanoseconds timeout) {
  return run(timeout, [this] { return dispatch_ready() + run_timers(); });
}

std::size_t UringReactor::run_one(std::chrono::nanoseconds timeout) {
  finish();
  if (begin_next()) return 1;
  return run(timeout, [this]() -> std::size_t {
    std::swap(ready_, round_);
    return begin_next();
  });
}

[[gnu::cold]] std::size_t UringReactor::run_by_epoll(std::chrono::nanoseconds timeout) {
  constexpr std::chrono::nanoseconds tries_again = 10ms;
  if (has_rests_ && (has_rests_ = send_rests()) && (timeout < 0ns || timeout > tries_again))
    timeout = tries_again;
  std::size_t called = epoll_->run_once(ready_.empty() ? until_timer(timeout) : 0ns);
  notified_.exchange(false);  // a notification from here on ends the next wait
  called += dispatch_ready();
  return called + run_timers();
}

void UringReactor::notify() noexcept {
  if (notified_.exchange(true)) return;
  const int before = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_fd_, &one, sizeof one);
  epoll_->notify();
  errno = before;
}

}  // namespace takt::uring

#include "transport/shm/shm_stream.h"

#include <cerrno>

#include "os/net/unix_socket.h"
#include "os/poll/wait.h"

namespace takt::transport {

namespace {

// Limits the time lost to peers that connect and stay silent to a twentieth of the process's time.
bool wait_for_hello(const os::Socket& socket) {
  constexpr std::chrono::milliseconds soon(100), pause(2000);
  static std::atomic<os::TimePoint> not_before{os::TimePoint()};
  const auto now = os::Clock::now();
  if (now < not_before.load(std::memory_order_relaxed)) return false;
  if (os::wait_ready(socket.fd(), os::Interest::read, now + soon) == os::WaitResult::ready) return true;
  not_before.store(now + pause, std::memory_order_relaxed);
  return false;
}

}  // namespace

ShmStream::ShmStream(os::Socket socket, StreamEnds ends, const StreamOptions& options, Admits admits)
    : Stream({.zero_copy = this, .peer = this}),
      socket_(std::move(socket)),
      ends_(std::move(ends)),
      peer_(os::peer_of_unix_socket(socket_)),
      most_lent_(options.lent_bytes),
      admits_(admits == Admits::yes) {
  input_.pace().set(options.busy_poll, options.poll_share);
  output_.pace().set(options.busy_poll, options.poll_share);
}

ShmStream::ShmStream(os::Socket socket, ConnectionMemory memory, StreamEnds ends,
                     const StreamOptions& options)
    : ShmStream(std::move(socket), std::move(ends), options) {
  attach_to(std::move(memory));
}

// The peer notices the end by watching its own socket.
ShmStream::~ShmStream() = default;

void ShmStream::attach_to(ConnectionMemory memory) {
  region_ = std::move(memory.region);
  input_.attach(memory.in, std::move(memory.received));
  output_.attach(memory.out, std::move(memory.lent));
  attached_.store(true, std::memory_order_release);
}

IoResult ShmStream::attach() {
  const std::lock_guard lock(attaching_);
  if (attached_.load(std::memory_order_relaxed)) return {0, IoStatus::ok, 0};
  auto memory = receive_connection_memory(socket_, most_lent_);
  if (memory) {
    if (admits_) (void)socket_.send({&admitted, 1});  // nothing else is in the socket, so it has room
    attach_to(std::move(*memory));
    return {0, IoStatus::ok, 0};
  }
  const int error = memory.error();
  if (error == EAGAIN) return {0, IoStatus::would_block, 0};
  socket_.shut_down();  // no further use for it
  return {0, IoStatus::failed, error};
}

IoResult ShmStream::read_first(MutableBytes into) {
  if (into.empty()) return {0, IoStatus::failed, EINVAL};
  for (;;) {
    const IoResult attached = attach();
    if (attached.status == IoStatus::ok) return input_.read(into);
    if (attached.status == IoStatus::failed && attached.error == EPIPE)
      return {0, IoStatus::end_of_stream, 0};
    if (attached.status != IoStatus::would_block || !blocking_) return attached;
    if (const IoResult waited = input_.await_socket(); waited.status != IoStatus::ok) return waited;
  }
}

// A client that has not sent its memory cannot be written to. An accepted client is about to send it.
// Rejecting a client, or telling it that the server stops, therefore waits briefly even when non-blocking;
// wait_for_hello() bounds the total.
IoResult ShmStream::write_gather(std::span<const ByteView> pieces) {
  WaitDeadline patience(write_timeout_);
  while (!attached_.load(std::memory_order_acquire)) {
    const IoResult attached = attach();
    if (attached.status == IoStatus::failed) return attached;
    if (attached.status == IoStatus::ok) break;
    if (!blocking_) {
      if (wait_for_hello(socket_)) continue;
      return {0, IoStatus::failed, EPROTO};
    }
    if (os::wait_ready(socket_.fd(), os::Interest::read, patience.deadline()) == os::WaitResult::timed_out)
      return {0, IoStatus::timed_out, 0};
  }
  return output_.write_gather(pieces);
}

OctetBuffer ShmStream::borrow(std::size_t bytes) {
  return attached_.load(std::memory_order_acquire) ? output_.borrow(bytes) : OctetBuffer();
}

void ShmStream::set_blocking(bool blocking) {
  blocking_ = blocking;
  input_.set_blocking(blocking);
  output_.set_blocking(blocking);
}

bool ShmStream::set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) {
  input_.set_timeout(read);
  return set_write_timeout(write);
}

bool ShmStream::set_write_timeout(std::chrono::nanoseconds write) {
  output_.set_timeout(write);
  write_timeout_ = write;
  return true;
}

bool ShmStream::set_silence_limit(std::chrono::nanoseconds silence) { return input_.give_up_after(silence); }

void ShmStream::shut_down() {
  socket_.shut_down();
  sleeper_.on_end(os::HangUpWatch::End::both);
}

void ShmStream::shut_down_reading() {
  socket_.shut_down_reading();
  sleeper_.on_end(os::HangUpWatch::End::reading);
}

void ShmStream::shut_down_writing() {
  socket_.shut_down_writing();
  ShmSleeper::end(sleeper_.writing);
}

}  // namespace takt::transport

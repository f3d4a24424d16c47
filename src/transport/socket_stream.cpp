#include "transport/socket_stream.h"

#include "os/poll/wait.h"

namespace takt::transport {

bool SocketStream::set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) {
  watched_ = false;
  const bool read_set = set_read_timeout(read);
  return socket_.set_send_timeout(write) && read_set;
}

bool SocketStream::set_silence_limit(std::chrono::nanoseconds silence) {
  const bool by_watch = silence >= os::ReadWatch::shortest;
  if (by_watch || watched_)
    watched_ = watch_.set_timeout(socket_.fd(), by_watch ? silence : std::chrono::nanoseconds(0)) && by_watch;
  return set_read_timeout(watched_ ? std::chrono::nanoseconds(0) : silence);
}

bool SocketStream::set_read_timeout(std::chrono::nanoseconds timeout) {
  if (timeout == read_timeout_) return true;
  const bool set = socket_.set_receive_timeout(timeout);
  if (set) read_timeout_ = timeout;
  return set;
}

// The system reports a socket as writable only when much more room than that is free.
bool SocketStream::has_room_for_small_write() {
  return os::wait_ready(socket_.fd(), os::Interest::write, os::Clock::now()) == os::WaitResult::ready;
}

IoResult SocketStream::read_stamped(MutableBytes into, std::chrono::nanoseconds& age) {
  if (!watched_) return socket_.receive_stamped(into, age);
  watch_.begin();
  const IoResult result = socket_.receive_stamped(into, age);
  return watch_.end() ? result : IoResult{0, IoStatus::timed_out, 0};
}

}  // namespace takt::transport

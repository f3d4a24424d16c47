#include "transport/shm/shm_output.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "os/poll/wait.h"

namespace takt::transport {

using os::IoResult;
using os::IoStatus;

namespace {
constexpr IoResult free_to_go{0, IoStatus::ok, 0};
}  // namespace

IoResult ShmOutput::write_gather(std::span<const ByteView> pieces) {
  if (std::ranges::all_of(pieces, &ByteView::empty)) return {0, IoStatus::failed, EINVAL};
  if (sleeper_.writing.over.load(std::memory_order_relaxed)) return {0, IoStatus::failed, EPIPE};
  std::uint32_t room = ring_.room(ring_.size());
  if (room == 0) {
    if (const IoResult blocked = await_room(); blocked.status != IoStatus::ok) return blocked;
    room = ring_.room(ring_.size());
  }
  if (room > ring_.size()) return {0, IoStatus::failed, EPROTO};
  return put_in_portions(pieces, room);
}

// One octet in the ring stands for all of them.
bool ShmOutput::splice(ByteView octets) {
  if (!buffers_ || !buffers_->contain(octets) || !buffers_->splice(octets, ring_.written())) return false;
  constexpr std::uint8_t in_their_place = 0;
  ring_.put({&in_their_place, 1});
  return true;
}

// Copies an octet sequence that exceeds the portion size into a lent buffer. The reader can use it there, so
// it is copied once, and neither side waits for the other in between.
bool ShmOutput::copy_to_lent_buffer(ByteView octets) {
  if (!buffers_ || octets.size() <= most_at_once) return false;
  const OctetBuffer buffer = buffers_->borrow(octets.size());
  if (buffer.empty()) return false;
  std::memcpy(buffer.data(), octets.data(), octets.size());
  return splice(buffer.octets());
}

// Writes as much as there is room for.
IoResult ShmOutput::put_in_portions(std::span<const ByteView> pieces, std::uint32_t room) {
  std::size_t done = 0, unseen = 0;
  const auto show = [&] {
    unseen = 0;
    if (ring_.publish() != RingControl::awake) wake_reader();
  };
  for (ByteView piece : pieces)
    while (!piece.empty() && room != 0) {
      std::size_t count = std::min({piece.size(), std::size_t{room}, most_at_once - unseen});
      const bool spliced = splice(piece) || copy_to_lent_buffer(piece);
      if (!spliced) ring_.put(piece.first(count));
      const std::size_t used = spliced ? 1 : count;
      if (spliced) count = piece.size();
      piece = piece.subspan(count);
      done += count;
      room -= static_cast<std::uint32_t>(used);
      unseen += used;
      if (unseen == most_at_once) show();
    }
  if (unseen != 0) show();
  return {done, IoStatus::ok, 0};
}

// Wakes the reader, unless another thread has already claimed the wake-up. A reader that takes no bell may
// still take the octets that it can see, so they count as written, and the next write fails.
void ShmOutput::wake_reader() {
  auto& word = ring_.control().reader;
  const std::uint32_t waiting = word.exchange(RingControl::awake);
  if (waiting == RingControl::on_futex) os::wake_futex(word);
  if (waiting != RingControl::on_socket) return;
  const int error = bell_.ring();
  if (error == EAGAIN || error == 0) return;  // EAGAIN: the socket is full of bells, so it is readable
  sleeper_.writing.over.store(true, std::memory_order_relaxed);
}

IoResult ShmOutput::await_room() {
  WaitDeadline patience(timeout_);
  for (;;) {
    const bool over = sleeper_.writing.over.load(std::memory_order_acquire);
    if (over) return {0, IoStatus::failed, EPIPE};
    if (ring_.room(1) != 0) return free_to_go;
    if (!blocking_) return plug();
    if (pace_.may_poll() && room_comes_soon()) continue;
    if (const IoResult slept = sleep(patience); slept.status != IoStatus::ok)
      return ring_.room(1) != 0 ? free_to_go : slept;
    patience.count_spurious_wakeup();
  }
}

bool ShmOutput::room_comes_soon() {
  return pace_.poll([this] { return ring_.room(1) != 0; },
                    [this] { return sleeper_.writing.over.load(std::memory_order_relaxed); });
}

// The reader removes the plug when it sees that we wait, even if the plug arrives later. So an announced plug
// must be sent, and the next one only after the removal.
IoResult ShmOutput::plug() {
  auto& word = ring_.control().writer;
  if (plugged_ &&
      os::wait_ready(socket_.fd(), os::Interest::write, os::Clock::now()) == os::WaitResult::timed_out)
    return {0, IoStatus::would_block, 0};
  plugged_ = false;
  int error = 0;
  if (word.load(std::memory_order_acquire) ==
      RingControl::on_socket) {  // removed already; the notification is about to arrive
    error = bell_.test_peer();
  } else {
    word.store(RingControl::on_socket, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (ring_.room(1) != 0 && word.exchange(RingControl::awake) == RingControl::on_socket) return free_to_go;
    error = bell_.plug();
    plugged_ = error == 0;
  }
  if (error == EPIPE) return reader_has_gone();
  return ring_.room(1) != 0 ? free_to_go : IoResult{0, IoStatus::would_block, 0};
}

IoResult ShmOutput::reader_has_gone() {
  sleeper_.writing.over.store(true, std::memory_order_relaxed);
  return {0, IoStatus::failed, EPIPE};
}

IoResult ShmOutput::sleep(WaitDeadline& patience) {
  const auto left = patience.left();
  if (left.count() < 0) return {0, IoStatus::timed_out, 0};
  auto& word = ring_.control().writer;
  // Set earlier, when the stream was non-blocking.
  if (word.load(std::memory_order_acquire) == RingControl::on_socket) {
    const auto waited = os::wait_ready(socket_.fd(), os::Interest::write, patience.deadline());
    if (waited == os::WaitResult::timed_out) return {0, IoStatus::timed_out, 0};
    if (waited != os::WaitResult::ready) return {0, IoStatus::failed, EBADF};
    return bell_.test_peer() == EPIPE ? reader_has_gone() : free_to_go;  // a closed socket is ready as well
  }
  switch (sleeper_.sleep(sleeper_.writing, left, [this] { return ring_.room(1) == 0; })) {
    case ShmSleeper::Slept::timed_out:
      return {0, IoStatus::timed_out, 0};
    case ShmSleeper::Slept::failed:
      return {0, IoStatus::failed, EAGAIN};
    case ShmSleeper::Slept::woken:
      break;
  }
  return free_to_go;
}

}  // namespace takt::transport

#include "transport/shm/shm_input.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "os/poll/wait.h"

namespace takt::transport {

using namespace std::chrono_literals;
using os::IoResult;
using os::IoStatus;
using Signal = os::Doorbell::Signal;

namespace {

constexpr IoResult nothing_yet{0, IoStatus::ok, 0};
constexpr int signals_at_once = 64;
constexpr int looks_at_once = 16;

}  // namespace

void ShmInput::set_timeout(std::chrono::nanoseconds timeout) {
  timeout_ = timeout;
  watched_ = false;
}

bool ShmInput::give_up_after(std::chrono::nanoseconds silence) {
  const bool by_watch = silence >= os::ReadWatch::shortest;
  if (by_watch || watched_) watched_ = watch_.set_timeout(socket_.fd(), by_watch ? silence : 0ns) && by_watch;
  timeout_ = watched_ ? 0ns : silence;
  return true;
}

// Reads each announced splice once. False: the entry is invalid.
bool ShmInput::read_splice() {
  if (!splice_ && buffers_) splice_ = buffers_->read(ring_.splices_taken());
  return splice_.has_value();
}

void ShmInput::skip_splice() {
  splice_.reset();
  ring_.skip_splice();
}

// Copies the octets before the next splice. If there are none before it, copies octets of the splice.
IoResult ShmInput::take_with_splices(MutableBytes into, std::uint32_t there) {
  if (!read_splice()) return {0, IoStatus::failed, EPROTO};
  if (const std::uint32_t before = splice_->position - ring_.taken(); before != 0)
    return taken(ring_.take(into, std::min(there, before)));
  const std::size_t count = std::min(into.size(), splice_->octets.size());
  std::memcpy(into.data(), splice_->octets.data(), count);
  splice_->octets = splice_->octets.subspan(count);
  if (splice_->octets.empty()) {
    buffers_->finish(*splice_);
    skip_splice();
  }
  return taken(count);
}

// Every octet behind the splice stands for at least one octet.
std::size_t ShmInput::available_in_place() {
  const std::uint32_t there = ring_.available();
  if (there - 1 >= ring_.size() || !ring_.has_splices() || !read_splice()) return 0;
  return splice_->position == ring_.taken() ? splice_->octets.size() + there - 1 : 0;
}

HeldOctets ShmInput::read_in_place(std::size_t count) {
  if (available_in_place() == 0 || splice_->octets.size() != count) return {};
  HeldOctets held = buffers_->hold(*splice_);
  skip_splice();
  (void)taken(0);
  return held;
}

IoResult ShmInput::read_waiting(MutableBytes into) {
  if (!blocking_) return look_at_socket(into);
  WaitDeadline patience(timeout_);
  IoResult result = try_again(into, patience);
  if (result.bytes != 0 || result.status != IoStatus::ok) return result;
  if (watched_) watch_.begin();
  do {
    const IoStatus slept = sleep(patience);
    result = try_again(into, patience);
    if (result.bytes == 0 && result.status == IoStatus::ok && slept != IoStatus::ok)
      result = {0, slept, slept == IoStatus::failed ? EAGAIN : 0};
  } while (result.bytes == 0 && result.status == IoStatus::ok);
  return !watched_ || watch_.end() ? result : IoResult{0, IoStatus::timed_out, 0};
}

// Octets that have arrived by now, `nothing_yet`, or the reason why none will.
IoResult ShmInput::try_again(MutableBytes into, WaitDeadline& patience) {
  const bool over = sleeper_.reading.over.load(std::memory_order_acquire);
  const std::uint32_t there = ring_.available();
  if (there > ring_.size()) return {0, IoStatus::failed, EPROTO};
  if (there != 0) return take(into, there);
  if (over) return {0, IoStatus::end_of_stream, 0};
  if (pace_.may_poll() && ring_changes_soon())
    if (const std::uint32_t count = ring_.available(); count - 1 < ring_.size()) return take(into, count);
  patience.count_spurious_wakeup();
  return nothing_yet;
}

// Called when the ring looks empty. Leaves no octet behind that its poller would not be told of.
IoResult ShmInput::look_at_socket(MutableBytes into) {
  for (int i = 0; i < looks_at_once; ++i) {
    const bool over = sleeper_.reading.over.load(std::memory_order_acquire);
    const std::uint32_t there = ring_.available();
    if (there > ring_.size()) return {0, IoStatus::failed, EPROTO};
    if (there != 0) return take(into, there);
    if (over) return {0, IoStatus::end_of_stream, 0};
    if (!armed_ && !arm()) continue;
    take_old_bells();
    take_other_signals();
    if (armed_ && !sleeper_.reading.over.load(std::memory_order_relaxed)) break;
  }
  return {0, IoStatus::would_block, 0};
}

bool ShmInput::ring_changes_soon() {
  return pace_.poll([this] { return ring_.available() != 0; },
                    [this] { return sleeper_.reading.over.load(std::memory_order_relaxed); });
}

// `ok` means that the ring is worth checking again.
IoStatus ShmInput::sleep(WaitDeadline& patience) {
  note_bells();
  if (plug_due_ && !armed_ && !arm()) return IoStatus::ok;
  const auto left = patience.left();
  if (left.count() < 0) return IoStatus::timed_out;  // also if octets come through the socket
  if (armed_) return await_bell(patience);
  switch (sleeper_.sleep(sleeper_.reading, left, [this] { return ring_.available() == 0; })) {
    case ShmSleeper::Slept::timed_out:
      return IoStatus::timed_out;
    case ShmSleeper::Slept::failed:
      return IoStatus::failed;
    case ShmSleeper::Slept::woken:
      break;
  }
  return IoStatus::ok;
}

// Leaves the bell for which we are armed in the socket, and takes out everything else.
IoStatus ShmInput::await_bell(WaitDeadline& patience) {
  take_old_bells();
  if (sleeper_.reading.over.load(std::memory_order_relaxed)) return IoStatus::ok;
  const auto waited = os::wait_ready(socket_.fd(), os::Interest::read, patience.deadline());
  if (waited == os::WaitResult::failed) return IoStatus::failed;
  if (waited == os::WaitResult::timed_out) return IoStatus::timed_out;
  take_other_signals();
  return IoStatus::ok;
}

IoResult ShmInput::await_socket() {
  WaitDeadline patience(timeout_);
  if (watched_) watch_.begin();
  const auto waited = os::wait_ready(socket_.fd(), os::Interest::read, patience.deadline());
  if (watched_ && !watch_.end()) return {0, IoStatus::timed_out, 0};
  if (waited == os::WaitResult::ready) return nothing_yet;
  return {0, waited == os::WaitResult::timed_out ? IoStatus::timed_out : IoStatus::failed, 0};
}

// Detects whether the writer has found us armed; it then rings, or has rung already.
void ShmInput::note_bells() {
  if (!armed_ || ring_.control().reader.load(std::memory_order_acquire) == RingControl::on_socket) return;
  armed_ = false;
  ++bells_;
}

// False: octets arrived before the writer could see the request, so it did not ring for them.
bool ShmInput::arm() {
  auto& word = ring_.control().reader;
  word.store(RingControl::on_socket, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  armed_ = true;
  if (ring_.available() == 0) return true;
  if (word.exchange(RingControl::awake) != RingControl::on_socket) ++bells_;
  armed_ = false;
  return false;
}

// Called by a non-blocking reader after a successful read.
void ShmInput::settle() {
  note_bells();
  if (!armed_ && ring_.available() == 0 && arm()) take_old_bells();
}

// Takes bells from before we were armed. A writer that sends many plugs is continued next time, so that it
// cannot occupy a thread that serves other connections.
void ShmInput::take_old_bells() {
  for (int plugs = 0; bells_ != 0;) switch (bell_.take()) {
      case Signal::none:
        return;
      case Signal::end:
        sleeper_.reading.over.store(true, std::memory_order_relaxed);
        return;
      case Signal::plug:
        plug_taken();
        if (++plugs == signals_at_once) return;
        break;
      case Signal::bell:
      case Signal::nonsense:
        --bells_;
    }
  if (plug_due_) take_other_signals();
}

// Takes out everything else while we are armed: plugs, the end, or meaningless octets. The bell for which we
// are armed stays.
void ShmInput::take_other_signals() {
  for (int taken = 0; armed_ && taken < signals_at_once; ++taken) {
    const Signal signal = bell_.look();
    if (signal == Signal::end) sleeper_.reading.over.store(true, std::memory_order_relaxed);
    if (signal == Signal::none || signal == Signal::end) return;
    if (signal != Signal::plug) note_bells();
    if (!armed_) return;
    if (bell_.take() == Signal::plug) plug_taken();
  }
}

// The plug may arrive before we have checked whether the writer waits.
void ShmInput::plug_taken() {
  if (!plug_due_) look_for_writer();
  plug_due_ = false;
}

// A writer waits when the ring is full and continues when half of it is free, so checking once per half ring
// is enough.
void ShmInput::notify_writer() {
  if (ring_.available() > ring_.size() / 2) return;
  told_ = ring_.taken();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (ring_.control().writer.load(std::memory_order_relaxed) != RingControl::awake) look_for_writer();
}

// The writer's plug, which is in the socket or about to arrive, lies behind the bells, so it can be taken
// only when the ring is empty. There is at most one plug.
void ShmInput::look_for_writer() {
  auto& word = ring_.control().writer;
  const std::uint32_t waiting = word.exchange(RingControl::awake);
  if (waiting == RingControl::on_futex) os::wake_futex(word);
  if (waiting == RingControl::on_socket) plug_due_ = true;
}

}  // namespace takt::transport

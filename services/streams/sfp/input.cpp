#include "streams/sfp/input.h"

#include <algorithm>
#include <cerrno>
#include <limits>

namespace takt::streams::sfp {
namespace {

using namespace std::chrono_literals;

constexpr auto silence_of_gone = 1s;
constexpr std::int32_t most_jump = 3000;  // as of RTP's receivers (RFC 3550, A.1)

}  // namespace

Input::Input(const std::string& host, const FrameOptions& options, std::uint32_t credit)
    : clock_rate_(options.clock_rate),
      credit_(credit),
      socket_(Datagrams::at(address_of(host, 0))),
      assembly_({options.frame_bytes, options.frames, options.bytes}),
      datagram_(most_datagram_bytes) {}

std::optional<Frame> Input::receive(std::chrono::nanoseconds timeout) {
  const auto end = os::Clock::now() + timeout;
  while (!closed_.load(std::memory_order_relaxed)) {
    std::size_t bytes = 0;
    Address from;
    const int error = socket_.receive(datagram_, bytes, from);
    const auto now = os::Clock::now();
    if (error == 0) {
      auto frame = take(ByteView(datagram_).first(bytes), from, now);
      incomplete_.store(assembly_.incomplete(), std::memory_order_relaxed);
      if (frame) return frame;
    }
    if (now >= end) return {};
    if (error != 0)  // EAGAIN, or that an answer was refused
      socket_.wait(static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(end - now).count()));
  }
  return {};
}

std::optional<Frame> Input::take(ByteView datagram, const Address& from, os::TimePoint now) {
  const bool is_other = sender_ && !(*sender_ == from) && now - heard_ < silence_of_gone;
  const auto message = is_other ? std::nullopt : parse(datagram);
  if (!message || message->kind == Kind::start_reply || message->kind == Kind::credit)
    return refuse(), std::nullopt;
  if (message->kind == Kind::end) {
    if (!sender_ || !(*sender_ == from)) return refuse(), std::nullopt;
    sender_.reset();
    return {};
  }
  if (message->kind == Kind::start || !sender_ || !(*sender_ == from)) begin(from);
  heard_ = now;
  if (message->kind == Kind::start) {
    write_start_reply(answer_);
    socket_.send_to(answer_, from);
    return {};
  }
  note_sequence(*message);
  return assembly_.take(*message);
}

void Input::begin(const Address& from) {
  sender_ = from;
  highest_.reset();
  credit_due_ = 0;
  assembly_.clear();
}

// Frames that are lost count for the credit, too: the producer has spent it. A number far from the others,
// which may be forged, begins the count anew, and so does the next true one.
void Input::note_sequence(const Message& message) {
  if (message.kind == Kind::simple_frame) return give_credit(1);
  const auto ahead = highest_ ? static_cast<std::int32_t>(message.sequence - *highest_) : 1;
  if (ahead <= 0 && ahead >= -most_jump) return;
  const auto frames = ahead < 0 || ahead > most_jump ? 1 : static_cast<std::uint32_t>(ahead);
  lost_.fetch_add(frames - 1, std::memory_order_relaxed);
  highest_ = message.sequence;
  give_credit(frames);
}

void Input::give_credit(std::uint32_t frames) {
  if (credit_ == 0) return;
  credit_due_ = std::min(credit_, credit_due_ + std::min(frames, credit_));
  if (credit_due_ < std::max(credit_ / 2, 1U)) return;
  write_credit(answer_, credit_due_);
  socket_.send_to(answer_, *sender_);
  credit_due_ = 0;
}

FrameReport Input::report() {
  FrameReport report;
  report.lost = lost_.load(std::memory_order_relaxed);
  report.cumulative_lost = static_cast<std::int32_t>(
      std::min<std::uint64_t>(report.lost, std::numeric_limits<std::int32_t>::max()));
  report.incomplete = incomplete_.load(std::memory_order_relaxed);
  report.refused = refused_.load(std::memory_order_relaxed);
  return report;
}

void Input::close() {
  closed_ = true;
  socket_.shut_down();
}

}  // namespace takt::streams::sfp

// Bodies of requests whose rest arrives while the upcall runs.
#include <algorithm>
#include <array>
#include <utility>

#include "server/channel/server_channel.h"
#include "server/intake/own_answers.h"

namespace takt::server {

using transport::IoResult;
using transport::IoStatus;
using Clock = std::chrono::steady_clock;

// False: the request is not begun, because the rest of its body will not be read.
[[gnu::cold, gnu::noinline]] bool ServerChannel::begin_arriving(const giop::Event& event, ServerCall& call) {
  if (cdr::BodyTail* const tail = intake_.protocol().tail()) {
    call.arguments().set_source(tail, event.body_missing);
    return true;
  }
  if (!begin_body()) return false;
  static_cast<void>(out_.write_held());  // the rest of the body may take its time
  if (event.parts)
    call.arguments().set_source(event.parts, event.body_missing);
  else
    call.set_arriving(*this, *this, event.body_missing);
  return true;
}

// False: the request is not begun, because the rest of its body will not be read.
[[gnu::cold]] bool ServerChannel::begin_body() {
  tried_in_place_ = 0;
  return reading_stop_.begin_body();
}

[[gnu::cold]] bool ServerChannel::end_body(bool taken) {
  rest_.drop();
  rest_.trim(MemoryBudget::uncounted_bytes);
  reading_stop_.end_body();
  return taken;
}

bool ServerChannel::skip_body() {
  std::array<std::uint8_t, 8 * 1024> skipped;
  while (const std::size_t missing = intake_.protocol().body_missing())
    if (!read_exact(MutableBytes(skipped).first(std::min(missing, skipped.size())))) return false;
  return true;
}

bool ServerChannel::read_exact(MutableBytes into) {
  if (waiting_ == Waiting::blocking && !std::exchange(waited_in_upcall_, true)) {
    limits_message_ = true;
    stream_->set_silence_limit(server_.protocol.limits->message_time);
  }
  while (!into.empty()) {
    const IoResult result =
        stream_->read(into.first(std::min(into.size(), intake_.protocol().body_missing())));
    if (result.status != IoStatus::ok || overdue(Clock::now())) {
      failed_ = true;
      return false;
    }
    intake_.protocol().body_taken(result.bytes);
    into = into.subspan(result.bytes);
  }
  return true;
}

cdr::Decoder::Source* ServerChannel::read_to_end() {
  const std::size_t missing = intake_.protocol().body_missing();
  bool has_room = rest_.begin({}, missing);
  while (has_room && rest_.missing() != 0) {
    if (!read_exact(rest_.space(missing - rest_.missing()))) return nullptr;
    has_room = rest_.make_room(missing - intake_.protocol().body_missing());
  }
  if (!has_room) throw_without_memory(rest_.fits_later());
  return &rest_;
}

HeldOctets ServerChannel::read_in_place(std::size_t count) {
  HeldOctets held = stream_->read_in_place(count);
  intake_.protocol().body_taken(held.size());
  return held;
}

}  // namespace takt::server

#include "client/strategy/waiting_calls.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <tuple>
#include <utility>

#include "giop/message/body_copy.h"

namespace takt::client {

namespace {

// Size above which a receive buffer, or a caller's copy of a reply, is freed after use.
constexpr std::size_t long_bytes = 1088 * 1024;

// Copies the reply's views from the shared receive buffer into the waiter's storage.
void copy_reply(const giop::Event& event, Waiter& waiter) {
  waiter.reply = event;
  const ByteView contexts = event.contexts.octets();
  const auto copy = giop::copy_body(event, contexts.size(), waiter.storage, waiter.parts);
  std::ranges::copy(contexts, copy.rest.begin());
  waiter.reply.contexts = event.contexts.moved_to(copy.rest);
  waiter.reply.body = copy.body;
  if (event.parts) waiter.reply.parts = &waiter.parts;
}

// The same for a short reply without contexts. False: it is not one.
bool copy_few(const giop::Event& event, Waiter& waiter) {
  const std::size_t lead_in = event.body_index % 8;  // keeps the alignment
  if (event.kind != giop::EventKind::reply || event.parts || !event.contexts.octets().empty() ||
      event.body.size() > Waiter::few_bytes - lead_in)
    return false;
  waiter.reply = event;
  std::uint8_t* const to = waiter.few.data() + lead_in;
  std::ranges::copy(event.body, to);
  waiter.reply.body = {to, event.body.size()};
  return true;
}

// The reason of a connection's end for the calls that wait on it. Static text.
const char* reason_of_end(const giop::Event& event) {
  switch (event.kind) {
    case giop::EventKind::close:
      return "the server closed the connection in good order";
    case giop::EventKind::message_error:
      return "the server did not understand our message (MessageError)";
    case giop::EventKind::protocol_error:
    case giop::EventKind::lost:
      return event.reason;
    default:
      return "the server sent a message that does not belong on the connection";
  }
}

}  // namespace

inline void Waiter::tell_end() {
  answered.store(true, std::memory_order_release);
  if (ended) return ended(*this);
  if (!reads_itself || asleep) wake.release();
}

void Waiter::end(const Exchange& how) {
  exchange = how;
  tell_end();
}

void Waiter::answer(const giop::Event& event, MemoryBudget* memory) noexcept {
  exchange.sent_in_part = true;
  exchange.error = 0;
  exchange.phase = "wait for the reply";
  if (copy_few(event, *this)) [[likely]] {
    exchange.status = Exchange::Status::reply;
    exchange.reason = "";
    return tell_end();
  }
  exchange.status = Exchange::Status::no_memory;
  exchange.reason = "there is no memory for it";
  if (event.kind == giop::EventKind::reply) {
    try {
      memory_ = MemoryCharge(memory);
      if (memory_.resize(event.body.size() + event.body_missing)) {
        copy_reply(event, *this);
        exchange.status = Exchange::Status::reply;
      }
    } catch (const std::bad_alloc&) {  // reported to the caller as NO_MEMORY
    }
  }
  tell_end();
}

void Waiter::give_back_memory() noexcept {
  memory_ = {};
  if (storage.capacity() > long_bytes) storage = std::vector<std::uint8_t>();
}

void WaitingCalls::add(std::uint32_t request_id, Waiter& waiter) {
  Waiter*& first = first_[chain_of(request_id)];
  waiter.id_ = request_id;
  waiter.number_ = ++last_number_;
  waiter.next_ = std::exchange(first, &waiter);
  ++size_;
  waiter.counted_as_ = 0;
  if (waiter.urgency > 0) [[unlikely]] {
    constexpr os::Urgency highest = std::tuple_size_v<decltype(of_urgency_)> - 1;
    waiter.counted_as_ = static_cast<std::uint8_t>(std::min(waiter.urgency, highest));
    ++of_urgency_[waiter.counted_as_];
    top_urgency_ = std::max(top_urgency_, waiter.counted_as_);
  }
}

Waiter* WaitingCalls::take(std::uint32_t request_id) {
  for (Waiter** link = &first_[chain_of(request_id)]; *link; link = &(*link)->next_) {
    if ((*link)->id_ != request_id) continue;
    note_out(**link);
    return std::exchange(*link, (*link)->next_);
  }
  return nullptr;
}

void WaitingCalls::end_all(const Exchange& how) {
  end_each([&how](const Waiter&) { return how; });
}

Waiter* WaitingCalls::most_urgent_asleep() const {
  Waiter* best = nullptr;
  if (size_ == 0) return best;
  const auto is_before = [](const Waiter& one, const Waiter& other) {
    return one.urgency != other.urgency ? one.urgency > other.urgency : one.number_ < other.number_;
  };
  for (Waiter* waiter : first_)
    for (; waiter; waiter = waiter->next_)
      if (waiter->asleep && !waiter->answered && (!best || is_before(*waiter, *best))) best = waiter;
  return best;
}

os::Urgency WaitingCalls::most_urgent() {
  while (top_urgency_ != 0 && of_urgency_[top_urgency_] == 0) --top_urgency_;
  return top_urgency_;
}

std::optional<Exchange> deliver_some(giop::Connection& protocol, WaitingCalls& waiting, bool& more,
                                     os::Urgency* of_one) {
  constexpr int replies_at_once = 32;
  more = false;
  for (int replies = 0; replies < replies_at_once; ++replies) {
    const giop::Event& event = protocol.next_event();
    if (event.kind == giop::EventKind::none) {
      if (!protocol.mid_message() && protocol.buffer_bytes() > long_bytes) protocol.trim(long_bytes);
      return std::nullopt;
    }
    if (event.kind == giop::EventKind::reply || event.kind == giop::EventKind::refused_reply) {
      if (waiting.size() > replies_at_once) waiting.prefetch_after(event.request_id);
      Waiter* const waiter = waiting.take(event.request_id);
      if (waiter && of_one) *of_one = waiter->urgency;  // afterwards the caller may be gone
      if (waiter) waiter->answer(event, &protocol.memory());
      if (of_one) break;
      continue;
    }
    const bool orderly = event.kind == giop::EventKind::close;
    Exchange end;
    end.phase = "wait for the reply";
    end.status = orderly ? Exchange::Status::retry : Exchange::Status::failed;
    end.sent_in_part = !orderly;
    end.reason = reason_of_end(event);
    return end;
  }
  more = true;
  return std::nullopt;
}

std::optional<Exchange> deliver(giop::Connection& protocol, WaitingCalls& waiting) {
  std::optional<Exchange> end;
  for (bool more = true; more && !end;) end = deliver_some(protocol, waiting, more);
  return end;
}

Exchange refused(const char* reason) {
  Exchange refusal;
  refusal.status = Exchange::Status::refused;
  refusal.phase = "send";
  refusal.reason = reason;
  return refusal;
}

Exchange end_of_reading(giop::Connection& protocol, const os::IoResult& result) {
  Exchange end;
  end.sent_in_part = true;
  end.error = result.error;
  end.phase = "wait for the reply";
  end.reason = result.status == os::IoStatus::end_of_stream
                   ? "the server closed the connection without a word"
                   : "the connection failed";
  protocol.end_of_stream();
  if (const giop::Event& last = protocol.next_event(); last.wants_tls) {
    end.error = EACCES;
    end.reason = last.reason;
  }
  return end;
}

}  // namespace takt::client

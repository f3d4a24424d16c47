#include "rt_events/model/event_pool.h"

#include <new>

namespace takt::rt_events {
namespace {

constexpr std::uint64_t one_change = std::uint64_t{1} << 32;

std::uint32_t first_of(std::uint64_t word) { return static_cast<std::uint32_t>(word); }

std::uint64_t changed(std::uint64_t word, std::uint32_t first) {
  return ((word & ~(one_change - 1)) + one_change) | first;
}

// Length of an encoding without the octets of the payload: times, pad1, the payload's count, and the type of
// a value that is not set.
constexpr std::size_t encoded_frame_bytes = 40;

}  // namespace

void EventRecord::write(cdr::Encoder& out) const {
  const RtecEventComm::EventHeader& header = event.header();
  out.put(header.type());
  out.put(header.source());
  out.put(header.ttl());
  encoded_.put(
      out,
      [this, &header](cdr::Encoder& to) {
        to.put(header.creation_time());
        to.put(header.ec_recv_time());
        to.put(header.ec_send_time());
        cdr::write(to, event.data());
      },
      [this] { return octets::is_self_contained(event.data().any_value()); });
}

bool EventPool::reserve(std::size_t count) {
  const std::lock_guard lock(growth_);
  if (count > most_events - reserved_) return false;
  while (made() < reserved_ + count)
    if (!grow()) return false;
  reserved_ += count;
  return true;
}

void EventPool::unreserve(std::size_t count) {
  const std::lock_guard lock(growth_);
  reserved_ -= count;
}

bool EventPool::grow() {
  auto more = std::make_unique<Chunk>();
  const auto first = static_cast<std::uint32_t>(made());
  Chunk& records = *more;
  for (std::uint32_t i = 0; i < chunk; ++i) {
    records[i].pool = this;
    records[i].index = first + i;
    records[i].event.data().payload().reserve(payload_bytes_);
    if (encodes_) records[i].encoded_.reserve(payload_bytes_ + encoded_frame_bytes);
  }
  if (!chunks_.add(std::move(more))) return false;
  for (EventRecord& record : records) put_free(record);
  return true;
}

bool EventPool::has_grown() {
  try {
    return grow();
  } catch (const std::bad_alloc&) {
    return false;
  }
}

EventRef EventPool::take() {
  std::uint64_t word = free_.load(std::memory_order_acquire);
  for (;;) {
    if (first_of(word) == 0) {
      const std::lock_guard lock(growth_);
      word = free_.load(std::memory_order_acquire);
      if (first_of(word) == 0 && !has_grown()) return {};
      word = free_.load(std::memory_order_acquire);
      continue;
    }
    EventRecord& record = at(first_of(word) - 1);
    const std::uint32_t next = record.next.load(std::memory_order_relaxed);
    if (!free_.compare_exchange_weak(word, changed(word, next), std::memory_order_acquire)) continue;
    record.uses.store(1, std::memory_order_relaxed);
    record.timer = 0;
    record.bytes = 0;
    in_use_.fetch_add(1, std::memory_order_relaxed);
    return EventRef::adopt(record);
  }
}

void EventPool::shorten(EventPayload& payload) const {
  payload = EventPayload();
  try {
    payload.reserve(payload_bytes_);
  } catch (const std::bad_alloc&) {  // the next event allocates
  }
}

void EventPool::give_back(EventRecord& record) {
  RtecEventData& data = record.event.data();
  if (data.payload().capacity() > kept_payload_bytes) shorten(data.payload());
  if (data.any_value().type()->kind() != CORBA::TCKind::tk_null) data.any_value(CORBA::Any());
  record.encoded_.clear(kept_payload_bytes);
  in_use_.fetch_sub(1, std::memory_order_relaxed);
  put_free(record);
}

void EventPool::put_free(EventRecord& record) {
  std::uint64_t word = free_.load(std::memory_order_relaxed);
  do {
    record.next.store(first_of(word), std::memory_order_relaxed);
  } while (!free_.compare_exchange_weak(word, changed(word, record.index + 1), std::memory_order_release));
}

}  // namespace takt::rt_events

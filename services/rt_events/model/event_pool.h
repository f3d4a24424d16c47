// Events on their way through a channel, in memory that is used again.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include <takt/base/append_only_list.h>
#include <takt/cdr/typecode.h>

#include "RtecEventCommC.h"
#include "octets/encoded_once.h"

namespace takt::rt_events {

class EventPool;

// An event, and how many references to it exist. A pool owns it.
struct EventRecord {
  RtecEventComm::Event event;
  std::size_t bytes = 0;        // payload and value together
  std::uint32_t timer = 0;      // 0: from a supplier; otherwise 1 + the index of the consumer's timer
  std::int64_t arrived_ns = 0;  // by os::Clock
  EventPool* pool = nullptr;
  std::uint32_t index = 0;  // in the pool
  std::atomic<std::uint32_t> uses{0};
  std::atomic<std::uint32_t> next{0};  // 1 + the index of the next free record

  // Appends the event as cdr::Codec<RtecEventComm::Event> does, but encodes it only once. Any thread.
  void write(cdr::Encoder& out) const;

 private:
  friend class EventPool;
  // From creation_time on, which is aligned to 8 wherever the event begins.
  octets::EncodedOnce<8> encoded_;
};

// A reference to an event, which goes back to its pool with the last one. Copies refer to the same event.
class EventRef {
 public:
  EventRef() = default;
  EventRef(const EventRef& other) : record_(other.record_) {
    if (record_) record_->uses.fetch_add(1, std::memory_order_relaxed);
  }
  EventRef(EventRef&& other) noexcept : record_(std::exchange(other.record_, nullptr)) {}
  EventRef& operator=(EventRef other) noexcept {
    std::swap(record_, other.record_);
    return *this;
  }
  ~EventRef() { release(); }

  explicit operator bool() const { return record_ != nullptr; }
  EventRecord* operator->() const { return record_; }
  EventRecord& operator*() const { return *record_; }
  friend bool operator==(const EventRef&, const EventRef&) = default;

  // Takes over a use of the record, or hands it over.
  static EventRef adopt(EventRecord& record) {
    EventRef ref;
    ref.record_ = &record;
    return ref;
  }
  EventRecord* detach() { return std::exchange(record_, nullptr); }

 private:
  inline void release();

  EventRecord* record_ = nullptr;
};

// Any thread. Taking and giving back are lock-free: a thread that is stopped between two instructions delays
// no other. They allocate only if there are more events at once than were reserved, and than ever before. A
// longer payload than each before it allocates too. The pool must outlive its events.
class EventPool {
 public:
  static constexpr std::size_t most_events = std::size_t{1} << 20;
  // A free record keeps the memory of its payload up to this length.
  static constexpr std::size_t kept_payload_bytes = 64 * 1024;

  // `payload_bytes`: the memory that each event has for its payload from the start. `encodes`: it has memory
  // for the payload's encoding, too.
  explicit EventPool(std::size_t payload_bytes = 0, bool encodes = false)
      : payload_bytes_(payload_bytes), encodes_(encodes) {
    // Made while there is memory; events without a value refer to it.
    cdr::basic_typecode(CORBA::TCKind::tk_null);
  }
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;

  // Makes the events that `count` more places can hold. False: there would be more than most_events.
  bool reserve(std::size_t count);
  void unreserve(std::size_t count);
  // An event with old contents. Null if all most_events are in use, or there is no memory for another.
  EventRef take();

  EventRecord& at(std::uint32_t index) const { return (*chunks_.all()[index / chunk])[index % chunk]; }
  std::size_t in_use() const { return in_use_.load(std::memory_order_relaxed); }
  std::size_t made() const { return chunks_.all().size() * chunk; }

 private:
  friend class EventRef;
  static constexpr std::size_t chunk = 256;
  using Chunk = std::array<EventRecord, chunk>;

  void give_back(EventRecord& record);
  void put_free(EventRecord& record);
  void shorten(EventPayload& payload) const;
  bool grow();       // with the lock
  bool has_grown();  // the same; false also if there is no memory

  const std::size_t payload_bytes_;
  const bool encodes_;
  std::mutex growth_;
  std::size_t reserved_ = 0;
  AppendOnlyList<Chunk, most_events / chunk> chunks_;
  // The upper half counts changes, so that a thread that was stopped notices them. The lower half is 1 + the
  // index of the first free record.
  std::atomic<std::uint64_t> free_{0};
  std::atomic<std::size_t> in_use_{0};
};

inline void EventRef::release() {
  if (record_ && record_->uses.fetch_sub(1, std::memory_order_acq_rel) == 1)
    record_->pool->give_back(*record_);
}

}  // namespace takt::rt_events

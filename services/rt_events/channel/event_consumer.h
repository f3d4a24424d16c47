// The interface by which an application receives events.
#pragma once

#include <cstddef>
#include <span>

#include "RtecEventCommC.h"
#include "rt_events/model/event_pool.h"

namespace takt {

// The events of one delivery: one, those that complete a conjunction, or several one after the other if the
// consumer takes that. They are valid during the call.
class EventList {
 public:
  explicit EventList(std::span<const rt_events::EventRef> events) : events_(events) {}

  std::size_t size() const { return events_.size(); }
  const RtecEventComm::Event& operator[](std::size_t i) const { return events_[i]->event; }
  const RtecEventComm::Event& front() const { return (*this)[0]; }
  // Appends the event in CDR. All consumers share its encoding. The message may borrow octets until the end
  // of the call.
  void write(cdr::Encoder& out, std::size_t i) const { events_[i]->write(out); }

  class Iterator {
   public:
    using value_type = RtecEventComm::Event;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(const rt_events::EventRef* at) : at_(at) {}
    const RtecEventComm::Event& operator*() const { return (*at_)->event; }
    Iterator& operator++() { return ++at_, *this; }
    Iterator operator++(int) { return Iterator(at_++); }
    bool operator==(const Iterator&) const = default;

   private:
    const rt_events::EventRef* at_ = nullptr;
  };
  Iterator begin() const { return Iterator(events_.data()); }
  Iterator end() const { return Iterator(events_.data() + events_.size()); }

 private:
  std::span<const rt_events::EventRef> events_;
};

class EventConsumer {
 public:
  virtual ~EventConsumer() = default;
  // Called by a thread of the consumer's level, one call at a time. It may push events, and connect, suspend
  // and disconnect consumers, also itself. If a call takes long, another thread serves the rest of the level.
  // An exception is counted, and the next event is delivered.
  virtual void push(const EventList& events) = 0;
  // Whether events that wait for the consumer, and that its filter accepts each alone, may come in one list,
  // in their order: at most most_together and what its queue holds, of 64 KiB and one more. Constant.
  virtual bool takes_several() const { return false; }
  static constexpr std::size_t most_together = 256;
};

}  // namespace takt

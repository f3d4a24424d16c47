// The interface by which an application receives events.
#pragma once

#include <cstddef>
#include <span>

#include "RtecEventCommC.h"
#include "rt_events/model/event_pool.h"

namespace takt {

// The events of one delivery: one, or those that complete a conjunction. They are valid during the call.
class EventList {
 public:
  explicit EventList(std::span<const rt_events::EventRef> events) : events_(events) {}

  std::size_t size() const { return events_.size(); }
  const RtecEventComm::Event& operator[](std::size_t i) const { return events_[i]->event; }
  const RtecEventComm::Event& front() const { return (*this)[0]; }

  class Iterator {
   public:
    explicit Iterator(const rt_events::EventRef* at) : at_(at) {}
    const RtecEventComm::Event& operator*() const { return (*at_)->event; }
    Iterator& operator++() { return ++at_, *this; }
    bool operator==(const Iterator&) const = default;

   private:
    const rt_events::EventRef* at_;
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
};

}  // namespace takt

// A consumer that reads the events of a channel of this machine from a shared buffer.
//
//   auto consumer = takt::event_ring::RingConsumer::connect(
//       orb, orb->string_to_object("corbaloc::localhost:11170/TaktEventRing"),
//       {.filter = filters::event(20)}, [](std::span<const RtecEventComm::Event> events) { ... });
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <takt/orb/orb.h>

#include "RtecEventCommC.h"
#include "rt_events/model/filters.h"

namespace takt::event_ring {

struct RingConsumerOptions {
  rt_events::filters::Entries filter = {};
  std::size_t level = 0;  // index in the channel's levels
  // Why the consumer gets its events by calls of the channel. Called in connect().
  std::function<void(const std::string&)> report = {};
  // Why there will be no more events. Called once, by the thread that calls `receive`.
  std::function<void(const std::string&)> ended = {};
  std::chrono::milliseconds patience{2'000};  // for the answer of the channel's process
};

struct RingConsumerCounts {
  std::uint64_t received = 0;  // given to the program
  std::uint64_t filtered = 0;  // read, and not accepted by the filter
  // That the channel has overwritten before they were read, or has discarded; of any type.
  std::uint64_t lost = 0;
  std::uint64_t malformed = 0;  // could not be decoded
  std::uint64_t failures = 0;   // calls of the program that raised an exception
};

// A channel that has shared buffers, and belongs to the same user and machine, writes each event once for all
// of its ring consumers. Each has a thread, which reads the buffer and filters by itself. From any other
// channel, and for filters that collect events or have timers, the consumer gets its events by ordinary
// calls, through the root POA of the ORB, which must be active.
//
// A consumer that is too slow delays neither the channel nor other consumers: the channel overwrites what it
// has not read, and the consumer counts what it has lost and goes on with the newest event. What the buffer
// has is checked as the octets of a stranger. Any thread, unless stated otherwise.
class RingConsumer {
 public:
  // At most 256 events, of 64 KiB and one more, which are valid during the call. One call at a time. An
  // exception is counted.
  using Receive = std::function<void(std::span<const RtecEventComm::Event>)>;

  // `source`: a channel's object "TaktEventRing", or the channel. The consumer gets events that are pushed
  // after the call. Fails for filters with a fault and unknown levels, and if the channel cannot be reached.
  static std::expected<std::unique_ptr<RingConsumer>, std::string> connect(
      const CORBA::object_reference<CORBA::ORB>& orb, const CORBA::object_reference<CORBA::Object>& source,
      RingConsumerOptions options, Receive receive);
  // There are no calls later; waits for a running one, and for its thread, which may sleep 100 ms longer. Not
  // in a call.
  virtual ~RingConsumer() = default;

  // Whether it reads a shared buffer.
  virtual bool shares() const = 0;
  virtual RingConsumerCounts counts() const = 0;
};

}  // namespace takt::event_ring

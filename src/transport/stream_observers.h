// The observers that an ORB puts around its streams.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include <takt/transport/stream_wrapper.h>

#include "base/event_log.h"

namespace takt::transport {

// The observers of all streams of one ORB, those that it opens and those that it accepts, in one order: next
// to the transport the recorder and plug-ins, then the log of messages, then the time probes. Immutable once
// the ORB has streams. Any thread.
struct StreamObservers {
  using Wrap = std::function<std::unique_ptr<Stream>(std::unique_ptr<Stream>, OpenedBy)>;

  // The stream with all but the time probes. Call before any octet passes.
  std::unique_ptr<Stream> observed(std::unique_ptr<Stream> stream, OpenedBy opened_by) const {
    if (wrap) stream = wrap(std::move(stream), opened_by);
    const auto event = opened_by == OpenedBy::us ? LogEvent::message_sent : LogEvent::message_received;
    if (trace && takes(log.get(), event)) stream = trace(std::move(stream), opened_by);
    return stream;
  }
  // The observed stream with the time probes, for a channel that records the steps of its calls.
  std::unique_ptr<Stream> probed(std::unique_ptr<Stream> stream, OpenedBy opened_by) const {
    return probe ? probe(std::move(stream), opened_by) : std::move(stream);
  }

  // Each may be empty, and returns a stream that owns the given one.
  Wrap wrap;                      // recorder and plug-ins
  std::shared_ptr<EventLog> log;  // null: messages are not logged
  Wrap trace;                     // logs messages, for connections that open while `log` takes them
  Wrap probe;
};

}  // namespace takt::transport

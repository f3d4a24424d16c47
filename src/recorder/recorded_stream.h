// A stream whose messages are recorded.
#pragma once

#include <memory>

#include <takt/transport/stream_wrapper.h>

#include "recorder/recording_ring.h"

namespace takt::recorder {

using transport::OpenedBy;

// Wraps another stream and keeps its contract and capabilities. What the other stream reads and writes is in
// the recording before the functions return.
std::unique_ptr<transport::Stream> recorded_stream(std::unique_ptr<transport::Stream> stream,
                                                   std::shared_ptr<RecordingRing> ring, OpenedBy opened_by);

}  // namespace takt::recorder

// Makes the observers of an ORB's streams.
#pragma once

#include <memory>

#include "base/event_log.h"
#include "orb/wiring/stream_wrappers.h"
#include "probes/probe_log.h"
#include "transport/stream_observers.h"

namespace takt::orb {

// `wrappers` must outlive the streams. `log` and `probes` may be null.
std::shared_ptr<const transport::StreamObservers> stream_observers(
    const StreamWrappers& wrappers, const std::shared_ptr<EventLog>& log,
    const std::shared_ptr<probes::ProbeLog>& probes);

}  // namespace takt::orb

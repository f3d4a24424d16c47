#include "orb/wiring/stream_observers.h"

#include <utility>

#include "config/reports/read_head.h"
#include "logs/traced_stream.h"
#include "probes/probed_stream.h"

namespace takt::orb {

using transport::OpenedBy;
using transport::Stream;

std::shared_ptr<const transport::StreamObservers> stream_observers(
    const StreamWrappers& wrappers, const std::shared_ptr<EventLog>& log,
    const std::shared_ptr<probes::ProbeLog>& probes) {
  auto observers = std::make_shared<transport::StreamObservers>();
  observers->wrap = [&wrappers](std::unique_ptr<Stream> stream, OpenedBy opened_by) {
    return wrappers.wrap(std::move(stream), opened_by);
  };
  observers->log = log;
  observers->trace = [log](std::unique_ptr<Stream> stream, OpenedBy) {
    return logs::traced_stream(std::move(stream), log, read_head);
  };
  if (probes)
    observers->probe = [probes](std::unique_ptr<Stream> stream, OpenedBy opened_by) {
      return probes::probed_stream(std::move(stream), opened_by, probes);
    };
  return observers;
}

}  // namespace takt::orb

#include "reference/context/quality_to_send.h"

#include "reference/context/thread_context.h"

namespace takt::reference {

giop::WireQuality quality_to_send(std::chrono::steady_clock::time_point deadline,
                                  std::chrono::steady_clock::time_point begin_by) {
  const ThreadContext& thread = ThreadContext::mine();
  giop::WireQuality wire;
  wire.priority = thread.priority().value_or(-1);
  if (const Quality* quality = thread.quality()) {
    wire.communication_class = static_cast<std::uint8_t>(quality->communication);
    wire.importance = quality->importance;
    wire.period = quality->period;
  }
  if (begin_by == Quality::no_deadline) return wire;  // it is not after the deadline
  const auto now = Quality::Clock::now();
  if (deadline != Quality::no_deadline) wire.remaining = deadline - now;
  if (begin_by < deadline) wire.begin_within = begin_by - now;
  return wire;
}

}  // namespace takt::reference

#include "streams/service/end_points.h"

namespace takt::streams {
namespace {

// The oldest comes first.
std::vector<std::shared_ptr<EndPoint>> all_end_points(Parts& parts) {
  std::vector<std::shared_ptr<EndPoint>> all;
  const std::lock_guard lock(parts.mutex);
  for (const auto& [number, end_point] : parts.end_points) all.push_back(end_point);
  return all;
}

void make_room(Parts& parts) {
  const auto all = all_end_points(parts);
  if (all.size() < parts.limits.end_points) return;
  const auto since = os::Clock::now() - parts.limits.unused_after;
  for (const auto& each : all)
    if (each->unused_since(since)) return each->end();
  parts.refusals.fetch_add(1, std::memory_order_relaxed);
  throw AVStreams::streamOpDenied("the device has " + std::to_string(all.size()) +
                                  " end points, which are all in use");
}

// Destroys unused consumers, the oldest first and those that are paused last, until the device can keep as
// many more octets of frames. A producer whose process has gone leaves such a consumer.
void make_room_for_frames(Parts& parts, std::size_t bytes) {
  const auto lacks_room = [&] {
    return parts.frame_memory.limit_bytes() - parts.frame_memory.taken_bytes() < bytes;
  };
  if (!lacks_room() || !parts.frame_memory.could_take(bytes)) return;
  const auto since = os::Clock::now() - parts.limits.unused_after;
  const auto all = all_end_points(parts);
  for (const bool paused : {false, true})
    for (const auto& each : all) {
      if (each->consumes(paused) && each->unused_since(since)) each->end();
      if (!lacks_room()) return;
    }
}

}  // namespace

std::shared_ptr<EndPoint> made_end_point(Parts& parts, Side side, EndPoint::Quality& quality,
                                         const EndPoint::Flows& flows) {
  make_room(parts);
  const std::uint64_t number = [&parts] {
    const std::lock_guard lock(parts.mutex);
    return ++parts.last_number;
  }();
  auto made = std::make_shared<EndPoint>(parts, number, side, quality, flows);
  make_room_for_frames(parts, made->most_frame_bytes());
  return made;
}

void keep_end_point(Parts& parts, const std::shared_ptr<EndPoint>& end_point) try {
  for (;; make_room(parts)) {  // calls that came together have found the same room
    const std::lock_guard lock(parts.mutex);
    if (parts.end_points.size() >= parts.limits.end_points) continue;
    parts.end_points.emplace(end_point->number(), end_point);
    return;
  }
} catch (...) {
  end_point->end();
  throw;
}

void destroy_end_point(Parts& parts, const ObjectRef& object) {
  std::shared_ptr<EndPoint> found;
  {
    const std::lock_guard lock(parts.mutex);
    for (const auto& [number, each] : parts.end_points)
      if (each->is_known_as(object)) found = each;
  }
  if (!found) throw AVStreams::notSupported();
  found->end();
}

}  // namespace takt::streams

#include "schedulability/simulation/sections.h"

#include <algorithm>

namespace takt::scheduling {

std::vector<Section> sections_of(const Analysis& analysis, std::size_t thread, std::int64_t time) {
  std::vector<Section> all;
  const std::int32_t level = analysis.results[thread].load.level;
  Section last{.time = time, .level = level};
  for (const Shared& each : analysis.shared) {
    const bool excludes = each.users.size() > 1;
    if (!excludes || std::ranges::find(each.users, thread) == each.users.end()) continue;
    if (each.is_lane) {
      last.floor = each.floor.count();
      continue;
    }
    const std::int64_t held = std::min(held_by(analysis.threads[thread], each).count(), last.time - 1);
    if (held <= 0) continue;
    all.push_back({held, std::min(level, each.ceiling), each.floor.count()});
    last.time -= held;
  }
  for (Section& each : all) each.floor = std::min(each.floor, last.floor);
  const bool shares = !all.empty() || last.floor != Section().floor;
  if (shares) all.push_back(last);
  return all;
}

}  // namespace takt::scheduling

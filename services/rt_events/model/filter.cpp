#include "rt_events/model/filter.h"

#include <algorithm>

namespace takt::rt_events {
namespace {

bool equals_or_any(std::int32_t wanted, std::int32_t value) { return wanted == 0 || wanted == value; }

}  // namespace

Filter::Filter() : nodes_{Node{.kind = Kind::either, .end = 1}} {}

bool Filter::matches(std::uint32_t index, std::int32_t type, std::int32_t source) const {
  const Node& node = nodes_[index];
  switch (node.kind) {
    case Kind::every:
      return true;
    case Kind::header:
      return equals_or_any(node.type, type) && equals_or_any(node.source, source);
    case Kind::bits:
      return (type & node.type_mask) != 0 && (source & node.source_mask) != 0 &&
             matches(index + 1, type, source);
    case Kind::masked:
      return (type & node.type_mask) == node.type && (source & node.source_mask) == node.source;
    case Kind::inversion:
      return !matches(index + 1, type, source);
    case Kind::both:
      for (std::uint32_t child = index + 1; child < node.end; child = nodes_[child].end)
        if (!matches(child, type, source)) return false;
      return true;
    case Kind::either:
      for (std::uint32_t child = index + 1; child < node.end; child = nodes_[child].end)
        if (matches(child, type, source)) return true;
      return false;
    case Kind::all:
    case Kind::timer:
      break;
  }
  return false;
}

bool Filter::accepts(std::int32_t type, std::int32_t source) const {
  return std::ranges::any_of(parts_, [&](std::uint32_t part) { return matches(part, type, source); });
}

void Filter::note_types() {
  for (std::uint32_t index = 0; index < nodes_.size();) {
    if (!nodes_[index].plain) {
      ++index;
      continue;
    }
    parts_.push_back(index);
    note_types_of(index);
    index = nodes_[index].end;
  }
  std::ranges::sort(types_);
  types_.erase(std::ranges::unique(types_).begin(), types_.end());
  if (all_types_) types_.clear();
}

void Filter::note_types_of(std::uint32_t index) {
  const Node& node = nodes_[index];
  if (node.kind == Kind::header && node.type != 0) return types_.push_back(node.type);
  // An event that satisfies all children satisfies the first.
  if (node.kind == Kind::both || node.kind == Kind::bits) return note_types_of(index + 1);
  if (node.kind == Kind::either) {
    for (std::uint32_t child = index + 1; child < node.end; child = nodes_[child].end) note_types_of(child);
    return;
  }
  all_types_ = true;
}

}  // namespace takt::rt_events

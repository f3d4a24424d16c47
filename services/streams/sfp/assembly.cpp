#include "streams/sfp/assembly.h"

#include <algorithm>

namespace takt::streams::sfp {
namespace {

constexpr std::size_t bytes_of_a_part = 96;  // about what a part costs beside its octets

}  // namespace

void Assembly::give_up(Place place) {
  bytes_ -= place->second.bytes;
  partial_.erase(place);
  ++incomplete_;
}

// False if only the frame `but` is left, and it has no room.
bool Assembly::make_room(std::size_t bytes, std::uint32_t but) {
  const auto is_new = !partial_.contains(but);
  while (bytes_ + bytes > limits_.bytes || (is_new && partial_.size() >= limits_.frames)) {
    auto oldest = partial_.end();
    for (auto each = partial_.begin(); each != partial_.end(); ++each)
      if (each->first != but && (oldest == partial_.end() || each->second.age < oldest->second.age))
        oldest = each;
    if (oldest == partial_.end()) return false;
    give_up(oldest);
  }
  return true;
}

std::optional<Frame> Assembly::complete(Place place) {
  Partial& partial = place->second;
  if (partial.last == 0 || partial.parts.size() != std::size_t{partial.last} + 1) return {};
  Frame frame;
  frame.timestamp = partial.timestamp;
  for (const auto& [number, octets] : partial.parts)
    frame.octets.insert(frame.octets.end(), octets.begin(), octets.end());
  bytes_ -= partial.bytes;
  note_done(place->first, Kind::frame);
  partial_.erase(place);
  return frame;
}

bool Assembly::is_done(const Message& message) const {
  return message.kind != Kind::simple_frame &&
         std::ranges::find(done_, std::optional(message.sequence)) != done_.end();
}

void Assembly::note_done(std::uint32_t sequence, Kind kind) {
  if (kind != Kind::simple_frame) done_[next_done_++ % done_.size()] = sequence;
}

std::optional<Frame> Assembly::take(const Message& message) {
  const bool is_first = message.kind == Kind::simple_frame || message.kind == Kind::sequenced_frame ||
                        message.kind == Kind::frame;
  if ((!is_first && message.kind != Kind::fragment) || message.payload.empty()) return {};
  if (is_done(message)) return {};
  if (message.payload.size() > limits_.frame_bytes) {
    ++incomplete_;
    return {};
  }
  if (is_first && !message.has_more) {
    note_done(message.sequence, message.kind);
    return Frame{.timestamp = message.timestamp, .octets = {message.payload.begin(), message.payload.end()}};
  }
  if (!make_room(cost_of(message), message.sequence)) {
    if (const auto place = partial_.find(message.sequence); place != partial_.end()) give_up(place);
    return {};
  }
  const auto place = partial_.try_emplace(message.sequence, Partial{.age = ++last_age_}).first;
  if (is_first) place->second.timestamp = message.timestamp;
  switch (add_part(place->second, message, is_first ? 0 : message.number)) {
    case Part::added:
      return complete(place);
    case Part::known:
      return {};
    case Part::unfit:
      break;
  }
  give_up(place);
  return {};
}

std::size_t Assembly::cost_of(const Message& message) { return message.payload.size() + bytes_of_a_part; }

Assembly::Part Assembly::add_part(Partial& partial, const Message& message, std::uint32_t number) {
  if (!message.has_more) partial.last = number;
  if (partial.last != 0) {
    if (number > partial.last || partial.parts.size() > partial.last) return Part::unfit;
    if (!partial.parts.empty() && partial.parts.rbegin()->first > partial.last) return Part::unfit;
  }
  if (!partial.parts.try_emplace(number, message.payload.begin(), message.payload.end()).second)
    return Part::known;
  partial.bytes += cost_of(message);
  bytes_ += cost_of(message);
  const std::size_t octets = partial.bytes - partial.parts.size() * bytes_of_a_part;
  return octets > limits_.frame_bytes ? Part::unfit : Part::added;
}

}  // namespace takt::streams::sfp

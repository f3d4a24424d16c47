#include "record/following.h"

#include <algorithm>
#include <limits>
#include <set>

#include "record/input.h"

namespace takt::command {
namespace {

// Blocks that are read again with the next question, for messages that were being written.
constexpr std::uint64_t read_again = 4096;
constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

bool is_complete(const recorder::ReadMessage& message, std::uint64_t kept) {
  return message.octets.size() >= std::min<std::uint64_t>(message.message_bytes, kept);
}

}  // namespace

Following::Following(std::string path) : path_(std::move(path)) { restart(read_recording_at(path_, none)); }

void Following::restart(const recorder::Recording& recording) {
  start_ns_ = recording.start_ns;
  first_block_ = next_block_ = recording.next_block;
  passed_.clear();
}

std::vector<recorder::ReadMessage> Following::next() {
  const std::uint64_t earliest = next_block_ - std::min(next_block_, read_again);
  recorder::Recording recording = read_recording_at(path_, std::max(first_block_, earliest));
  if (recording.start_ns != start_ns_) {  // another process has replaced it
    restart(recording);
    first_block_ = next_block_ = 0;
    recording = read_recording_at(path_);
  }
  if (recording.overwritten > next_block_) has_lost_ = true;
  next_block_ = recording.next_block;
  connections_ = std::move(recording.connections);
  std::vector<recorder::ReadMessage> found;
  std::set<Way> waiting;
  for (recorder::ReadMessage& message : recording.messages) {
    const Way way{message.connection, message.direction};
    std::uint64_t& passed = passed_[way];
    if (message.stream_offset < passed || waiting.contains(way)) continue;
    if (!is_complete(message, recording.message_bytes)) {
      waiting.insert(way);
      continue;
    }
    passed = message.stream_offset + message.message_bytes;
    found.push_back(std::move(message));
  }
  return found;
}

}  // namespace takt::command

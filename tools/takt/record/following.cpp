#include "record/following.h"

#include <algorithm>
#include <iostream>
#include <limits>
#include <set>

#include "common/command.h"
#include "record/input.h"
#include "recorder/recording_clock.h"
#include "recorder/recording_format.h"

namespace takt::command {
namespace {

// Blocks that are read again with the next question, for messages that were being written, and for blocks
// that writers had taken and not used yet.
constexpr std::uint64_t read_again = 4096;
static_assert(read_again >= 2 * recorder::most_blocks_behind);
// A message that has passed since reading began may have been found without an earlier one, such as a reply
// without its request, so it comes with the next question. One that is later by more than this is of a time
// before the clock was set back.
constexpr std::int64_t clock_steps_ns = 1'000'000'000;
constexpr auto longest_making = std::chrono::seconds(5);
constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

bool is_complete(const recorder::ReadMessage& message, std::uint64_t kept) {
  return message.octets.size() >= std::min<std::uint64_t>(message.message_bytes, kept);
}

}  // namespace

Following::Following(std::string path, Begin begin) : path_(std::move(path)) {
  restart(read_recording_at(path_, none));
  if (begin == Begin::oldest)
    first_block_ = next_block_ = 0;
  else
    pass_present();
}

// The next messages may be in blocks before the ring's next one.
void Following::pass_present() {
  first_block_ = next_block_ - std::min(next_block_, read_again);
  const recorder::Recording recording = read_recording_at(path_, first_block_);
  for (const recorder::ReadMessage& message : recording.messages)
    if (is_complete(message, recording.message_bytes))
      passed_[{message.connection, message.direction}] = message.stream_offset + message.message_bytes;
}

void Following::restart(const recorder::Recording& recording) {
  start_ns_ = recording.start_ns;
  first_block_ = next_block_ = recording.next_block;
  passed_.clear();
}

// A process that makes the file anew cuts it, and writes its head last.
bool Following::is_being_made(const std::string& problem) {
  const auto now = std::chrono::steady_clock::now();
  if (!unreadable_since_) unreadable_since_ = now;
  if (now - *unreadable_since_ > longest_making) fail(path_ + ": " + problem);
  return true;
}

std::vector<recorder::ReadMessage> Following::next() {
  const std::int64_t begun = recorder::recording_time();
  const std::uint64_t earliest = next_block_ - std::min(next_block_, read_again);
  auto read = try_recording_at(path_, std::max(first_block_, earliest));
  if (!read && is_being_made(read.error())) return {};
  unreadable_since_.reset();
  recorder::Recording recording = std::move(*read);
  if (recording.start_ns != start_ns_) {  // another process has replaced it
    restart(recording);
    first_block_ = next_block_ = 0;
    read = try_recording_at(path_, std::nullopt);
    if (!read && is_being_made(read.error())) return {};
    recording = std::move(*read);
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
    const bool is_too_new = message.time_ns >= begun && message.time_ns - begun < clock_steps_ns;
    if (is_too_new || !is_complete(message, recording.message_bytes)) {
      waiting.insert(way);
      continue;
    }
    passed = message.stream_offset + message.message_bytes;
    found.push_back(std::move(message));
  }
  return found;
}

void warn_of_lost(const Following& following) {
  if (following.has_lost())
    std::cerr << "some messages were overwritten before they could be read: give -ORBRecorder more\n";
}

}  // namespace takt::command

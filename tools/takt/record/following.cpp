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

// `kept`: octets that are recorded of a message at most.
bool is_complete(const recorder::ReadMessage& message, std::uint64_t kept) {
  const std::uint64_t recorded =
      message.is_secret() ? std::min<std::uint64_t>(kept, message.secret_bytes) : kept;
  return message.octets.size() >= std::min<std::uint64_t>(message.message_bytes, recorded);
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
  incomplete_.clear();
}

// A process that makes the file anew cuts it, and writes its head last.
bool Following::is_being_made(const std::string& problem) {
  const auto now = std::chrono::steady_clock::now();
  if (!unreadable_since_) unreadable_since_ = now;
  if (now - *unreadable_since_ > longest_making) fail(path_ + ": " + problem);
  return true;
}

// The rest of a message passes before the message after it. It is missing for good if the question before has
// found that later message, as the two may be read at different times.
bool Following::stays_incomplete(const Way& way, std::uint64_t begin, std::uint64_t last_begin) {
  if (last_begin == begin) return false;
  const auto found = incomplete_.find(way);
  if (found != incomplete_.end() && found->second == begin) return true;
  incomplete_[way] = begin;
  return false;
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
  std::map<Way, std::uint64_t> last;  // begin of the last message of each way
  for (const recorder::ReadMessage& message : recording.messages)
    last[{message.connection, message.direction}] = message.stream_offset;
  std::vector<recorder::ReadMessage> found;
  std::set<Way> waiting;
  for (recorder::ReadMessage& message : recording.messages) {
    const Way way{message.connection, message.direction};
    std::uint64_t& passed = passed_[way];
    if (message.stream_offset < passed || waiting.contains(way)) continue;
    const bool is_too_new = message.time_ns >= begun && message.time_ns - begun < clock_steps_ns;
    const bool is_over = is_complete(message, recording.message_bytes) ||
                         stays_incomplete(way, message.stream_offset, last[way]);
    if (is_too_new || !is_over) {
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

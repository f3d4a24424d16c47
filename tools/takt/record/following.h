// The messages of a recording, while its process writes it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/interrupt.h"
#include "recorder/recording_file.h"

namespace takt::command {

// Each function fails with a line for people if the file is no recording.
class Following {
 public:
  // Where to begin: with the oldest message that is there already, or with the next one.
  enum class Begin : std::uint8_t { oldest, next };
  Following(std::string path, Begin begin);

  // The messages that have passed since the last question, in their order, without those that newer ones have
  // overwritten meanwhile. Those that are still being written come with a later question.
  std::vector<recorder::ReadMessage> next();
  const std::map<std::uint32_t, recorder::ReadConnection>& connections() const { return connections_; }
  // Messages that begin before this block of the ring have been read.
  std::uint64_t next_block() const { return next_block_; }
  // Start of the process that writes; another number once another process has made the file anew, whose
  // connections are others.
  std::int64_t start_ns() const { return start_ns_; }
  // Messages that were overwritten before they could be read.
  bool has_lost() const { return has_lost_; }

 private:
  using Way = std::pair<std::uint32_t, recorder::Direction>;  // a direction of a connection

  void restart(const recorder::Recording& recording);
  void pass_present();
  bool stays_incomplete(const Way& way, std::uint64_t begin, std::uint64_t last_begin);
  // True for some seconds after the file was a recording; then fails.
  bool is_being_made(const std::string& problem);

  std::string path_;
  std::int64_t start_ns_ = 0;
  std::uint64_t first_block_ = 0;  // earlier ones are left out
  std::uint64_t next_block_ = 0;
  std::uint64_t torn_ = 0;
  bool has_lost_ = false;
  std::optional<std::chrono::steady_clock::time_point> unreadable_since_;
  std::map<Way, std::uint64_t> passed_;  // octets of each direction, up to the last message that was returned
  std::map<Way, std::uint64_t> incomplete_;  // begin of a message whose end was missing before a later one
  std::map<std::uint32_t, recorder::ReadConnection> connections_;
};

// The time between two looks at a recording.
inline constexpr std::chrono::milliseconds look{50};

// Looks again and again, with pass_on(), until is_done(), Ctrl-C, or the end of `duration` (0: no end); and
// once more, for what came during the last wait.
template <class IsDone, class PassOn>
void look_until(std::chrono::nanoseconds duration, const IsDone& is_done, const PassOn& pass_on) {
  using Clock = std::chrono::steady_clock;
  auto at = Clock::now();
  const auto end = duration.count() == 0 ? Clock::time_point::max() : at + duration;
  for (; !interrupted && !is_done() && at < end; wait_until(at = std::min<Clock::time_point>(at + look, end)))
    pass_on();
  pass_on();
}

// Says so for people if messages were lost.
void warn_of_lost(const Following& following);

}  // namespace takt::command

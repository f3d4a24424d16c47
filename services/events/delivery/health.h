// Whether the client of a proxy answers.
#pragma once

#include <algorithm>
#include <atomic>
#include <optional>

#include "events/delivery/answer.h"
#include "events/delivery/task.h"
#include "events/model/limits.h"

namespace takt::events {

// The owner calls begin(), note() and heard() under a lock. standing() and is_suspect(): any thread.
class Health {
 public:
  // The consequence of an answer.
  struct Verdict {
    bool drops = false;                       // the client is to be disconnected
    std::optional<Clock::time_point> wait{};  // no call before this time
  };

  explicit Health(const Limits& limits, Clock::time_point now) : limits_(limits), heard_(now) {}

  // Another client is asked from now on.
  void begin(Clock::time_point now) {
    heard_ = now;
    failures_ = 0;
    exceptions_ = 0;
    standing_.store(Standing::unproven, std::memory_order_relaxed);
  }

  Verdict note(Answer answer, Clock::time_point now) { return note(answer, now, {}, limits_.give_up_after); }
  // `took`: the time of the call. `patience`: how long the client may be out of reach.
  Verdict note(Answer answer, Clock::time_point now, Clock::duration took,
               std::chrono::milliseconds patience) {
    if (answer == Answer::gone) return {.drops = true};
    if (answer == Answer::done || answer == Answer::exception || answer == Answer::again) {
      heard_ = now;
      failures_ = 0;
      standing_.store(took > limits_.slow_after ? Standing::slow : Standing::proven,
                      std::memory_order_relaxed);
      exceptions_ = answer == Answer::exception ? exceptions_ + 1 : 0;
      return {.drops = exceptions_ >= limits_.exceptions_in_a_row};
    }
    if (failures_++ == 0) unreachable_since_ = now;
    standing_.store(Standing::suspect, std::memory_order_relaxed);
    const auto end = unreachable_since_ + patience;
    if (now >= end) return {.drops = true};
    return {.wait = std::min(end, now + first_pause * (1 << std::min(failures_ - 1, longest_doubling)))};
  }
  // The answer to a question, which had a short time. Until it has answered the next call in time, it is
  // proven no more.
  void note_question(bool answered, Clock::time_point now) {
    if (answered) heard_ = now;
    standing_.store(answered ? Standing::slow : Standing::suspect, std::memory_order_relaxed);
  }
  Standing standing() const { return standing_.load(std::memory_order_relaxed); }
  bool is_suspect() const { return standing() == Standing::suspect; }
  Clock::time_point heard() const { return heard_; }

 private:
  static constexpr std::chrono::milliseconds first_pause{50};
  static constexpr int longest_doubling = 6;  // 3.2 s

  const Limits& limits_;
  Clock::time_point heard_, unreachable_since_;
  int failures_ = 0;  // in a row
  std::uint32_t exceptions_ = 0;
  std::atomic<Standing> standing_{Standing::unproven};
};

}  // namespace takt::events

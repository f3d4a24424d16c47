// The calls of one operation that a consumer gets together.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include <takt/corba.h>
#include <takt/invocation/call_series.h>

#include "events/delivery/answer.h"
#include "events/delivery/task.h"
#include "events/model/limits.h"

namespace takt::events {

// Calls that leave together if the consumer's server carries them out one after the other. Their number
// doubles while the consumer answers all it gets within Limits::slow_after; with an exception, a failure or a
// slow answer it is 1 again, so that a consumer that is slow or fails has few events under way. Where calls
// cannot be made together, that is tried again after ever more calls.
//
// The limits must outlive it. One thread at a time.
class CallBatch {
 public:
  explicit CallBatch(const Limits& limits) : limits_(limits) {}

  // How many calls may be made together now.
  std::size_t most() const { return most_; }
  // Makes calls with arguments_of(0), arguments_of(1) and so on, up to arguments_of(count - 1), in this
  // order; or call_first(), where they cannot be made together. Returns what the answers say about the
  // client. Blocks up to the timeout of the client's reference, for each call. Throws nothing.
  template <class Op, class ArgumentsOf, class CallFirst>
  Answer make(const CORBA::Object& client, std::size_t count, const ArgumentsOf& arguments_of,
              const CallFirst& call_first) noexcept {
    begin(count);
    if (count > 1) make_together<Op>(client, std::min(count, answers_.size()), arguments_of);
    const bool alone = made_ == 0;
    if (alone) answers_[made_++] = answer_of(call_first);
    return end(count > 1, alone);
  }
  // After make(): how many calls were made.
  std::size_t made() const { return made_; }
  // After make(): the answer to that call; `again` if it was not made.
  Answer answer_to(std::size_t call) const { return call < made_ ? answers_[call] : Answer::again; }

 private:
  void begin(std::size_t count);
  Answer end(bool tried_together, bool alone);
  void adapt(bool tried_together, bool alone);
  void keep_order();

  template <class Op, class ArgumentsOf>
  void make_together(const CORBA::Object& client, std::size_t count, const ArgumentsOf& arguments_of) {
    using Outcome = invocation::CallSeries::Outcome;
    SeriesOf<Op> series(client);
    const Answer begun = answer_of([&] {
      if (!series.begin()) return;
      while (series.size() < count && series.add(arguments_of(series.size()))) continue;
      if (series.size() > 0) series.send();
    });
    if (begun != Answer::done) answers_[made_++] = begun;
    for (std::size_t i = 0; begun == Answer::done && i < series.size(); ++i) {
      Outcome outcome = Outcome::done;
      const Answer answer = answer_of([&] { outcome = series.next(); });
      answers_[made_++] = outcome == Outcome::again ? Answer::again : answer;
    }
  }

  const Limits& limits_;
  std::size_t most_ = 1;
  bool full_ = false;                     // there were as many calls as might be made
  std::uint32_t pause_ = 0, pauses_ = 0;  // calls until the next attempt to make calls together: all, left
  Clock::time_point begun_{};
  std::array<Answer, invocation::CallSeries::most_calls> answers_{};
  std::size_t made_ = 0;
};

}  // namespace takt::events

#include "events/delivery/call_batch.h"

#include <span>

namespace takt::events {
namespace {

constexpr std::uint32_t first_pause = 16, longest_pause = 4096;

// Whether the client may have carried out the call.
bool may_be_done(Answer answer) { return answer != Answer::not_reached && answer != Answer::again; }

}  // namespace

void CallBatch::begin(std::size_t count) {
  made_ = 0;
  full_ = count >= most_;
  begun_ = Clock::now();
}

// Calls that were refused, although a later one was carried out, count as lost: made again, they would be out
// of order.
void CallBatch::keep_order() {
  std::size_t end = made_;
  while (end > 0 && !may_be_done(answers_[end - 1])) --end;
  for (Answer& each : std::span(answers_).first(end))
    if (!may_be_done(each)) each = Answer::lost;
}

void CallBatch::adapt(bool tried_together, bool alone) {
  const std::span<const Answer> answers(answers_.data(), made_);
  const bool smooth = std::ranges::all_of(answers, [](Answer one) { return one == Answer::done; });
  if (!alone) pause_ = 0;
  if (tried_together && alone) pauses_ = pause_ = std::clamp(2 * pause_, first_pause, longest_pause);
  if (!smooth || pauses_ > 0 || Clock::now() - begun_ > limits_.slow_after)
    most_ = 1;
  else if (full_)
    most_ =
        std::clamp<std::size_t>(2 * most_, 1, std::min<std::size_t>(limits_.calls_together, answers_.size()));
  if (pauses_ > 0) --pauses_;
}

Answer CallBatch::end(bool tried_together, bool alone) {
  keep_order();
  adapt(tried_together, alone);
  const std::span<const Answer> answers(answers_.data(), made_);
  for (const Answer trouble : {Answer::gone, Answer::lost, Answer::not_reached})
    if (std::ranges::find(answers, trouble) != answers.end()) return trouble;
  return answers.back();
}

}  // namespace takt::events

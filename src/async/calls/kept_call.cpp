#include <takt/async/kept_call.h>
#include <takt/async/reply.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "async/calls/async_calls.h"
#include "async/calls/loop.h"
#include "base/event_log.h"
#include "client/channel/failure.h"
#include "client/request_limit.h"
#include "client/thread_channels.h"
#include "giop/lite/messages.h"
#include "reference/context/thread_context.h"
#include "reference/policies/overrides.h"

namespace takt::async {

using invocation::ClientCall;

namespace {

// Gives the thread's calls, while it exists, the context of a kept call: nothing but a priority.
class AsWhenKept {
 public:
  explicit AsWhenKept(std::optional<giop::Priority> priority)
      : priority_(mine_.priority()),
        quality_(mine_.quality()),
        overrides_(mine_.overrides()),
        trace_(mine_.trace()) {
    use(priority, nullptr, nullptr, nullptr);
  }
  ~AsWhenKept() { use(priority_, quality_, std::move(overrides_), trace_); }
  AsWhenKept(const AsWhenKept&) = delete;
  AsWhenKept& operator=(const AsWhenKept&) = delete;

 private:
  void use(std::optional<giop::Priority> priority, const Quality* quality,
           std::shared_ptr<const reference::Overrides> overrides, const reference::CarriedTrace* trace) {
    mine_.use_priority(priority);
    if (quality != mine_.quality()) mine_.use_quality(quality);
    if (overrides != mine_.overrides()) mine_.use_overrides(std::move(overrides));
    mine_.use_trace(trace);
  }

  reference::ThreadContext& mine_ = reference::ThreadContext::mine();
  const std::optional<giop::Priority> priority_;
  const Quality* const quality_;
  std::shared_ptr<const reference::Overrides> overrides_;
  const reference::CarriedTrace* const trace_;
};

// Counts the kept calls that their loops have sent. A thread that asks for one which its loop sends just now
// waits for a change of this counter, because the call and its loop may be gone by then. It wakes the threads
// that wait for other loops, too, which then wait again: they are few.
constinit std::atomic<unsigned> departures{0};

// Arguments of so few octets are copied with those before them, which the head of any request has.
constexpr std::size_t tail_bytes = 16;
static_assert(tail_bytes <= giop::lite::head_bytes);

}  // namespace

inline KeptCall::Attempt::Attempt(const CORBA::Object& target, const CallType& type)
    : wire(target, type.operation, {.response_expected = true, .has_arguments = type.has_arguments}),
      arguments_index(wire.begin().buffer().owned_size()),  // a head borrows no octets
      code_sets(*wire.request_->format().code_sets),
      priority(reference::ThreadContext::mine().priority()) {}

// In both functions that begin calls, so that neither saves registers for the other.
[[gnu::always_inline]] inline bool KeptCall::begin_in(Loop& loop, const CORBA::Object& target,
                                                      const KeptType& type) {
  if (!loop.begin_keeping(*this, target)) return false;
  type_ = &type;
  try {
    std::construct_at(&attempt_, target, type.sent);
  } catch (const std::bad_alloc&) {
    loop.end_use();
    throw_no_memory_for_call();
  } catch (...) {
    loop.end_use();
    throw;
  }
  if (attempt_.wire.has_policies_) [[unlikely]] {  // a kept call would let its time pass
    end_made();
    return false;
  }
  encoder().set_borrowing(false);  // the arguments may be gone when the call is made
  kept_.store(true, std::memory_order_relaxed);
  return true;
}

KeptCall* KeptCall::begin(const CORBA::Object& target, const KeptType& type) {
  loop_ = Loop::mine();
  awaited_ = false;
  return loop_ && begin_in(*loop_, target, type) ? this : nullptr;
}

KeptCall::Made KeptCall::make_if_alone() { return Loop::is_alone(loop_) ? exchange() : Made::no; }

KeptCall::Made KeptCall::make() { return exchange(); }

// The channel's buffer is used again by the next attempt. False: keep_more_arguments() is due.
[[gnu::always_inline]] inline bool KeptCall::keep_few_arguments() {
  Attempt& attempt = attempt_;
  const GatherBuffer& request = encoder().buffer();
  attempt.arguments_bytes = request.owned_size() - attempt.arguments_index;
  if (!request.contiguous() || attempt.arguments_bytes > tail_bytes) [[unlikely]]
    return false;
  std::memcpy(attempt.few.end() - tail_bytes, request.cursor() - tail_bytes, tail_bytes);
  return true;
}

[[gnu::cold, gnu::noinline]] void KeptCall::keep_more_arguments() try {
  Attempt& attempt = attempt_;
  const GatherBuffer& request = encoder().buffer();
  const reference::References& references = *target().references();
  if (client::is_too_long(request, references))
    client::throw_too_long(request, references, type_->sent.operation);
  if (request.contiguous() && attempt.arguments_bytes <= attempt.few.size()) {
    std::copy_n(request.owned() + attempt.arguments_index, attempt.arguments_bytes,
                attempt.few.end() - attempt.arguments_bytes);
    return;
  }
  const auto octets = request.copy(attempt.arguments_index);
  attempt.arguments_bytes = octets.size();
  attempt.more = std::make_unique_for_overwrite<std::uint8_t[]>(octets.size());
  std::ranges::copy(octets, attempt.more.get());
} catch (const std::bad_alloc&) {
  throw_no_memory_for_call();
}

void KeptCall::keep() {
  if (!encoder().ok()) [[unlikely]]
    client::throw_bad_request(encoder().error(), type_->sent.operation);
  if (!keep_few_arguments()) [[unlikely]]
    return keep_with_more_arguments();
  loop_->hold(*this);
}

// On its own, so that keep() saves no registers.
[[gnu::cold, gnu::noinline]] void KeptCall::keep_with_more_arguments() {
  keep_more_arguments();
  loop_->hold(*this);
}

// The format of the last attempt. Its target may have gone.
cdr::Format KeptCall::format_of_arguments() const {
  cdr::Format format = attempt_.wire.request_->format();
  format.code_sets = &attempt_.code_sets;
  if (format.values == cdr::ValueForm::learned) format.values = cdr::ValueForm::noticed;
  return format;
}

[[gnu::cold, gnu::noinline]] void KeptCall::encode_again() {
  Attempt& attempt = attempt_;
  const cdr::Format format = format_of_arguments();
  const std::size_t index = attempt.arguments_index;
  attempt.arguments_index = attempt.wire.begin().position();
  type_->sent.encode_again(attempt.arguments(), index, format, encoder());
  attempt.more = nullptr;
  if (!keep_few_arguments()) keep_more_arguments();
  attempt.code_sets = *encoder().format().code_sets;
}

inline KeptCall::Made KeptCall::exchange() {
  loop_->begin_making();
  const ClientCall::Outcome outcome = attempt_.wire.exchange();
  return outcome == ClientCall::Outcome::result ? Made::result : without_result(outcome);
}

[[gnu::cold, gnu::noinline]] KeptCall::Made KeptCall::without_result(ClientCall::Outcome outcome) {
  while (outcome == ClientCall::Outcome::again) {
    encode_again();
    outcome = attempt_.wire.exchange();
  }
  return outcome == ClientCall::Outcome::result ? Made::result : Made::user_exception;
}

void KeptCall::resume_later(std::coroutine_handle<> coroutine) { loop_->resume_later(coroutine); }

bool KeptCall::is_of_this_thread() const noexcept { return Loop::is_mine(loop_); }

void KeptCall::note_awaited() noexcept {
  if (is_of_this_thread()) awaited_ = true;
}

void KeptCall::send() noexcept {
  if (is_of_this_thread()) return leave(false);
  if (const auto target = Loop::take_over(*this))
    leave_elsewhere(target);
  else
    await_leaving();
}

void KeptCall::end() noexcept {
  std::destroy_at(&attempt_);
  kept_.store(false, std::memory_order_release);
}

void KeptCall::end_made() noexcept {
  loop_->end_use();
  end();
}

void KeptCall::end_waiting() const noexcept { loop_->end_waiting(); }

// For the loop's thread, which releases it.
client::ClientChannel* KeptCall::give_up_channel() noexcept {
  return std::exchange(attempt_.wire.channel_, nullptr);
}

void KeptCall::leave_elsewhere(const std::shared_ptr<reference::ObjectRef>& target) noexcept {
  if (Loop* const mine = Loop::mine()) mine->send_kept_first();
  try_to_leave(target, false, nullptr);
}

// `more_follow`: other requests will follow at once. For the loop's thread.
void KeptCall::leave(bool more_follow) noexcept {
  const auto target = this->target().shared_from_this();  // the loop lets it go
  loop_->release();
  attempt_.wire.release();
  try_to_leave(target, more_follow, loop_);
  departures.fetch_add(1);
  departures.notify_all();
}

// `to`: the loop that delivers the outcome; null if none does.
void KeptCall::try_to_leave(const std::shared_ptr<reference::ObjectRef>& target, bool more_follow,
                            Loop* to) noexcept {
  const bool followed = std::exchange(client::Waiter::more_follow, more_follow);
  try {
    const AsWhenKept context(attempt_.priority);
    Sending::send_kept(*this, target, to);
    end();
  } catch (...) {  // only without memory
    type_->fail(*this, Reply::present_failure(CORBA::COMPLETED_MAYBE));
    end();
  }
  client::Waiter::more_follow = followed;
}

void KeptCall::await_leaving() const noexcept {
  for (;;) {
    const unsigned seen = departures.load();
    if (!is_kept()) return;
    departures.wait(seen);
  }
}

KeptSlot* KeptSlot::begin_in_loop(const CORBA::Object& target, const KeptType& type) {
  Loop* const loop = Loop::mine();
  if (!loop) [[likely]]
    return nullptr;
  KeptSlot& slot = loop->slot();
  if (slot.is_kept()) [[unlikely]] {
    loop->send_kept_first();
    return nullptr;
  }
  return slot.begin_in(*loop, target, type) ? &slot : nullptr;
}

void KeptSlot::note_handler_threw(const reference::ObjectRef& target, std::string_view operation) noexcept {
  EventLog* const log = client::client_of(*target.references()).log.get();
  if (!takes(log, LogEvent::call_failed)) return;
  try {
    std::string reason = "its reply handler threw an unknown exception";
    try {
      throw;
    } catch (const std::exception& exception) {
      reason = std::string("its reply handler threw ") + exception.what();
    } catch (...) {  // it says nothing
    }
    log->write({.event = LogEvent::call_failed, .peer = {}, .operation = operation, .reason = reason});
  } catch (const std::bad_alloc&) {  // a line of the log is lost
  }
}

}  // namespace takt::async

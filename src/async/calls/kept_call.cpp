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

// A few octets, without a call. At most 32.
[[gnu::always_inline]] inline void copy_few(const std::uint8_t* from, std::size_t bytes, std::uint8_t* to) {
  const auto both_ends = [&](auto part) {
    std::memcpy(&part, from, sizeof part);
    auto last = part;
    std::memcpy(&last, from + bytes - sizeof last, sizeof last);
    std::memcpy(to, &part, sizeof part);
    std::memcpy(to + bytes - sizeof last, &last, sizeof last);
  };
  if (bytes > 16)
    std::memcpy(to, from, bytes);
  else if (bytes >= 8)
    both_ends(std::uint64_t{});
  else if (bytes >= 4)
    both_ends(std::uint32_t{});
  else
    for (std::size_t i = 0; i < bytes; ++i) to[i] = from[i];
}

}  // namespace

bool KeptCall::begin(const CORBA::Object& target, const KeptType& type) {
  Loop* const loop = Loop::mine();
  loop_ = loop;
  if (!loop || !loop->may_keep(target)) return false;
  type_ = &type;
  awaited_ = !type.is_awaited;
  Attempt& attempt = *std::construct_at(&attempt_, target, type.sent);
  try {
    attempt.encoder = &attempt.wire.begin();
  } catch (const std::bad_alloc&) {
    std::destroy_at(&attempt);
    throw_no_memory_for_call();
  } catch (...) {
    std::destroy_at(&attempt);
    throw;
  }
  if (attempt.wire.has_policies_) [[unlikely]] {  // a kept call would let its time pass
    std::destroy_at(&attempt);
    return false;
  }
  attempt.encoder->set_borrowing(false);  // the arguments may be gone when the call is made
  attempt.arguments_index = attempt.encoder->position();
  attempt.priority = reference::ThreadContext::mine().priority();
  kept_.store(true, std::memory_order_relaxed);
  return true;
}

KeptCall::Made KeptCall::make_if_alone() { return Loop::is_alone(loop_) ? exchange() : Made::no; }

KeptCall::Made KeptCall::make() { return exchange(); }

// The channel's buffer is used again by the next attempt.
[[gnu::always_inline]] inline void KeptCall::keep_arguments() {
  Attempt& attempt = attempt_;
  attempt.code_sets = *attempt.encoder->format().code_sets;
  const GatherBuffer& request = attempt.wire.channel_->out();
  const std::size_t bytes = request.size() - attempt.arguments_index;
  if (!request.contiguous() || bytes > attempt.few.size()) [[unlikely]]
    return keep_more_arguments();
  copy_few(request.owned() + attempt.arguments_index, bytes, attempt.few.data());
  attempt.arguments = {attempt.few.data(), bytes};
}

[[gnu::cold, gnu::noinline]] void KeptCall::keep_more_arguments() try {
  Attempt& attempt = attempt_;
  const auto octets = attempt.wire.channel_->out().copy(attempt.arguments_index);
  attempt.more = std::make_unique_for_overwrite<std::uint8_t[]>(octets.size());
  std::ranges::copy(octets, attempt.more.get());
  attempt.arguments = {attempt.more.get(), octets.size()};
} catch (const std::bad_alloc&) {
  throw_no_memory_for_call();
}

void KeptCall::keep() {
  const Attempt& attempt = attempt_;
  if (!attempt.encoder->ok()) [[unlikely]]
    client::throw_bad_request(attempt.encoder->error(), type_->sent.operation);
  keep_arguments();
  if (attempt.more) [[unlikely]] {
    const GatherBuffer& request = attempt.wire.channel_->out();
    if (client::is_too_long(request, *attempt.ref->references()))
      client::throw_too_long(request, *attempt.ref->references(), type_->sent.operation);
  }
  loop_->hold(*this);
}

// The format of the last attempt. Its target may have gone.
cdr::Format KeptCall::format_of_arguments() const {
  cdr::Format format = attempt_.encoder->format();
  format.code_sets = &attempt_.code_sets;
  if (format.values == cdr::ValueForm::learned) format.values = cdr::ValueForm::noticed;
  return format;
}

[[gnu::cold, gnu::noinline]] void KeptCall::encode_again() {
  Attempt& attempt = attempt_;
  const cdr::Format format = format_of_arguments();
  const std::size_t index = attempt.arguments_index;
  attempt.encoder = &attempt.wire.begin();
  attempt.arguments_index = attempt.encoder->position();
  type_->sent.encode_again(attempt.arguments, index, format, *attempt.encoder);
}

inline KeptCall::Made KeptCall::exchange() {
  loop_->release();
  ClientCall& wire = attempt_.wire;
  for (;;) {
    const ClientCall::Outcome outcome = wire.exchange();
    if (outcome == ClientCall::Outcome::result) [[likely]]
      return Made::result;
    if (outcome == ClientCall::Outcome::user_exception) return Made::user_exception;
    encode_again();
    keep_arguments();
  }
}

void KeptCall::resume_later(std::coroutine_handle<> coroutine) { loop_->resume_later(coroutine); }

bool KeptCall::is_of_this_thread() const noexcept { return Loop::is_mine(loop_); }

void KeptCall::note_awaited() noexcept {
  if (is_of_this_thread()) awaited_ = true;
}

void KeptCall::send() noexcept {
  if (is_of_this_thread()) return leave(false);
  Loop::take_over(*this) ? leave_elsewhere() : await_leaving();
}

// For the loop's thread, which releases it.
client::ClientChannel* KeptCall::give_up_channel() noexcept {
  return std::exchange(attempt_.wire.channel_, nullptr);
}

void KeptCall::leave_elsewhere() noexcept {
  if (Loop* const mine = Loop::mine()) mine->send_kept_first();
  try_to_leave(false, nullptr);
}

// `more_follow`: other requests will follow at once. For the loop's thread.
void KeptCall::leave(bool more_follow) noexcept {
  loop_->release();
  attempt_.wire.release();
  try_to_leave(more_follow, loop_);
  departures.fetch_add(1);
  departures.notify_all();
}

// `to`: the loop that delivers the outcome; null if none does.
void KeptCall::try_to_leave(bool more_follow, Loop* to) noexcept {
  const bool followed = std::exchange(client::Waiter::more_follow, more_follow);
  try {
    const AsWhenKept context(attempt_.priority);
    Sending::send_kept(*this, to);
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
  if (!loop || loop->slot().is_kept()) [[likely]] {
    if (loop) loop->send_kept_first();
    return nullptr;
  }
  return loop->slot().begin(target, type) ? &loop->slot() : nullptr;
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

#include <takt/invocation/call_series.h>
#include <takt/invocation/local_target.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "base/event_log.h"
#include "client/channel/failure.h"
#include "client/client.h"
#include "giop/message/reply.h"
#include "reference/object_ref.h"
#include "reference/policies/call_policies.h"
#include "reference/references.h"
#include "reference/server_route.h"

namespace takt::invocation {
namespace {

// Where a request of GIOP 1.2 has its length and its id.
constexpr std::size_t length_at = 8, id_at = 12, header_bytes = 12;
// Longer arguments are not copied.
constexpr std::size_t most_copied_bytes = 2048;
constexpr std::size_t most_request_bytes = std::size_t{1} << 31;

}  // namespace

struct CallSeries::Failure {
  client::Exchange how;
  std::string channel;
};

bool is_local(const CORBA::Object& target) {
  const reference::ObjectRef* const ref = target._ref().get();
  return ref && !ref->local_key().empty();
}

CallSeries::CallSeries(const CORBA::Object& target, std::string_view operation)
    : target_(target),
      operation_(operation),
      call_(target, operation, {.response_expected = true, .has_arguments = true}) {}

CallSeries::~CallSeries() {
  if (batch_channel_ && told_ < count_) batch_channel_->give_up();
}

bool CallSeries::begin() {
  reference::ObjectRef* const ref = target_._ref().get();
  if (!ref || ref->intercepted() || is_local(target_)) return false;
  if (client::client_of(*ref->references()).steps) return false;
  (void)call_.begin();
  batch_channel_ = suits() ? call_.channel_->batch_channel() : nullptr;
  if (!batch_channel_) {
    call_.release();
    return false;
  }
  const GatherBuffer& request = call_.channel_->out();
  head_.assign(request.owned(), request.owned() + request.owned_size());
  patience_ = call_.timeout_;  // if the call has a deadline, the channel has it, for all replies
  return true;
}

// Call after begin() of the call, which has written the head of a request.
bool CallSeries::suits() const {
  const client::ClientChannel& channel = *call_.channel_;
  const reference::ServerRoute& server = *call_.route_->server;
  return server.serves_in_order && server.giop_minor == 2 && channel.contexts_sent() && !channel.names() &&
         !channel.offers() && !channel.watches_octets_left() && call_.request_->ok();
}

// The size limit of a request.
std::size_t CallSeries::most_bytes() const {
  const std::size_t of_orb = client::client_of(*target_._ref()->references()).options.longest_request;
  return std::min({batch_channel_->most_bytes(), of_orb, most_request_bytes});
}

bool CallSeries::add(const PreparedArguments& arguments) {
  if (count_ == most_calls) return false;
  const ByteView octets = arguments.octets_for(call_.request_->format());
  const std::size_t bytes = head_.size() + octets.size();
  if (octets.empty() || bytes > most_bytes()) return false;
  GatherBuffer& out = call_.channel_->out();
  const bool is_first = count_ == 0;
  const std::size_t begin = is_first ? 0 : out.owned_size();
  if (!is_first) out.append(head_.data(), head_.size());
  const std::uint32_t id = is_first ? call_.request_id_ : batch_channel_->next_request_id();
  const auto length = static_cast<std::uint32_t>(bytes - header_bytes);
  std::memcpy(out.owned() + begin + length_at, &length, sizeof length);
  std::memcpy(out.owned() + begin + id_at, &id, sizeof id);
  if (octets.size() > most_copied_bytes)
    out.borrow(octets);
  else
    out.append(octets.data(), octets.size());
  ids_[count_++] = id;
  return true;
}

void CallSeries::send() {
  if (!batch_channel_->send_all(call_.channel_->out(), call_.timeout_))
    keep_failure(batch_channel_->failure());
}

CallSeries::Outcome CallSeries::next() {
  const std::uint32_t id = ids_[told_++];
  if (failure_) return fail();
  const giop::Event* const reply = batch_channel_->receive(id, patience_);
  if (!reply) {
    keep_failure(batch_channel_->failure());
    return fail();
  }
  if (told_ == count_) call_.channel_->set_contexts_sent();
  if (reply->reply_status == giop::ReplyStatus::no_exception) [[likely]] {
    if (told_ == count_) finish();
    return Outcome::done;
  }
  reply_.emplace(reply->body, reply->body_index, call_.route_->server->format);
  reply_->set_encoding(reply->order, reply->version.minor);
  switch (reply->reply_status) {
    case giop::ReplyStatus::user_exception:
      exception_id_ = reply_->get_raw_string_view();
      return Outcome::user_exception;
    case giop::ReplyStatus::system_exception: {
      const bool goes_on = told_ < count_;
      if (!goes_on) batch_channel_ = nullptr;
      call_.throw_system_exception(*reply_,
                                   goes_on ? ClientCall::After::goes_on : ClientCall::After::releases);
    }
    default:  // the object is elsewhere, or wants to be addressed in another way
      finish();
      return Outcome::again;
  }
}

// Gives the connection back after the last outcome.
void CallSeries::finish() {
  if (told_ < count_ || !batch_channel_) return;
  batch_channel_ = nullptr;
  call_.release();
}

void CallSeries::keep_failure(const client::Exchange& how) {
  failure_ = std::make_unique<const Failure>(Failure{how, call_.channel_->describe()});
  batch_channel_ = nullptr;
  call_.release();
  const client::Exchange& kept = failure_->how;  // the channel's own may be gone with it
  const auto event = kept.status == client::Exchange::Status::retry ? LogEvent::request_retried
                     : client::missed_deadline(kept, patience_)     ? LogEvent::deadline_missed
                                                                    : LogEvent::call_failed;
  call_.note(event, failure_->channel, kept.reason);
}

CallSeries::Outcome CallSeries::fail() {
  const client::Exchange& how = failure_->how;
  if (target_._ref()->references()->down()) client::throw_orb_down(client::completion_of(how));
  if (how.status == client::Exchange::Status::retry) return Outcome::again;
  client::throw_exchange_failure(how, failure_->channel, operation_, patience_);
}

void CallSeries::throw_unlisted_exception() {
  const std::string id(exception_id_);
  finish();
  client::throw_unlisted_exception(id);
}

}  // namespace takt::invocation

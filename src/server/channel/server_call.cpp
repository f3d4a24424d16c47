#include <takt/server/server_call.h>

#include <algorithm>
#include <array>
#include <span>

#include <takt/base/probe_site.h>
#include <takt/cdr/environment.h>

#include "base/step.h"
#include "giop/contexts/priorities.h"
#include "giop/lite/messages.h"
#include "giop/message/reply.h"
#include "giop/message/system_exception.h"
#include "giop/relay.h"
#include "server/intake/answer_path.h"

namespace takt::server {

[[gnu::cold]] void ServerCall::push_answer() noexcept {
  if (AnswerPath* const path = answer_path()) path->push_answer();
}

inline cdr::Encoder& ServerCall::empty_reply(cdr::ByteOrder order) {
  cdr::Format format = arguments_.format();
  format.order = order;
  reply_.clear();
  return encoder_.emplace(reply_, format);
}

inline cdr::Encoder& ServerCall::begin(giop::ReplyStatus status, bool has_body) {
  TAKT_PROBE(server_messaging_send);
  const bool usual = context_.giop_minor == 2 && !encoder_ &&
                     (features_ & (probed | has_reply_priority | watches_octets_left | intercepted)) == 0;
  // The rest makes no call, so the compiler need not save registers.
  if (!usual || !reply_.clear_with_room(giop::bare_reply_bytes)) [[unlikely]]
    return begin_with_extras(status, has_body);
  cdr::Encoder& encoder = encoder_.emplace(reply_, arguments_.format());
  encoder.set_order(cdr::native_order);
  const auto short_status = static_cast<std::uint8_t>(status);
  if (context_.short_head &&
      giop::lite::write_bare_head(reply_, {giop::MessageType::reply, short_status, 0, context_.request_id}))
    return encoder;
  // With a constant version, the compiler evaluates its rules.
  giop::write_reply(encoder, {1, 2},
                    {.request_id = context_.request_id, .status = status, .has_body = has_body});
  return encoder;
}

[[gnu::noinline]] cdr::Encoder& ServerCall::begin_with_extras(giop::ReplyStatus status, bool has_body) {
  if ((features_ & intercepted) != 0) [[unlikely]]
    return interception_->begin(*this, status, has_body);
  std::array<std::uint8_t, giop::priority_context_bytes> data;
  std::array<giop::ServiceContext, 1> contexts;
  const bool has_priority = (features_ & has_reply_priority) != 0;
  if (has_priority) {
    data = giop::write_priority_context(reply_priority_);
    contexts[0] = {giop::rt_priority_context, data};
  }
  return begin_with_all(status, has_body, {contexts.data(), has_priority ? 1U : 0U});
}

inline cdr::Encoder& ServerCall::begin_with_all(giop::ReplyStatus status, bool has_body,
                                                std::span<const giop::ServiceContext> contexts) {
  if ((features_ & probed) != 0) steps_->begin(Step::server_messaging_send);
  const bool from_servant =
      status == giop::ReplyStatus::no_exception || status == giop::ReplyStatus::user_exception;
  if ((features_ & watches_octets_left) != 0 && from_servant) octets_left_ = arguments_.remaining();
  cdr::Encoder& encoder = empty_reply();
  if (context_.short_head)
    giop::lite::write_reply(
        encoder,
        {.request_id = context_.request_id, .status = status, .contexts = contexts, .has_body = has_body});
  else
    giop::write_reply(
        encoder, {1, context_.giop_minor},
        {.request_id = context_.request_id, .status = status, .contexts = contexts, .has_body = has_body});
  return encoder;
}

std::size_t ServerCall::octets_left() const {
  if ((features_ & watches_octets_left) == 0) return 0;
  if (answered()) return octets_left_;
  return context_.response_expected || raised_system_exception() ? 0 : arguments_.remaining();
}

namespace {

// The context of an answer that carries its priority, added to `contexts` as long as it exists.
class PriorityContext {
 public:
  PriorityContext(const ServerCall& call, std::vector<giop::ServiceContext>& contexts) {
    if (call.reply_priority() < 0) return;
    data_ = giop::write_priority_context(call.reply_priority());
    contexts.push_back({giop::rt_priority_context, data_});
  }
  PriorityContext(const PriorityContext&) = delete;
  PriorityContext& operator=(const PriorityContext&) = delete;

 private:
  std::array<std::uint8_t, giop::priority_context_bytes> data_;
};

}  // namespace

cdr::Encoder& ServerCall::begin_with(giop::ReplyStatus status, bool has_body,
                                     std::vector<giop::ServiceContext>& contexts) {
  const PriorityContext priority(*this, contexts);
  return begin_with_all(status, has_body, contexts);
}

void ServerCall::renew_head(giop::ReplyStatus status, std::size_t body_at,
                            std::vector<giop::ServiceContext>& contexts) {
  const std::vector<std::uint8_t> body = reply_.copy(body_at);
  const PriorityContext priority(*this, contexts);
  put_encoded(cdr::native_order, status, contexts, body, body_at);
}

void ServerCall::pass_on(const reference::EncodedAnswer& answer) {
  std::vector<giop::ServiceContext> contexts;
  if (answer.contexts) contexts = giop::contexts_to_relay(*answer.contexts);
  put_encoded(answer.order, answer.status, contexts, answer.body, answer.body_index);
}

// Answers with a body that begins at `body_index` where it was encoded.
void ServerCall::put_encoded(cdr::ByteOrder order, giop::ReplyStatus status,
                             std::span<const giop::ServiceContext> contexts, ByteView body,
                             std::size_t body_index) {
  cdr::Encoder& encoder = empty_reply(order);
  encoder.set_borrowing(false);
  if (context_.short_head)  // as in GIOP 1.2, these bodies begin at a multiple of 8
    giop::lite::write_reply(encoder, {.request_id = context_.request_id,
                                      .status = status,
                                      .contexts = contexts,
                                      .has_body = !body.empty()});
  else
    giop::write_relayed_reply(encoder, {1, context_.giop_minor},
                              {.request_id = context_.request_id, .status = status, .contexts = contexts},
                              {body_index, body.empty()});
  encoder.put_octets(body);
}

bool ServerCall::read_body_to_end() {
  if (!body_arrives()) return true;
  features_ &= ~arrives;
  cdr::Decoder::Source* const whole = arriving_->read_to_end();
  if (whole) arguments_.set_source(whole, arriving_octets_);
  return whole != nullptr;
}

void ServerCall::operation_found() const {
  if ((features_ & probed) != 0) steps_->begin(Step::server_upcall);
}

cdr::Encoder& ServerCall::begin_reply(bool has_results) {
  return begin(giop::ReplyStatus::no_exception, has_results);
}

cdr::Encoder& ServerCall::begin_user_exception(std::string_view repository_id) {
  features_ |= raised_user;
  cdr::Encoder& encoder = begin(giop::ReplyStatus::user_exception, true);
  encoder.put_raw_string(repository_id);
  return encoder;
}

void ServerCall::system_exception(const CORBA::SystemException& exception) {
  if (const AnswerPath* const path = answer_path(); path && path->is_left())
    return forward({}, false);  // interceptors see that the call goes on elsewhere; its caller knows where
  features_ |= raised_system;
  if (auto* const environment = arguments_.format().environment)
    environment->request_fails(context_.operation, exception);
  if (!context_.response_expected) return;
  cdr::Encoder& encoder = begin(giop::ReplyStatus::system_exception, true);
  giop::write_system_exception(encoder, exception);
}

void ServerCall::forward(const cdr::Ior& target, bool permanent) {
  const bool can_say_permanent = context_.giop_minor >= 2;
  cdr::Encoder& encoder = begin(permanent && can_say_permanent ? giop::ReplyStatus::location_forward_perm
                                                               : giop::ReplyStatus::location_forward,
                                true);
  cdr::write_ior(encoder, target);
}

}  // namespace takt::server

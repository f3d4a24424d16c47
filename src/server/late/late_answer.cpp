#include <takt/server/late_answer.h>

#include <chrono>
#include <utility>

#include <takt/cdr/environment.h>
#include <takt/cdr/exception.h>

#include "server/intake/answer_path.h"
#include "server/intake/own_answers.h"
#include "server/late/late_replies.h"
#include "server/request/request_times.h"

namespace takt::server {

using Clock = RequestTimes::Clock;

namespace {

// A thread's buffer for answers, for reuse. An answer that is given while another is encoded makes its own.
thread_local std::unique_ptr<GatherBuffer> spare_reply;
constexpr std::size_t late_reply_bytes = 512, kept_bytes = 64 * 1024;

std::int64_t reply_end_of_present_request() {
  const RequestTimes* const times = TimedRequest::present();
  return (times ? times->reply_end : RequestTimes::never).time_since_epoch().count();
}

// A format that needs nothing of the connection; its code sets are copied elsewhere.
cdr::Format lasting(cdr::Format format, const cdr::CodeSets& code_sets) {
  if (format.values == cdr::ValueForm::learned) {
    const cdr::PeerValueForm* const learned = static_cast<const cdr::PeerCodeSets*>(format.code_sets)->values;
    format.values = learned && learned->is_tao() ? cdr::ValueForm::tao : cdr::ValueForm::standard;
  }
  format.code_sets = &code_sets;
  format.memory = nullptr;
  return format;
}

}  // namespace

std::shared_ptr<LateSender> LateAnswer::begin(ServerCall& call, std::uint8_t minor, std::uint64_t& place) {
  if (!call.response_expected()) return nullptr;
  AnswerPath* const path = call.answer_path();
  if (!path)
    throw CORBA::NO_IMPLEMENT(0, CORBA::COMPLETED_NO, "this caller can be answered in the upcall only");
  auto sender = path->late_sender(&LateReplies::make);
  if (!sender) throw CORBA::NO_IMPLEMENT(0, CORBA::COMPLETED_NO, "the call must come over a connection");
  LateTicket ticket{minor};
  const auto begun = sender->begin(ticket);
  if (begun == LateSender::Begun::over) return nullptr;
  if (begun == LateSender::Begun::too_many)
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "too many answers of this connection are due");
  place = ticket.place;
  return sender;
}

LateAnswer::LateAnswer(ServerCall& call, std::string_view operation)
    : operation_(operation),
      request_id_(call.request_id()),
      giop_minor_(call.giop_minor()),
      short_head_(call.has_short_head()),
      response_expected_(call.response_expected()),
      priority_(call.priority()),
      reply_priority_(call.reply_priority()),
      reply_end_ns_(reply_end_of_present_request()),
      code_sets_(*call.arguments().format().code_sets),
      format_(lasting(call.arguments().format(), code_sets_)),
      environment_(format_.environment ? format_.environment->shared() : nullptr),
      sender_(begin(call, giop_minor_, place_)) {
  call.expect_no_response();
}

LateAnswer::~LateAnswer() {
  if (is_given() || !response_expected_) return;
  try {
    Giving giving(*this);
    if (giving.is_wanted())
      giving.call().system_exception(
          CORBA::NO_RESPONSE(0, CORBA::COMPLETED_NO, "the servant has dropped its response handler"));
  } catch (...) {
    give_up();
  }
}

// Ends the caller's connection, unless an answer was sent, because there is no memory for one.
void LateAnswer::give_up() noexcept {
  if (given_.exchange(true, std::memory_order_acq_rel)) return;
  if (const auto sender = sender_.lock()) sender->send({giop_minor_, place_}, nullptr);
}

RequestContext LateAnswer::context() const {
  return {.request_id = request_id_,
          .giop_minor = giop_minor_,
          .short_head = short_head_,
          .response_expected = response_expected_,
          .object_key = {},
          .operation = operation_,
          .priority = priority_};
}

LateAnswer& LateAnswer::claimed() {
  if (given_.exchange(true, std::memory_order_acq_rel))
    throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_YES, "the response handler has answered already");
  return *this;
}

std::unique_ptr<GatherBuffer> LateAnswer::Giving::take_spare() {
  auto buffer = std::move(spare_reply);
  return buffer ? std::move(buffer) : std::make_unique<GatherBuffer>(late_reply_bytes);
}

LateAnswer::Giving::Giving(LateAnswer& answer)
    : reply_(take_spare()),
      answer_(answer.claimed()),
      sender_(answer.sender_.lock()),
      call_(answer.context(), {}, 0, answer.format_, *reply_) {
  if (!sender_) call_.expect_no_response();
  if (answer.reply_priority_ >= 0) call_.set_reply_priority(answer.reply_priority_);
}

LateAnswer::Giving::~Giving() {
  if (is_wanted()) {
    bool is_encoded = false;
    try {
      if (!call_.answered()) answer_unknown(call_);
      RequestTimes times;
      times.reply_end = Clock::time_point(Clock::duration(answer_.reply_end_ns_));
      refuse_late_reply(call_, times);
      refuse_long_reply(call_, sender_->longest_reply);
      is_encoded = true;
    } catch (...) {  // there is no memory for the answer
    }
    sender_->send({answer_.giop_minor_, answer_.place_}, is_encoded ? reply_.get() : nullptr);
  }
  reply_->clear(kept_bytes);
  spare_reply = std::move(reply_);
}

}  // namespace takt::server

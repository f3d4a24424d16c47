#include <takt/connection/server_call.h>

#include "giop/priorities.h"
#include "giop/reply.h"
#include "giop/system_exception.h"

namespace takt::connection {

inline cdr::Encoder& ServerCall::begin(std::uint32_t status, bool has_body) {
  cdr::Format format = arguments_.format();
  format.order = cdr::native_order;
  reply_.clear();
  encoder_.emplace(reply_, format);
  const giop::Version version{1, context_.giop_minor};
  const auto reply_status = static_cast<giop::ReplyStatus>(status);
  if (told_priority_ < 0) [[likely]] {
    if (version.minor == 2) [[likely]]  // the version's rules are constants then
      giop::write_reply(*encoder_, {1, 2}, context_.request_id, reply_status, {}, has_body);
    else
      giop::write_reply(*encoder_, version, context_.request_id, reply_status, {}, has_body);
  } else {
    const auto data = giop::write_priority_context(told_priority_);
    const giop::ServiceContext priority{giop::rt_priority_context, data};
    giop::write_reply(*encoder_, version, context_.request_id, reply_status, {&priority, 1}, has_body);
  }
  return *encoder_;
}

cdr::Encoder& ServerCall::begin_reply(bool has_results) { return begin(0, has_results); }

cdr::Encoder& ServerCall::begin_user_exception(std::string_view repository_id) {
  cdr::Encoder& encoder = begin(1, true);
  encoder.put_raw_string(repository_id);
  return encoder;
}

void ServerCall::system_exception(const CORBA::SystemException& exception) {
  cdr::Encoder& encoder = begin(2, true);
  giop::write_system_exception(encoder, exception);
}

void ServerCall::forward(const cdr::Ior& target, bool permanent) {
  const bool can_say_permanent = context_.giop_minor >= 2;
  cdr::Encoder& encoder = begin(permanent && can_say_permanent ? 4 : 3, true);
  cdr::write_ior(encoder, target);
}

}  // namespace takt::connection

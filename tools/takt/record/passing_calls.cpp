#include "record/passing_calls.h"

namespace takt::command {
namespace {

using recorder::Direction;

constexpr std::size_t most_waiting = 16'384;

Direction opposite(Direction direction) {
  return direction == Direction::sent ? Direction::received : Direction::sent;
}

}  // namespace

// Those whose replies have not come for the longest time are not known, so all are forgotten.
void PassingCalls::remember(const Key& key, const PassingCall& call, std::int64_t time_ns) {
  if (waiting_.size() == most_waiting) waiting_.clear();
  waiting_[key] = {call.operation, time_ns};
}

void PassingCalls::follow_process(std::int64_t start_ns) {
  if (std::exchange(process_, start_ns) != start_ns) waiting_.clear();
}

PassingCall PassingCalls::take(const recorder::ReadMessage& message) {
  PassingCall call;
  const ParsedPart part = message.is_message ? parse(message.octets, call.parsed) : ParsedPart::nothing;
  call.is_whole = part == ParsedPart::whole;
  if (part == ParsedPart::nothing) return call;
  const giop::Event& event = call.parsed.event;
  call.request_id = event.request_id;
  if (call.parsed.header.type == giop::MessageType::request) {
    call.kind = PassingCall::Kind::request;
    call.operation = std::string(event.operation);
    call.expects_reply = (event.response_flags & 1) != 0;
    if (call.expects_reply)
      remember({{message.connection, message.direction}, event.request_id}, call, message.time_ns);
  } else if (call.parsed.header.type == giop::MessageType::reply) {
    call.kind = PassingCall::Kind::reply;
    const auto found = waiting_.find({{message.connection, opposite(message.direction)}, event.request_id});
    if (found == waiting_.end()) return call;
    call.operation = std::move(found->second.operation);
    call.after_ns = message.time_ns - found->second.time_ns;
    waiting_.erase(found);
  }
  return call;
}

}  // namespace takt::command

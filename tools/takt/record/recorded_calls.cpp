#include "record/recorded_calls.h"

#include <algorithm>
#include <utility>

#include "giop/contexts/service_context.h"
#include "record/parsed_message.h"

namespace takt::command {
namespace {

using recorder::ReadMessage;

Octets copy(ByteView octets) { return {octets.begin(), octets.end()}; }

// Empty if the message is a request that can be replayed; else why not.
std::string read_request(const ReadMessage& message, RecordedCall& call) {
  ParsedMessage parsed;
  if (const std::string why = parse(message.octets, parsed); !why.empty()) return why;
  const giop::Event& event = parsed.event;
  if (event.version.minor != 2) return "of a GIOP version before 1.2";
  if (event.key_unknown || event.object_key.empty()) return "to an object that is not named by a key";
  call = {.time_ns = message.time_ns,
          .connection = message.connection,
          .request_id = event.request_id,
          .response_flags = event.response_flags,
          .order = event.order,
          .key = copy(event.object_key),
          .operation = std::string(event.operation),
          .code_sets = std::nullopt,
          .body = copy(event.body),
          .reply = std::nullopt};
  if (const auto data = event.contexts.find(giop::code_sets_context)) call.code_sets = copy(*data);
  return {};
}

bool is_request(const ReadMessage& message) {
  constexpr std::size_t type_index = 7;
  return message.octets.size() > type_index &&
         (message.octets[type_index] == static_cast<std::uint8_t>(giop::MessageType::request) ||
          message.octets[type_index] == static_cast<std::uint8_t>(giop::MessageType::fragment));
}

}  // namespace

std::optional<RecordedReply> read_reply(ByteView message, std::uint32_t& id) {
  ParsedMessage parsed;
  if (!parse(message, parsed).empty() || parsed.header.type != giop::MessageType::reply) return std::nullopt;
  id = parsed.event.request_id;
  return RecordedReply{parsed.event.reply_status, parsed.event.order, copy(parsed.event.body)};
}

// Ids of requests come again on a connection, so a reply is that of the last request with its id.
RecordedCalls calls_of(const recorder::Recording& recording, recorder::Direction requests) {
  RecordedCalls calls;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> open;  // by connection and id
  std::vector<const ReadMessage*> messages;
  for (const ReadMessage& message : recording.messages) messages.push_back(&message);
  std::ranges::stable_sort(messages, {}, &ReadMessage::time_ns);
  for (const ReadMessage* const message : messages) {
    if (!message->is_message) continue;
    if (message->direction == requests) {
      if (!is_request(*message)) continue;
      RecordedCall call;
      if (const std::string why = read_request(*message, call); !why.empty()) {
        ++calls.unfit[why];
        continue;
      }
      open[{call.connection, call.request_id}] = calls.all.size();
      calls.all.push_back(std::move(call));
    } else if (std::uint32_t id = 0; auto reply = read_reply(message->octets, id)) {
      const auto found = open.find({message->connection, id});
      if (found == open.end()) continue;
      calls.all[found->second].reply = std::move(reply);
      open.erase(found);
    }
  }
  return calls;
}

Octets request_of(const RecordedCall& call, std::uint32_t id, ByteView key) {
  Octets message(giop::header_size);
  const bool swap = call.order != cdr::native_order;
  const auto put_u32 = [&](std::uint32_t value) {
    message.resize((message.size() + 3) / 4 * 4);
    if (swap) value = __builtin_bswap32(value);
    const auto* const octets = reinterpret_cast<const std::uint8_t*>(&value);
    message.insert(message.end(), octets, octets + sizeof value);
  };
  const auto put_sized = [&](ByteView octets) {
    put_u32(static_cast<std::uint32_t>(octets.size()));
    message.insert(message.end(), octets.begin(), octets.end());
  };
  giop::write_header(message.data(), {1, 2}, call.order, giop::MessageType::request);
  put_u32(id);
  message.insert(message.end(), {call.response_flags, 0, 0, 0});
  put_u32(0);  // the object is named by its key
  put_sized(key);
  put_sized({reinterpret_cast<const std::uint8_t*>(call.operation.c_str()), call.operation.size() + 1});
  put_u32(call.code_sets ? 1 : 0);
  if (call.code_sets) {
    put_u32(giop::code_sets_context);
    put_sized(*call.code_sets);
  }
  if (!call.body.empty()) message.resize((message.size() + 7) / 8 * 8);
  message.insert(message.end(), call.body.begin(), call.body.end());
  giop::store_message_size(message.data(), static_cast<std::uint32_t>(message.size() - giop::header_size));
  return message;
}

}  // namespace takt::command

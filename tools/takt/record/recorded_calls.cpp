#include "record/recorded_calls.h"

#include <algorithm>
#include <utility>

#include "giop/contexts/service_context.h"
#include "record/whole_messages.h"

namespace takt::command {
namespace {

using recorder::ReadMessage;

Octets copy(ByteView octets) { return {octets.begin(), octets.end()}; }

bool is_request(const ReadMessage& message) {
  constexpr std::size_t type_index = 7;
  return message.octets.size() > type_index &&
         (message.octets[type_index] == static_cast<std::uint8_t>(giop::MessageType::request) ||
          message.octets[type_index] == static_cast<std::uint8_t>(giop::MessageType::fragment));
}

// Empty if the message is a request that can be replayed; else why not.
std::string read_request(const ReadMessage& message, const ParsedMessage& parsed, RecordedCall& call) {
  const giop::Event& event = parsed.event;
  if (event.key_unknown || event.object_key.empty()) return "to an object that is not named by a key";
  call = {.time_ns = message.time_ns,
          .connection = message.connection,
          .request_id = event.request_id,
          .giop_minor = event.version.minor,
          .response_flags = event.response_flags,
          .order = event.order,
          .key = copy(event.object_key),
          .operation = std::string(event.operation),
          .contexts = {},
          .body_at = static_cast<std::uint8_t>(event.body_index % 8),
          .body = copy(event.body),
          .reply = std::nullopt};
  if (event.version.minor < 2) call.response_flags = event.response_expected ? 1 : 0;
  event.contexts.for_each([&](const giop::ServiceContext& context) {
    call.contexts.push_back({context.id, copy(context.data)});
  });
  return {};
}

}  // namespace

std::optional<RecordedReply> read_reply(const ParsedMessage& parsed, std::uint32_t& id) {
  if (parsed.header.type != giop::MessageType::reply) return std::nullopt;
  const giop::Event& event = parsed.event;
  id = event.request_id;
  const auto body_at = static_cast<std::uint8_t>(event.version.minor < 2 ? event.body_index % 8 : 0);
  return RecordedReply{event.reply_status, event.order, body_at, copy(event.body)};
}

namespace {

// Ids of requests come again on a connection, so a reply is that of the last request with its id.
class CallCollector {
 public:
  void add_request(const ReadMessage& message) {
    if (message.is_secret()) {
      if (is_request(message)) ++calls_.unfit["secret"];
      return;
    }
    const auto parsed = requests_.add(message.connection, message.octets);
    if (parsed && (!*parsed || (*parsed)->header.type != giop::MessageType::request)) return;
    RecordedCall call;
    const std::string why = parsed                ? read_request(message, **parsed, call)
                            : is_request(message) ? parsed.error()
                                                  : std::string();
    if (!parsed && why.empty()) return;  // an incomplete message of another kind
    if (!why.empty()) {
      ++calls_.unfit[why];
      return;
    }
    open_[{call.connection, call.request_id}] = calls_.all.size();
    calls_.all.push_back(std::move(call));
  }

  void add_reply(const ReadMessage& message) {
    const auto parsed = replies_.add(message.connection, message.octets);
    if (!parsed || !*parsed) return;
    std::uint32_t id = 0;
    auto reply = read_reply(**parsed, id);
    const auto found = open_.find({message.connection, id});
    if (!reply || found == open_.end()) return;
    calls_.all[found->second].reply = std::move(reply);
    open_.erase(found);
  }

  RecordedCalls take() { return std::move(calls_); }

 private:
  WholeMessages requests_, replies_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> open_;  // by connection and id
  RecordedCalls calls_;
};

}  // namespace

RecordedCalls calls_of(const recorder::Recording& recording, recorder::Direction requests) {
  CallCollector calls;
  for (const ReadMessage& message : recording.messages) {
    if (!message.is_message) continue;
    if (message.direction == requests)
      calls.add_request(message);
    else
      calls.add_reply(message);
  }
  return calls.take();
}

namespace {

// A message under construction in the byte order of its call.
class RequestWriter {
 public:
  explicit RequestWriter(const RecordedCall& call)
      : message_(giop::header_size), swaps_(call.order != cdr::native_order) {
    giop::write_header(message_.data(), {1, call.giop_minor}, call.order, giop::MessageType::request);
  }
  void put_u32(std::uint32_t value) {
    align(4);
    if (swaps_) value = __builtin_bswap32(value);
    const auto* const octets = reinterpret_cast<const std::uint8_t*>(&value);
    put(ByteView(octets, sizeof value));
  }
  void put_sized(ByteView octets) {
    put_u32(static_cast<std::uint32_t>(octets.size()));
    put(octets);
  }
  void put_text(const std::string& text) {
    put_sized({reinterpret_cast<const std::uint8_t*>(text.c_str()), text.size() + 1});
  }
  void put(ByteView octets) { message_.insert(message_.end(), octets.begin(), octets.end()); }
  void align(std::size_t to) { message_.resize((message_.size() + to - 1) / to * to); }
  std::size_t size() const { return message_.size(); }
  Octets finished() {
    giop::store_message_size(message_.data(),
                             static_cast<std::uint32_t>(message_.size() - giop::header_size));
    return std::move(message_);
  }

 private:
  Octets message_;
  const bool swaps_;
};

void put_contexts(RequestWriter& out, const RecordedCall& call, const SentContexts& contexts) {
  const auto is_sent = [&](const RecordedContext& context) {
    return contexts.sent_as(context.id).has_value();
  };
  out.put_u32(static_cast<std::uint32_t>(std::ranges::count_if(call.contexts, is_sent)));
  for (const RecordedContext& context : call.contexts) {
    const auto id = contexts.sent_as(context.id);
    if (!id) continue;
    out.put_u32(*id);
    out.put_sized(context.data);
  }
}

// The principal, which servers ignore, is as long as the body needs it to begin where it did.
Octets early_request_of(const RecordedCall& call, std::uint32_t id, ByteView key,
                        const SentContexts& contexts) {
  RequestWriter out(call);
  put_contexts(out, call, contexts);
  out.put_u32(id);
  const std::uint8_t response[4] = {static_cast<std::uint8_t>(call.response_flags & 1), 0, 0, 0};
  out.put({response, call.giop_minor == 0 ? std::size_t{1} : sizeof response});
  out.put_sized(key);
  out.put_text(call.operation);
  out.align(4);
  const std::size_t principal = (call.body_at + 16 - (out.size() + 4) % 8) % 8;
  out.put_sized(Octets(call.body.empty() ? 0 : principal));
  out.put(call.body);
  return out.finished();
}

}  // namespace

Octets request_of(const RecordedCall& call, std::uint32_t id, ByteView key, const SentContexts& contexts) {
  if (call.giop_minor < 2) return early_request_of(call, id, key, contexts);
  RequestWriter out(call);
  out.put_u32(id);
  out.put(Octets{call.response_flags, 0, 0, 0});
  out.put_u32(0);  // the object is named by its key
  out.put_sized(key);
  out.put_text(call.operation);
  put_contexts(out, call, contexts);
  if (!call.body.empty()) out.align(8);
  out.put(call.body);
  return out.finished();
}

}  // namespace takt::command

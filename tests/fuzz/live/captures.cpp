#include "captures.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>

#include "giop/connection.h"
#include "reference/text/hex.h"

namespace takt::fuzz::live {

namespace {

const giop::Limits limits;

// With a callback, the target would call whatever address the message names, and wait.
bool calls_back(std::string_view operation) {
  return operation == "call_back" || operation == "call_any" || operation == "called";
}

Object object_of(std::string_view operation) {
  const auto found =
      std::ranges::find_if(operations(), [&](const Operation& one) { return one.name == operation; });
  if (found != operations().end()) return found->object;
  if (operation.starts_with("swap_") || operation == "give") return Object::types;
  return operation.starts_with("pass_") && operation != "pass_link" ? Object::values : Object::calls;
}

Body body_of(const giop::Event& event, const std::string& operation) {
  Body body;
  body.operation = operation;
  body.object = object_of(operation);
  body.order = event.order;
  body.octets.assign(event.body.begin(), event.body.end());
  // Guesses without knowing the type: most small 32-bit numbers say what follows.
  for (std::size_t at = 0; at + 4 <= body.octets.size(); at += 4) {
    const bool little = event.order == cdr::ByteOrder::little;
    if (body.octets[at + (little ? 3 : 0)] == 0 && body.octets[at + (little ? 2 : 1)] == 0)
      body.telling_at.push_back(at);
  }
  return body;
}

// One direction of a connection.
class Listener {
 public:
  Listener(giop::Connection::Role role, Captures& captures) : end_(role, limits), captures_(captures) {}

  // `asked`: the operations of requests, by request id.
  void hear(ByteView input, std::map<std::uint32_t, std::string>& asked) {
    while (!input.empty() && !end_.over()) {
      const MutableBytes space = end_.read_space();
      const std::size_t count = std::min(space.size(), input.size());
      std::memcpy(space.data(), input.data(), count);
      input = input.subspan(count);
      end_.bytes_read(count);
      while (true) {
        const giop::Event& event = end_.next_event();
        if (event.kind == giop::EventKind::none) break;
        note(event, asked);
      }
    }
  }

 private:
  void note(const giop::Event& event, std::map<std::uint32_t, std::string>& asked) {
    if (event.kind == giop::EventKind::request) asked[event.request_id] = event.operation;
    if (event.version.minor < 2 || event.parts || event.body.size() > 16 * 1024) return;
    const std::string& operation = asked[event.request_id];
    if (calls_back(operation)) return;
    if (event.kind == giop::EventKind::request) captures_.requests.push_back(body_of(event, operation));
    if (event.kind == giop::EventKind::reply && event.reply_status == giop::ReplyStatus::no_exception)
      captures_.replies[operation].push_back(body_of(event, operation));
  }

  giop::Connection end_;
  Captures& captures_;
};

void load(const std::filesystem::path& path, Captures& captures) {
  struct Ends {
    std::unique_ptr<Listener> from_client, from_server;
    std::map<std::uint32_t, std::string> asked;
  };
  std::map<int, Ends> connections;
  std::ifstream file(path);
  int connection = 0;
  std::string direction, digits;
  while (file >> connection >> direction >> digits) {
    Octets octets;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
      octets.push_back(static_cast<std::uint8_t>(reference::hex_octet(digits[i], digits[i + 1])));
    Ends& ends = connections[connection];
    const bool from_client = direction == ">";
    auto& listener = from_client ? ends.from_client : ends.from_server;
    using Role = giop::Connection::Role;
    if (!listener) listener = std::make_unique<Listener>(from_client ? Role::server : Role::client, captures);
    listener->hear(octets, ends.asked);
    if (from_client && octets.size() < 2000) captures.segments.push_back(std::move(octets));
  }
}

}  // namespace

Captures load_captures(const std::vector<std::string>& folders) {
  Captures captures;
  std::vector<std::filesystem::path> paths;
  for (const std::string& folder : folders)
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".hex") paths.push_back(entry.path());
  std::ranges::sort(paths);  // seeds refer to this order
  for (const auto& path : paths) load(path, captures);
  if (captures.requests.empty() || captures.replies.empty())
    throw std::runtime_error("there are no captured messages to start from");
  return captures;
}

}  // namespace takt::fuzz::live

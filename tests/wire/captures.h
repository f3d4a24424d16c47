// Captured conversations of other ORBs in captures/, and the messages in them.
#pragma once

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <takt/cdr/decoder.h>

#include "giop/connection.h"
#include "reference/text/hex.h"

namespace takt::giop {

using Octets = std::vector<std::uint8_t>;

inline std::string text_of(ByteView octets) { return {octets.begin(), octets.end()}; }

struct Segment {
  int connection;
  bool from_client;
  Octets octets;
};

inline std::vector<Segment> load(const std::string& name) {
  std::ifstream file(std::string(TAKT_CAPTURES "/").append(name).append(".hex"));
  std::vector<Segment> segments;
  int connection = 0;
  std::string direction, digits;
  while (file >> connection >> direction >> digits) {
    Segment segment{connection, direction == ">", {}};
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
      segment.octets.push_back(static_cast<std::uint8_t>(reference::hex_octet(digits[i], digits[i + 1])));
    segments.push_back(std::move(segment));
  }
  EXPECT_FALSE(segments.empty()) << name;
  return segments;
}

// A decoded message that outlives its buffer.
struct Message {
  explicit Message(const Event& event)
      : what(event),
        key(event.object_key.begin(), event.object_key.end()),
        operation(event.operation),
        body(event.body.begin(), event.body.end()) {
    if (event.parts) {
      const ByteView all = event.parts->octets();
      whole.assign(all.begin(), all.end());
      parts = std::make_shared<FragmentParts>(event.parts->moved_to(whole));
      body.insert(body.end(), whole.end() - static_cast<std::ptrdiff_t>(event.body_missing), whole.end());
    }
    event.contexts.for_each([&](const ServiceContext& context) {
      contexts.emplace_back(context.id, Octets(context.data.begin(), context.data.end()));
    });
  }
  cdr::Decoder decoder() const {
    cdr::Format format;
    format.order = what.order;
    format.giop_minor = what.version.minor;
    cdr::Decoder in(ByteView(body).first(what.body.size()), what.body_index, format);
    if (parts) in.set_source(parts.get(), what.body_missing);
    return in;
  }
  std::vector<ServiceContext> context_views() const {
    std::vector<ServiceContext> views;
    for (const auto& [id, data] : contexts) views.push_back({id, data});
    return views;
  }

  Event what;  // the views are invalid
  Octets key;
  std::string operation;
  Octets body;
  Octets whole;                          // the message, if it was complete
  std::shared_ptr<FragmentParts> parts;  // if it came in fragments of GIOP 1.1
  std::vector<std::pair<std::uint32_t, Octets>> contexts;
};

inline void feed(Connection& connection, ByteView input, std::size_t step, std::vector<Message>& heard) {
  while (!input.empty()) {
    const MutableBytes space = connection.read_space();
    const std::size_t count = std::min({step, space.size(), input.size()});
    std::memcpy(space.data(), input.data(), count);
    input = input.subspan(count);
    connection.bytes_read(count);
    for (Event event = connection.next_event(); event.kind != EventKind::none;
         event = connection.next_event()) {
      EXPECT_NE(event.kind, EventKind::protocol_error) << event.reason;
      heard.emplace_back(event);
    }
  }
}

// All messages of the capture in the order of their completion. Plays both ends.
inline std::vector<Message> listen(const std::string& name, std::size_t step = SIZE_MAX) {
  static const Limits limits;
  std::map<int, Connection> clients, servers;
  std::vector<Message> heard;
  for (const Segment& segment : load(name)) {
    auto& ends = segment.from_client ? servers : clients;
    const auto role = segment.from_client ? Connection::Role::server : Connection::Role::client;
    const auto end = ends.try_emplace(segment.connection, role, limits).first;
    feed(end->second, segment.octets, step, heard);
    EXPECT_FALSE(end->second.mid_message() && step == SIZE_MAX && segment.octets.size() < 4096);
  }
  return heard;
}

inline const Message* find(const std::vector<Message>& heard, EventKind kind, std::string_view operation) {
  const Message* request = nullptr;
  for (const Message& message : heard) {
    if (message.what.kind == EventKind::request && message.operation == operation) request = &message;
    if (!request) continue;
    if (kind == EventKind::request) return request;
    if (message.what.kind == kind && message.what.request_id == request->what.request_id) return &message;
  }
  return nullptr;
}

}  // namespace takt::giop

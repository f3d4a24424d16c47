// Messages for tests, and helpers that feed them to a connection.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <takt/base/gather_buffer.h>
#include <takt/cdr/encoder.h>

#include "giop/close.h"
#include "giop/connection.h"
#include "giop/fragments/fragment.h"
#include "giop/message/locate.h"
#include "giop/message/reply.h"
#include "giop/message/request.h"

namespace takt::giop::test {

using Octets = std::vector<std::uint8_t>;

inline const Limits limits;  // defaults

inline Octets octets(std::string_view text) { return {text.begin(), text.end()}; }
inline std::string text(ByteView octets) { return {octets.begin(), octets.end()}; }

inline Octets flatten(const GatherBuffer& buffer) {
  std::vector<ByteView> pieces;
  buffer.gather(pieces);
  Octets all;
  for (const ByteView piece : pieces) all.insert(all.end(), piece.begin(), piece.end());
  return all;
}

// Feeds all of it at once; returns the first event.
inline Event feed(Connection& connection, const Octets& message) {
  for (std::size_t done = 0; done < message.size();) {
    const MutableBytes space = connection.read_space();
    const std::size_t count = std::min(space.size(), message.size() - done);
    std::copy_n(message.begin() + static_cast<std::ptrdiff_t>(done), count, space.begin());
    connection.bytes_read(count);
    done += count;
  }
  return connection.next_event();
}

// Makes each kind of message in any version and byte order, field by field according to the tables of CORBA
// 3.0.3, 15.4.
class MessageMaker {
 public:
  MessageMaker(Version message_version, cdr::ByteOrder byte_order)
      : version(message_version), order(byte_order) {}

  Octets request(std::uint32_t id, std::string_view operation, std::string_view body,
                 const std::vector<ServiceContext>& contexts = {}) const {
    return make(MessageType::request, [&](cdr::Encoder& out) {
      if (version.minor < 2) write_service_contexts(out, contexts);
      out.put(id);
      out.put(std::uint8_t{version.minor < 2 ? std::uint8_t{1} : response_from_target});
      for (int i = 0; version.minor > 0 && i < 3; ++i) out.put(std::uint8_t{0});
      address(out);
      out.put_raw_string(operation);
      if (version.minor < 2)
        out.put(std::uint32_t{0});
      else
        write_service_contexts(out, contexts);
      add_body(out, body);
    });
  }
  Octets reply(std::uint32_t id, ReplyStatus status, std::string_view body,
               const std::vector<ServiceContext>& contexts = {}) const {
    return make(MessageType::reply, [&](cdr::Encoder& out) {
      if (version.minor < 2) write_service_contexts(out, contexts);
      out.put(id);
      out.put(static_cast<std::uint32_t>(status));
      if (version.minor >= 2) write_service_contexts(out, contexts);
      add_body(out, body);
    });
  }
  Octets locate_request(std::uint32_t id) const {
    return make(MessageType::locate_request, [&](cdr::Encoder& out) {
      out.put(id);
      address(out);
    });
  }
  Octets locate_reply(std::uint32_t id, LocateStatus status) const {
    return make(MessageType::locate_reply, [&](cdr::Encoder& out) {
      out.put(id);
      out.put(static_cast<std::uint32_t>(status));
    });
  }
  Octets cancel(std::uint32_t id) const {
    return make(MessageType::cancel_request, [&](cdr::Encoder& out) { out.put(id); });
  }
  Octets close() const {
    return make(MessageType::close_connection, [](cdr::Encoder&) {});
  }
  Octets error() const {
    return make(MessageType::message_error, [](cdr::Encoder&) {});
  }

  template <class Write>
  Octets make(MessageType type, Write write) const {
    GatherBuffer buffer;
    cdr::Format format;
    format.order = order;
    cdr::Encoder out(buffer, format);
    out.set_borrowing(false);
    std::uint8_t header[header_size];
    write_header(header, version, order, type);
    out.put_octets(header);
    write(out);
    finish_message(buffer);
    return flatten(buffer);
  }

  Version version;
  cdr::ByteOrder order;
  std::string key = "the key";

 private:
  void address(cdr::Encoder& out) const {
    if (version.minor >= 2) out.put(std::uint16_t{0});
    out.put_count(key.size());
    out.put_octets(octets(key));
  }
  void add_body(cdr::Encoder& out, std::string_view body) const {
    if (body.empty()) return;
    if (version.minor >= 2) out.align(8);
    out.put_octets(octets(body));
  }
};

inline std::vector<MessageMaker> all_makers() {
  std::vector<MessageMaker> makers;
  for (std::uint8_t minor = 0; minor <= highest_minor; ++minor)
    for (const auto order : {cdr::ByteOrder::big, cdr::ByteOrder::little})
      makers.push_back({{1, minor}, order});
  return makers;
}

// An event with copies of the data that its views pointed to.
struct Heard {
  explicit Heard(const Event& event)
      : what(event),
        key(text(event.object_key)),
        operation(event.operation),
        body(text({event.body.data(), event.body.size() + (event.parts ? event.body_missing : 0)})),
        aligned(reinterpret_cast<std::uintptr_t>(event.body.data()) % 8 == event.body_index % 8) {
    event.contexts.for_each(
        [&](const ServiceContext& context) { contexts.emplace_back(context.id, text(context.data)); });
  }
  Event what;  // the views are invalid
  std::string key, operation, body;
  bool aligned;
  std::vector<std::pair<std::uint32_t, std::string>> contexts;
};

// Feeds at most `step` octets at a time and records all events.
inline std::vector<Heard> hear(Connection& connection, ByteView input, std::size_t step = SIZE_MAX) {
  std::vector<Heard> heard;
  while (!input.empty()) {
    const MutableBytes space = connection.read_space();
    const std::size_t count = std::min({step, space.size(), input.size()});
    std::memcpy(space.data(), input.data(), count);
    input = input.subspan(count);
    connection.bytes_read(count);
    for (Event event = connection.next_event(); event.kind != EventKind::none;
         event = connection.next_event())
      heard.emplace_back(event);
  }
  return heard;
}

inline void append(Octets& all, const Octets& more) { all.insert(all.end(), more.begin(), more.end()); }

// The message, a third of it owned and the rest borrowed, in fragments of at most `max_bytes` octets.
inline std::vector<Octets> parts_of(const Octets& message, std::size_t max_bytes) {
  GatherBuffer buffer;
  buffer.append(message.data(), message.size() / 3);
  buffer.borrow(ByteView(message).subspan(message.size() / 3));
  std::vector<ByteView> pieces;
  FragmentHeaders headers;
  fragment(buffer, max_bytes, pieces, headers);
  Octets all;
  for (const ByteView piece : pieces) all.insert(all.end(), piece.begin(), piece.end());
  std::vector<Octets> parts;
  for (std::size_t at = 0; at < all.size();) {
    MessageHeader header;
    EXPECT_EQ(read_header(all.data() + at, header), HeaderError::none);
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(at);
    parts.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(header.message_bytes()));
    at += header.message_bytes();
  }
  return parts;
}

}  // namespace takt::giop::test

#include "config/reports/read_head.h"

#include <algorithm>
#include <array>
#include <string>

#include "giop/heads/head_parser.h"
#include "giop/message_form.h"

namespace takt::orb {

namespace {

constexpr std::array<const char*, 8> names = {"Request",       "Reply",       "CancelRequest",
                                              "LocateRequest", "LocateReply", "CloseConnection",
                                              "MessageError",  "Fragment"};
constexpr std::size_t longest_head = 1024;  // longer ones have no operation in the trace

const char* name_of(giop::MessageType type) { return names[static_cast<std::size_t>(type) % names.size()]; }

// Adds what the head of a whole GIOP message says, if it is complete in `octets`.
void add_details(const giop::MessageHeader& header, ByteView octets, logs::MessageHead& head) {
  static const giop::Limits limits;
  alignas(8) std::array<std::uint8_t, longest_head> aligned;
  const std::size_t present = std::min({octets.size(), header.message_bytes(), aligned.size()});
  std::ranges::copy(octets.first(present), aligned.begin());
  giop::Event event;
  if (giop::parse_head(header, aligned.data(), present, limits, event) != giop::ParseResult::done) return;
  head.text += ", request " + std::to_string(event.request_id);
  if (event.kind == giop::EventKind::request) head.operation = event.operation;
}

bool has_details(giop::MessageType type) {
  return type == giop::MessageType::request || type == giop::MessageType::reply;
}

}  // namespace

logs::MessageHead read_head(ByteView octets) {
  giop::MessageHeader header;
  logs::MessageHead head;
  if (giop::read_header(octets.data(), header) == giop::HeaderError::none) {
    head.text = std::string(name_of(header.type)) + " of GIOP 1." + std::to_string(header.version.minor);
    head.body_bytes = header.body_bytes;
    if (has_details(header.type)) add_details(header, octets, head);
    return head;
  }
  const auto form = giop::message_form(octets.data());
  if (!form || *form == giop::MessageForm::giop) return head;
  head.text = std::string(name_of(static_cast<giop::MessageType>(octets[7]))) +
              (*form == giop::MessageForm::lite ? " of GIOPlite" : ", packed");
  head.body_bytes = giop::load_message_size(octets.data());
  return head;
}

}  // namespace takt::orb

#include "record/listing.h"

#include "config/reports/read_head.h"

namespace takt::command {
namespace {

using recorder::ReadMessage;
using recorder::Recording;

logs::MessageHead head_of(const ReadMessage& message) {
  if (message.is_message && message.octets.size() >= logs::MessageHead::bytes)
    return orb::read_head(message.octets);
  return {.text = "octets that begin no message"};
}

Json json_of(const ReadMessage& message) {
  const logs::MessageHead head = head_of(message);
  return {{"time_ns", message.time_ns},
          {"connection", message.connection},
          {"direction", direction_in_words(message.direction)},
          {"message", head.text},
          {"operation", head.operation},
          {"octets", message.message_bytes},
          {"kept", message.octets.size()},
          {"thread", message.thread}};
}

}  // namespace

std::string head_in_words(const ReadMessage& message) { return head_of(message).text; }

const char* direction_in_words(recorder::Direction direction) {
  return direction == recorder::Direction::received ? "received" : "sent";
}

std::string in_words(const Recording& recording) {
  std::string text;
  for (const ReadMessage& message : recording.messages) {
    const logs::MessageHead head = head_of(message);
    text += time_in_words(message.time_ns) + " thread " + std::to_string(message.thread) + " connection " +
            std::to_string(message.connection) + " " + direction_in_words(message.direction) + " " +
            escape_non_ascii(head.text);
    if (!head.operation.empty()) text += " " + escape_non_ascii(head.operation);
    text += ", " + std::to_string(message.message_bytes) + " octets";
    if (!message.is_whole()) text += ", " + std::to_string(message.octets.size()) + " kept";
    text += "\n";
  }
  for (const auto& [number, connection] : recording.connections)
    text += "connection " + std::to_string(number) + (connection.is_accepted ? " accepted: " : " opened: ") +
            escape_non_ascii(connection.text) + "\n";
  return text;
}

Json as_json(const Recording& recording) {
  Json messages = Json::array(), connections = Json::array();
  for (const ReadMessage& message : recording.messages) messages.push_back(json_of(message));
  for (const auto& [number, connection] : recording.connections)
    connections.push_back({{"connection", number},
                           {"accepted", connection.is_accepted},
                           {"opened_ns", connection.opened_ns},
                           {"closed_ns", connection.closed_ns != 0 ? Json(connection.closed_ns) : Json()},
                           {"text", connection.text}});
  return {{"program", recording.owner.program},
          {"process", recording.process},
          {"orb", recording.owner.orb},
          {"host", recording.owner.host},
          {"start_ns", recording.start_ns},
          {"copied_ns", recording.copied_ns != 0 ? Json(recording.copied_ns) : Json()},
          {"copied_because", recording.copied_because},
          {"overwritten_octets", recording.overwritten * recorder::block_bytes},
          {"left_out", recording.left_out},
          {"torn", recording.torn},
          {"messages", std::move(messages)},
          {"connections", std::move(connections)}};
}

std::string missing_in_words(const Recording& recording) {
  std::string text;
  if (recording.copied_ns != 0)
    text += "a copy of " + time_in_words(recording.copied_ns) + ": " +
            escape_non_ascii(recording.copied_because) + "\n";
  if (recording.overwritten != 0) text += "older messages have been overwritten\n";
  if (recording.left_out != 0)
    text += std::to_string(recording.left_out) +
            " parts of messages were left out, because the ring was too "
            "small for the threads that wrote at once\n";
  if (recording.torn != 0)
    text += std::to_string(recording.torn) + " parts of messages are incomplete and left out\n";
  return text;
}

}  // namespace takt::command

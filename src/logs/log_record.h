// One line of a log, as a place of its ring holds it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/event_log.h"

namespace takt::logs {

struct LogRecord {
  // Longer texts are cut at a character's end, with "..." appended.
  static constexpr std::size_t peer_bytes = 200, operation_bytes = 100, reason_bytes = 1000;
  static constexpr std::size_t octets_bytes = 256;  // the first ones of a message
  static constexpr std::size_t trace_bytes = 16;    // a trace id

  std::int64_t time_us;    // UTC, since 1970
  std::uint64_t left_out;  // lines that this one stands for; 0: it is an event itself
  std::uint64_t bytes;     // size of the message
  std::uint32_t thread;    // the system's id
  LogEvent event;
  char thread_name[16];
  std::uint8_t trace[trace_bytes];  // if has_trace
  bool has_trace;
  std::uint16_t peer_size, operation_size, reason_size, octets_size;
  char text[peer_bytes + operation_bytes + reason_bytes + octets_bytes];

  // Takes the line of the calling thread, at the present time.
  void set(const LogLine& line) noexcept;

  std::string_view peer() const { return {text, peer_size}; }
  std::string_view operation() const { return {text + peer_size, operation_size}; }
  std::string_view reason() const { return {text + peer_size + operation_size, reason_size}; }
  std::string_view trace_id() const {
    return {reinterpret_cast<const char*>(trace), has_trace ? trace_bytes : 0};
  }
  std::string_view octets() const { return {text + peer_size + operation_size + reason_size, octets_size}; }
};

}  // namespace takt::logs

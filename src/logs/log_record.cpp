#include "logs/log_record.h"

#include <algorithm>
#include <cstring>

#include "os/log/log_output.h"
#include "threads/thread.h"

namespace takt::logs {

namespace {

constexpr std::string_view cut = "...";

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Copies at most `most` octets and returns their number.
std::uint16_t copy(std::string_view text, std::size_t most, char* to) {
  std::size_t size = text.size();
  if (size > most) {
    size = most - cut.size();
    for (int i = 0; i < 3 && size > 0 && continues_character(text[size]); ++i) --size;
  }
  if (size > 0) std::memcpy(to, text.data(), size);
  if (size < text.size()) {
    std::memcpy(to + size, cut.data(), cut.size());
    size += cut.size();
  }
  return static_cast<std::uint16_t>(size);
}

}  // namespace

void LogRecord::set(const LogLine& line) noexcept {
  time_us = os::wall_clock_us();
  left_out = 0;
  bytes = line.bytes;
  thread = os::current_thread_number();
  event = line.event;
  has_trace = line.trace.size() == trace_bytes;
  if (has_trace) std::memcpy(trace, line.trace.data(), trace_bytes);
  os::copy_thread_name(thread_name);
  char* at = text;
  at += peer_size = copy(line.peer, peer_bytes, at);
  at += operation_size = copy(line.operation, operation_bytes, at);
  at += reason_size = copy(line.reason, reason_bytes, at);
  octets_size = static_cast<std::uint16_t>(std::min(line.octets.size(), octets_bytes));
  if (octets_size > 0) std::memcpy(at, line.octets.data(), octets_size);
}

}  // namespace takt::logs

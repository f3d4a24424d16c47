#include "logs/log_format.h"

#include <array>
#include <chrono>
#include <ctime>

#include "base/hex.h"

namespace takt::logs {

namespace {

constexpr std::array<std::string_view, 6> level_names = {"off", "error", "warning", "info", "debug", "trace"};
constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

struct Character {
  std::uint32_t code;
  std::size_t bytes;  // 0: invalid UTF-8
};

// The first character of a text that is not empty (RFC 3629).
Character first_of(std::string_view text) {
  const auto octet = [&](std::size_t i) -> std::uint32_t { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t lead = octet(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {0, 0};
  std::uint32_t code = lead & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((octet(i) & 0xC0) != 0x80) return {0, 0};
    code = code << 6 | (octet(i) & 0x3F);
  }
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least[bytes] || code > 0x10FFFF || is_surrogate) return {0, 0};
  return {code, bytes};
}

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

// Characters that end a line or reorder it on a terminal.
bool rearranges(std::uint32_t code) {
  return code == 0x61C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

template <class IsPlain>
void append_escaped(std::string& to, std::string_view text, IsPlain is_plain) {
  while (!text.empty()) {
    const Character first = first_of(text);
    if (first.bytes == 0) {
      to += replacement;
      text.remove_prefix(1);
      continue;
    }
    if (is_plain(first.code)) {
      to += text.substr(0, first.bytes);
    } else {
      to += "\\u";
      for (int shift = 12; shift >= 0; shift -= 4) to += hex_digits[first.code >> shift & 0xF];
    }
    text.remove_prefix(first.bytes);
  }
}

void append_hex(std::string& to, std::string_view octets) {
  for (const char c : octets) {
    to += hex_digits[static_cast<unsigned char>(c) >> 4];
    to += hex_digits[static_cast<unsigned char>(c) & 0xF];
  }
}

void append_number(std::string& to, std::uint64_t number, std::size_t width = 0) {
  const std::string digits = std::to_string(number);
  if (digits.size() < width) to.append(width - digits.size(), '0');
  to += digits;
}

void append_time(std::string& to, std::int64_t time_us) {
  using namespace std::chrono;
  const sys_time<microseconds> time{microseconds(time_us)};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  append_number(to, static_cast<std::uint64_t>(static_cast<int>(date.year())), 4);
  append_number(to += '-', static_cast<unsigned>(date.month()), 2);
  append_number(to += '-', static_cast<unsigned>(date.day()), 2);
  append_number(to += 'T', static_cast<std::uint64_t>(clock.hours().count()), 2);
  append_number(to += ':', static_cast<std::uint64_t>(clock.minutes().count()), 2);
  append_number(to += ':', static_cast<std::uint64_t>(clock.seconds().count()), 2);
  append_number(to += '.', static_cast<std::uint64_t>(clock.subseconds().count()), 6);
  to += 'Z';
}

std::string_view level_of(const LogRecord& record) {
  return level_names[static_cast<std::size_t>(info_of(record.event).level)];
}

void append_member(std::string& to, std::string_view name, std::string_view text) {
  if (text.empty()) return;
  to.append(",\"").append(name).append("\":\"");
  append_json(to, text);
  to += '"';
}

void append_member(std::string& to, std::string_view name, std::uint64_t number) {
  to.append(",\"").append(name).append("\":");
  append_number(to, number);
}

void append_hex_member(std::string& to, std::string_view name, std::string_view octets) {
  if (octets.empty()) return;
  to.append(",\"").append(name).append("\":\"");
  append_hex(to, octets);
  to += '"';
}

void append_json_line(std::string& to, const LogRecord& record, std::uint32_t process) {
  to += "{\"time\":\"";
  append_time(to, record.time_us);
  to += '"';
  append_member(to, "level", level_of(record));
  append_member(to, "process", process);
  append_member(to, "thread", record.thread_name);
  append_member(to, "thread_id", record.thread);
  append_member(to, "event", info_of(record.event).name);
  append_member(to, "peer", record.peer());
  append_member(to, "operation", record.operation());
  append_member(to, "reason", record.reason());
  append_hex_member(to, "trace_id", record.trace_id());
  if (record.left_out != 0) append_member(to, "left_out", record.left_out);
  if (record.bytes != 0) append_member(to, "bytes", record.bytes);
  append_hex_member(to, "octets", record.octets());
  to += '}';
}

// The part of a text line after the level.
void append_what(std::string& to, const LogRecord& record) {
  append_printable(to, record.thread_name);
  append_number(to += '/', record.thread);
  to.append(" ").append(info_of(record.event).name);
  if (!record.peer().empty()) append_printable(to += " [", record.peer()), to += ']';
  if (!record.operation().empty()) append_printable(to += " operation ", record.operation());
  if (record.has_trace) append_hex(to += " trace ", record.trace_id());
  if (!record.reason().empty()) append_printable(to += ": ", record.reason());
  if (record.octets_size != 0) append_hex(to += ": ", record.octets());
}

}  // namespace

void append_json(std::string& to, std::string_view text) {
  append_escaped(to, text, [](std::uint32_t code) {
    return !is_control(code) && !rearranges(code) && code != '"' && code != '\\';
  });
}

void append_printable(std::string& to, std::string_view text) {
  append_escaped(to, text, [](std::uint32_t code) { return !is_control(code) && !rearranges(code); });
}

void append_line(std::string& to, const LogRecord& record, LogFormat format, std::uint32_t process) {
  if (format == LogFormat::json) {
    append_json_line(to, record, process);
  } else {
    append_time(to, record.time_us);
    append_number(to += " takt[", process);
    to.append("] ").append(level_of(record)).append(" ");
    append_what(to, record);
  }
  to += '\n';
}

void append_journal(std::string& to, const LogRecord& record, LogFormat format, std::uint32_t process) {
  constexpr std::array<char, 6> priorities = {'3', '3', '4', '6', '7', '7'};  // syslog's
  to += "PRIORITY=";
  to += priorities[static_cast<std::size_t>(info_of(record.event).level)];
  to.append("\nSYSLOG_IDENTIFIER=takt\nTAKT_EVENT=").append(info_of(record.event).name);
  const auto field = [&](std::string_view name, std::string_view text) {
    if (!text.empty()) append_printable(to.append("\n").append(name), text);
  };
  field("TAKT_PEER=", record.peer());
  field("TAKT_OPERATION=", record.operation());
  if (record.has_trace) append_hex(to += "\nTAKT_TRACE=", record.trace_id());
  to += "\nMESSAGE=";
  if (format == LogFormat::json)
    append_json_line(to, record, process);
  else
    append_what(to, record);
  to += '\n';
}

}  // namespace takt::logs

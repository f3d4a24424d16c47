// The forms of a log line. Octets from peers never reach a terminal or a parser unescaped.
#pragma once

#include <cstdint>
#include <string>

#include "logs/log_record.h"

namespace takt::logs {

enum class LogFormat : std::uint8_t { text, json };

// Appends `text` as the content of a JSON string, valid UTF-8 whatever it contains: invalid sequences become
// U+FFFD.
void append_json(std::string& to, std::string_view text);
// Appends `text` on one line for people. Control characters and those that reorder text become \u00XX;
// invalid UTF-8 becomes U+FFFD.
void append_printable(std::string& to, std::string_view text);

// A whole line with its newline, as docs/user/logs.md describes it. `process`: the system's id.
void append_line(std::string& to, const LogRecord& record, LogFormat format, std::uint32_t process);
// A datagram of the journal's native protocol: the line is its MESSAGE, without the time and level that the
// journal records by itself unless the format is JSON.
void append_journal(std::string& to, const LogRecord& record, LogFormat format, std::uint32_t process);

}  // namespace takt::logs

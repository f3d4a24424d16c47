// Times and sizes on command lines.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace takt::command_line {

// "500ms", "1.5s", "2min"; units are ns, us, ms, s, min and h. A number without a unit is in seconds. The
// error says what is expected.
std::expected<std::chrono::nanoseconds, std::string> time_from_text(std::string_view text);
// The number in the largest unit of which the time is a multiple: "90s".
std::string text_of_time(std::chrono::nanoseconds time);

// "64k", "64KiB", "1M"; units are k, M, G and KiB, MiB, GiB, which are powers of 1024. A number without a
// unit is in octets. The error says what is expected.
std::expected<std::uint64_t, std::string> size_from_text(std::string_view text);
std::string text_of_size(std::uint64_t size);

}  // namespace takt::command_line

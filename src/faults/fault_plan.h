// Faults on purpose: which messages have which, and how often.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace takt::faults {

enum class FaultKind : std::uint8_t { delay, lose, twice, corrupt };
enum class Message : std::uint8_t { request, reply };

// A `[[fault]]` of the file.
struct Fault {
  static constexpr std::chrono::nanoseconds longest_delay = std::chrono::minutes(1);
  static constexpr std::uint32_t most_octets = 64;
  static constexpr std::uint64_t unlimited = UINT64_MAX;

  FaultKind kind = FaultKind::delay;
  Message message = Message::request;
  std::string operation = "*";  // `*` stands for any characters, `?` for one
  double rate = 1;              // 0 to 1
  std::uint64_t skip = 0;       // matching messages at first that are left alone
  std::uint64_t most = unlimited;
  std::chrono::nanoseconds time{0}, up_to{0};  // the delay, and the longest one; equal: it does not vary
  std::uint32_t octets = 1;                    // to corrupt

  bool applies_to(Message sent, std::string_view name) const;
};

struct FaultPlan {
  static constexpr std::size_t most_faults = 256;

  std::uint64_t seed = 1;
  std::string log;  // a file; empty: none
  std::vector<Fault> faults;
};

// Reads a file in TOML (docs/user/faults.md). The error names `origin`, the line, and what would be right.
std::expected<FaultPlan, std::string> read_fault_plan(std::string_view text, const std::string& origin);

// A random number that depends on nothing but the arguments.
std::uint64_t drawn(std::uint64_t seed, std::uint64_t fault, std::uint64_t message);

}  // namespace takt::faults

#include "imr/model/definition.h"

#include <algorithm>
#include <string_view>

namespace takt::imr {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t longest_name = 128;

bool is_name(const std::string& text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  };
  return !text.empty() && text.size() <= longest_name && text[0] != '.' && text[0] != '-' &&
         std::ranges::all_of(text, allowed);
}

std::size_t octets_of(const Definition& definition) {
  std::size_t octets =
      definition.directory.size() + definition.reference_file.size() + definition.output_file.size();
  for (const std::string& each : definition.command) octets += each.size() + 1;
  for (const std::string& each : definition.environment) octets += each.size() + 1;
  return octets;
}

bool has_null(const Definition& definition) {
  const auto has = [](const std::string& text) { return text.find('\0') != std::string::npos; };
  return std::ranges::any_of(definition.command, has) || std::ranges::any_of(definition.environment, has) ||
         has(definition.directory) || has(definition.reference_file) || has(definition.output_file);
}

bool is_absolute_or_empty(const std::string& path) { return path.empty() || path[0] == '/'; }

// The reason, or an empty text.
std::string_view fault_in_texts(const Definition& one, const Limits& limits) {
  if (octets_of(one) > limits.definition_bytes) return "the command and its environment are too long";
  if (has_null(one)) return "a text has an octet 0";
  if (!one.command.empty() && !one.command[0].starts_with('/'))
    return "the path of the program begins with '/'";
  if (!is_absolute_or_empty(one.directory) || !is_absolute_or_empty(one.reference_file) ||
      !is_absolute_or_empty(one.output_file))
    return "paths begin with '/'";
  const auto is_setting = [](const std::string& text) { return text.find('=') + 1 > 1; };
  if (!std::ranges::all_of(one.environment, is_setting)) return "the environment is a list of NAME=VALUE";
  return {};
}

std::string_view fault_in_mode(const Definition& one) {
  if (one.mode == Mode::automatic && one.command.empty()) return "mode automatic needs a command";
  if (one.mode != Mode::per_client) return {};
  if (one.command.empty()) return "mode per-client needs a command";
  if (!one.reference_file.empty())
    return "processes of mode per-client register themselves: they cannot share a file for their reference";
  return {};
}

std::string_view fault_in_numbers(const Definition& one) {
  const auto is_time = [](std::chrono::milliseconds time) { return time >= 1ms && time <= 24h; };
  if (one.start_limit < 1 || one.start_limit > 1'000'000) return "the start limit is from 1 to 1000000";
  if (one.most_processes < 1 || one.most_processes > 10'000) return "the processes are from 1 to 10000";
  if (!is_time(one.longest_start) || !is_time(one.longest_stop) || !is_time(one.first_pause) ||
      !is_time(one.longest_pause))
    return "times are from 1 ms to 24 h";
  return {};
}

}  // namespace

std::expected<void, std::string> validate(const Definition& definition, const Limits& limits) {
  if (!is_name(definition.name) || definition.name.starts_with("Takt"))
    return std::unexpected(
        "a server's name has 1 to 128 letters, digits, '.', '_' and '-', and does not begin with '.', '-' or "
        "'Takt'");
  for (const std::string_view fault :
       {fault_in_texts(definition, limits), fault_in_mode(definition), fault_in_numbers(definition)})
    if (!fault.empty()) return std::unexpected(definition.name + ": " + std::string(fault));
  return {};
}

}  // namespace takt::imr

#include "faults/fault_plan.h"

#include <optional>
#include <utility>

#include "config/toml_parser.h"

namespace takt::faults {

namespace {

using std::chrono::nanoseconds;
using toml_parser::TomlNode;

struct Wrong {
  toml_parser::Problem problem;
};

[[noreturn]] void fail_at(const toml_parser::TextPosition& at, const std::string& text) {
  throw Wrong{{at, text}};
}

// Whether the pattern stands for the text: `*` for any characters, `?` for one.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = pattern.npos, after_star = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after_star = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++after_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

// "20ms": digits and a unit.
std::optional<nanoseconds> time_in(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > 9) return std::nullopt;
  const std::string_view unit = text.substr(digits);
  const std::int64_t of_unit = unit == "s"    ? 1'000'000'000
                               : unit == "ms" ? 1'000'000
                               : unit == "us" ? 1000
                                              : 0;
  if (of_unit == 0) return std::nullopt;
  std::int64_t number = 0;
  for (const char digit : text.substr(0, digits)) number = number * 10 + (digit - '0');
  return nanoseconds(number * of_unit);
}

class PlanReader {
 public:
  FaultPlan read(const toml_parser::Table& root) {
    FaultPlan plan;
    for (const auto& [key, key_at, node] : root) {
      if (key == "seed")
        plan.seed = number_in(node, key, INT64_MAX);
      else if (key == "log")
        plan.log = text_in(node, key);
      else if (key == "fault")
        read_faults(node, plan);
      else
        fail_at(key_at, "unknown key '" + key + "'; a file of faults has seed, log and [[fault]]");
    }
    return plan;
  }

 private:
  static void read_faults(const TomlNode& node, FaultPlan& plan) {
    const TomlNode::List* const list = node.as_list();
    if (!list) fail_at(node.at, "'fault' must be a table in double brackets: [[fault]]");
    if (list->size() > FaultPlan::most_faults)
      fail_at(node.at, "there are more than " + std::to_string(FaultPlan::most_faults) + " faults");
    for (const TomlNode& each : *list) {
      if (!each.as_table()) fail_at(each.at, "'fault' must be a table in double brackets: [[fault]]");
      plan.faults.push_back(read_fault(each));
    }
  }

  static Fault read_fault(const TomlNode& node) {
    Fault fault;
    const toml_parser::Table& table = *node.as_table();
    const TomlNode* const kind = find(table, "kind");
    if (!kind) fail_at(node.at, "a fault needs a kind: delay, lose, twice or corrupt");
    fault.kind = kind_in(*kind);
    for (const auto& [key, key_at, value] : table)
      if (key != "kind" && !read_common(key, value, fault) && !read_special(key, value, fault))
        fail_at(key_at, unknown_key(fault.kind, key));
    check(node, fault);
    return fault;
  }

  static FaultKind kind_in(const TomlNode& node) {
    const std::string kind = text_in(node, "kind");
    if (kind == "delay") return FaultKind::delay;
    if (kind == "lose") return FaultKind::lose;
    if (kind == "twice") return FaultKind::twice;
    if (kind == "corrupt") return FaultKind::corrupt;
    fail_at(node.at, "there is no kind '" + kind + "'; write delay, lose, twice or corrupt");
  }

  // The keys that each kind has.
  static bool read_common(const std::string& key, const TomlNode& node, Fault& fault) {
    if (key == "operation")
      fault.operation = text_in(node, key);
    else if (key == "message")
      fault.message = message_in(node);
    else if (key == "rate")
      fault.rate = rate_in(node);
    else if (key == "skip")
      fault.skip = number_in(node, key, INT64_MAX);
    else if (key == "most")
      fault.most = number_in(node, key, INT64_MAX);
    else
      return false;
    return true;
  }
  static bool read_special(const std::string& key, const TomlNode& node, Fault& fault) {
    if (fault.kind == FaultKind::delay && key == "time")
      fault.time = delay_in(node, key);
    else if (fault.kind == FaultKind::delay && key == "up-to")
      fault.up_to = delay_in(node, key);
    else if (fault.kind == FaultKind::corrupt && key == "octets")
      fault.octets = static_cast<std::uint32_t>(number_in(node, key, Fault::most_octets));
    else
      return false;
    return true;
  }
  static std::string unknown_key(FaultKind kind, const std::string& key) {
    std::string keys = "kind, operation, message, rate, skip and most";
    if (kind == FaultKind::delay) keys += ", and a delay also time and up-to";
    if (kind == FaultKind::corrupt) keys += ", and corrupt also octets";
    return "unknown key '" + key + "'; a fault has " + keys;
  }

  static void check(const TomlNode& node, Fault& fault) {
    if (fault.kind == FaultKind::twice && fault.message == Message::reply)
      fail_at(node.at,
              "a reply cannot be sent twice, because a client takes one; leave message out for requests");
    if (fault.kind == FaultKind::corrupt && fault.octets == 0)
      fail_at(node.at, "'octets' must be at least 1; leave the fault out to corrupt nothing");
    if (fault.kind != FaultKind::delay) return;
    if (fault.time.count() == 0) fail_at(node.at, "a delay needs a time, as in time = \"20ms\"");
    if (fault.up_to.count() == 0) fault.up_to = fault.time;
    if (fault.up_to < fault.time) fail_at(node.at, "'up-to' must not be less than 'time'");
  }

  static std::string text_in(const TomlNode& node, const std::string& key) {
    if (const auto* const text = node.as_text()) return *text;
    fail_at(node.at, "'" + key + "' must be a text in quotes");
  }
  static std::uint64_t number_in(const TomlNode& node, const std::string& key, std::int64_t most) {
    const auto* const number = node.as_number();
    if (!number || *number < 0 || *number > most)
      fail_at(node.at, "'" + key + "' must be a whole number from 0 to " + std::to_string(most));
    return static_cast<std::uint64_t>(*number);
  }
  static Message message_in(const TomlNode& node) {
    const std::string message = text_in(node, "message");
    if (message == "request") return Message::request;
    if (message == "reply") return Message::reply;
    fail_at(node.at, "'message' must be \"request\" or \"reply\"");
  }
  static double rate_in(const TomlNode& node) {
    const auto* const real = node.as_real();
    const auto* const whole = node.as_number();
    const double rate = real ? *real : whole ? static_cast<double>(*whole) : -1;
    if (!(rate >= 0 && rate <= 1)) fail_at(node.at, "'rate' must be a number from 0 to 1, as in rate = 0.1");
    return rate;
  }
  static nanoseconds delay_in(const TomlNode& node, const std::string& key) {
    const auto time = time_in(text_in(node, key));
    if (!time || time->count() == 0 || *time > Fault::longest_delay)
      fail_at(node.at, "'" + key + "' must be a time from \"1us\" to \"60s\", as in " + key + " = \"20ms\"");
    return *time;
  }
};

}  // namespace

bool Fault::applies_to(Message sent, std::string_view name) const {
  return message == sent && matches(operation, name);
}

std::expected<FaultPlan, std::string> read_fault_plan(std::string_view text, const std::string& origin) {
  const auto root = toml_parser::parse(text);
  if (!root) return std::unexpected(root.error().text_in(origin));
  try {
    return PlanReader().read(*root);
  } catch (const Wrong& wrong) {
    return std::unexpected(wrong.problem.text_in(origin));
  }
}

// SplitMix64's finalizer over a counter for each seed and fault.
std::uint64_t drawn(std::uint64_t seed, std::uint64_t fault, std::uint64_t message) {
  constexpr auto mixed = [](std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  };
  constexpr std::uint64_t step = 0x9e3779b97f4a7c15;
  return mixed(mixed(seed + (fault + 1) * step) + (message + 1) * step);
}

}  // namespace takt::faults

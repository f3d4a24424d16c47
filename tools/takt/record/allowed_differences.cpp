#include "record/allowed_differences.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "common/number_in.h"

namespace takt::command {

std::expected<AllowedDifferences, std::string> AllowedDifferences::read(
    const std::vector<std::string>& rules) {
  AllowedDifferences all;
  std::vector<std::string> any;
  for (const std::string& rule : rules) {
    const auto colon = rule.find(':');
    const std::string operation = rule.substr(0, colon);
    std::optional<std::size_t> from, to;
    if (colon == std::string::npos) {
      any.push_back(operation);
    } else if (const auto dash = rule.find('-', colon); dash != std::string::npos) {
      from = number_in<std::size_t>(std::string_view(rule).substr(colon + 1, dash - colon - 1));
      to = number_in<std::size_t>(std::string_view(rule).substr(dash + 1));
    }
    const bool is_range = from && to && *from <= *to;
    if (operation.empty() || (colon != std::string::npos && !is_range))
      return std::unexpected("'" + rule + "' is not OPERATION or OPERATION:FROM-TO, as in get_time:0-7");
    if (is_range) all.by_operation_[operation].push_back({*from, *to});
  }
  for (const std::string& operation : any) all.by_operation_[operation].clear();
  return all;
}

bool AllowedDifferences::allow_any(const std::string& operation) const {
  const auto found = by_operation_.find(operation);
  return found != by_operation_.end() && found->second.empty();
}

bool AllowedDifferences::are_alike(const std::string& operation, const RecordedReply& one,
                                   const RecordedReply& other) const {
  if (one == other) return true;
  const auto found = by_operation_.find(operation);
  if (found == by_operation_.end() || one.body.size() != other.body.size()) return false;
  RecordedReply changed = other;
  for (const Octets& octets : found->second)
    for (std::size_t at = octets.from; at < changed.body.size() && at <= octets.to; ++at)
      changed.body[at] = one.body[at];
  return one == changed;
}

}  // namespace takt::command

#include "record/sent_contexts.h"

#include <string_view>

#include "common/number_in.h"

namespace takt::command {
namespace {

std::optional<std::uint32_t> id_in(std::string_view text) {
  return text.starts_with("0x") ? number_in<std::uint32_t>(text.substr(2), 16)
                                : number_in<std::uint32_t>(text);
}

}  // namespace

std::expected<SentContexts, std::string> SentContexts::read(const std::vector<std::string>& rules) {
  SentContexts all;
  for (const std::string& rule : rules) {
    const auto equals = rule.find('=');
    const auto id = id_in(std::string_view(rule).substr(0, equals));
    const auto other = equals == std::string::npos ? id : id_in(std::string_view(rule).substr(equals + 1));
    if (!id || !other) return std::unexpected("'" + rule + "' is not ID or ID=OTHER, as in 0x41424344=15");
    all.ids_[*id] = *other;
  }
  return all;
}

std::optional<std::uint32_t> SentContexts::sent_as(std::uint32_t id) const {
  const auto found = ids_.find(id);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

}  // namespace takt::command

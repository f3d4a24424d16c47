#include "notification_parts/model/event_types.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace takt::notification {

bool fits(std::string_view pattern, std::string_view text) {
  const auto first = pattern.find('*');
  if (first == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, first))) return false;
  text.remove_prefix(first);
  pattern.remove_prefix(first + 1);
  // Each part between two stars is searched for after the one before it.
  for (auto star = pattern.find('*'); star != std::string_view::npos; star = pattern.find('*')) {
    const void* at = ::memmem(text.data(), text.size(), pattern.data(), star);  // in linear time
    if (at == nullptr) return false;
    text.remove_prefix(static_cast<std::size_t>(static_cast<const char*>(at) - text.data()) + star);
    pattern.remove_prefix(star + 1);
  }
  return text.ends_with(pattern);
}

bool takes_all(const TypeName& pattern) {
  return (pattern.domain.empty() || pattern.domain == "*") &&
         (pattern.type.empty() || pattern.type == "*" || pattern.type == "%ALL");
}

bool fits(const TypeName& pattern, std::string_view domain, std::string_view type) {
  if (takes_all(pattern)) return true;
  if (domain.size() > longest_name || type.size() > longest_name) return false;
  return fits(pattern.domain, domain) && (pattern.type == "%ALL" || fits(pattern.type, type));
}

TypeName name_of(const CosNotification::EventType& type) { return {type.domain_name(), type.type_name()}; }

std::set<TypeName> names_of(const CosNotification::EventTypeSeq& types) {
  std::set<TypeName> names;
  for (const auto& type : types) names.insert(name_of(type));
  return names;
}

Subscription::Change Subscription::change(const std::set<TypeName>& added,
                                          const std::set<TypeName>& removed) {
  std::set<TypeName> now = types_;
  for (const TypeName& name : removed) {
    // All ways to write "all" are the same.
    std::erase_if(now,
                  [&](const TypeName& each) { return each == name || (takes_all(each) && takes_all(name)); });
  }
  if (takes_all_ && !added.empty()) std::erase_if(now, [](const TypeName& each) { return takes_all(each); });
  now.insert(added.begin(), added.end());
  Change change;
  std::ranges::set_difference(now, types_, std::inserter(change.added, change.added.end()));
  std::ranges::set_difference(types_, now, std::inserter(change.removed, change.removed.end()));
  types_ = std::move(now);
  takes_all_ = std::ranges::any_of(types_, [](const TypeName& each) { return takes_all(each); });
  return change;
}

bool Subscription::takes(std::string_view domain, std::string_view type) const {
  return takes_all_ ||
         std::ranges::any_of(types_, [&](const TypeName& each) { return fits(each, domain, type); });
}

Subscription::Change TypeCounts::change(const std::set<TypeName>& added, const std::set<TypeName>& removed) {
  Subscription::Change change;
  for (const TypeName& name : added)
    if (++counts_[name] == 1) change.added.insert(name);
  for (const TypeName& name : removed) {
    const auto found = counts_.find(name);
    if (found == counts_.end() || --found->second > 0) continue;
    counts_.erase(found);
    if (change.added.erase(name) == 0) change.removed.insert(name);
  }
  return change;
}

std::vector<TypeName> TypeCounts::types() const {
  std::vector<TypeName> types;
  for (const auto& [name, count] : counts_) types.push_back(name);
  return types;
}

}  // namespace takt::notification

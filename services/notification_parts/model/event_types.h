// Types of events, and patterns of them.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "CosNotificationC.h"

namespace takt::notification {

struct TypeName {
  std::string domain, type;
  auto operator<=>(const TypeName&) const = default;
};

// The type of events that came as an any.
inline constexpr std::string_view any_type = "%ANY";
// Whether the text fits the pattern, in which each * stands for any octets. Linear in the text.
bool fits(std::string_view pattern, std::string_view text);
// Whether the pattern takes every event: empty, "*" or "%ALL" in both places.
bool takes_all(const TypeName& pattern);
// Names that are longer than longest_name fit only a pattern that takes every event.
bool fits(const TypeName& pattern, std::string_view domain, std::string_view type);
inline constexpr std::size_t longest_name = 4'096;

// The memory of the names, about.
template <class Names>
std::uint64_t bytes_of(const Names& names) {
  std::uint64_t bytes = 0;
  for (const auto& name : names) bytes += 96 + sizeof name + name.domain.size() + name.type.size();
  return bytes;
}

TypeName name_of(const CosNotification::EventType& type);
std::set<TypeName> names_of(const CosNotification::EventTypeSeq& types);

// Appends the names to a list of the IDL.
template <class Names>
CosNotification::EventTypeSeq types_of(const Names& names) {
  CosNotification::EventTypeSeq types;
  for (const auto& name : names) types.push_back(CosNotification::EventType(name.domain, name.type));
  return types;
}

// The types that a client wants or offers. One thread at a time.
class Subscription {
 public:
  static Subscription to_all() { return Subscription({{"*", "%ALL"}}, true); }
  static Subscription to_none() { return Subscription({}, false); }
  static Subscription to(std::set<TypeName> types) {
    Subscription made({}, false);
    made.change(types, {});
    return made;
  }

  // The types that are new, and those that are gone.
  struct Change {
    std::set<TypeName> added, removed;
    bool empty() const { return added.empty() && removed.empty(); }
  };

  // Types that are named replace "all".
  Change change(const std::set<TypeName>& added, const std::set<TypeName>& removed);
  bool takes(std::string_view domain, std::string_view type) const;
  const std::set<TypeName>& types() const { return types_; }

 private:
  Subscription(std::set<TypeName> types, bool takes_all) : types_(std::move(types)), takes_all_(takes_all) {}

  std::set<TypeName> types_;
  bool takes_all_;
};

// The union of the types that several clients have named. One thread at a time.
class TypeCounts {
 public:
  // Returns what has changed in the union.
  Subscription::Change change(const std::set<TypeName>& added, const std::set<TypeName>& removed);
  std::vector<TypeName> types() const;

 private:
  std::map<TypeName, std::size_t> counts_;
};

}  // namespace takt::notification

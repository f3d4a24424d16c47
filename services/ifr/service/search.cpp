#include "ifr/service/search.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace takt::ifr {
namespace {

bool is_selected(Kind kind, Kind limit) { return limit == Kind::dk_all || limit == kind; }

std::vector<Number> direct_bases(const Definition& definition, bool with_supported) {
  const Details& details = definition.details;
  std::vector<Number> bases;
  if (details.base()) bases.push_back(details.base());
  bases.insert(bases.end(), details.bases().begin(), details.bases().end());
  if (with_supported) bases.insert(bases.end(), details.supported().begin(), details.supported().end());
  return bases;
}

std::vector<Entry> contents_of(Core& core, Number container) {
  auto all = core.store().contents(container, core.limits().listed + 1);
  if (all.size() > core.limits().listed)
    throw_limit("the scope has more than " + std::to_string(core.limits().listed) +
                " definitions; look them up by name");
  return all;
}

// How many scopes the definition is below the container: 1 if it is in it; 0 if it is elsewhere.
std::int32_t levels_below(Core& core, const Entry& entry, Number container) {
  Number scope = entry.container;
  for (std::int32_t level = 1; static_cast<std::size_t>(level) <= core.limits().nesting + 1; ++level) {
    if (scope == container) return level;
    if (scope == repository_number) return 0;
    scope = core.entry(scope).container;
  }
  return 0;
}

}  // namespace

std::vector<Definition> all_bases(Core& core, const Definition& definition, bool with_supported) {
  std::vector<Definition> all;
  std::set<Number> seen{definition.number};
  const auto add = [&](const Definition& derived) {
    for (const Number base : direct_bases(derived, with_supported))
      if (seen.insert(base).second) all.push_back(core.definition(base));
  };
  add(definition);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all.size() > core.limits().bases)
      throw_limit(definition.id + " has more than " + std::to_string(core.limits().bases) + " bases");
    const Definition base = all[i];
    add(base);
  }
  core.count_inherited(all.size());
  return all;
}

bool has_base(const Definition& definition, Number base) {
  const auto bases = direct_bases(definition, true);
  return std::ranges::find(bases, base) != bases.end();
}

std::vector<Entry> features_of(Core& core, const Definition& base) {
  std::vector<Entry> features = contents_of(core, base.number);
  core.count_inherited(features.size());
  std::erase_if(features, [](const Entry& entry) { return !is_feature(entry.kind); });
  return features;
}

std::vector<Entry> inherited_features(Core& core, const Definition& definition) {
  std::vector<Entry> all;
  for (const Definition& base : all_bases(core, definition))
    std::ranges::move(features_of(core, base), std::back_inserter(all));
  if (all.size() > core.limits().listed) throw_limit(definition.id + " inherits too many definitions");
  return all;
}

std::optional<Entry> lookup(Core& core, const Self& container, const std::string& scoped_name) {
  std::string_view rest = scoped_name;
  Number scope = container.definition.number;
  if (rest.starts_with("::")) {
    rest.remove_prefix(2);
    scope = repository_number;
  }
  std::optional<Entry> found;
  for (std::size_t depth = 0; depth <= core.limits().nesting; ++depth) {
    const std::size_t end = rest.find("::");
    const std::string name(rest.substr(0, end));
    found = core.store().find_name(scope, name);
    if (!found || found->name != name || end == std::string_view::npos) break;
    scope = found->number;
    rest.remove_prefix(end + 2);
    if (depth == core.limits().nesting) return {};
  }
  // The store ignores case.
  const std::size_t last = scoped_name.rfind(':');
  const std::string name = last == std::string::npos ? scoped_name : scoped_name.substr(last + 1);
  return found && found->name == name && rest == name ? found : std::nullopt;
}

std::vector<Entry> contents(Core& core, const Self& container, Kind limit_type, bool exclude_inherited) {
  std::vector<Entry> all = contents_of(core, container.definition.number);
  if (!exclude_inherited && has_bases(container.kind))
    std::ranges::move(inherited_features(core, container.definition), std::back_inserter(all));
  std::erase_if(all, [&](const Entry& entry) { return !is_selected(entry.kind, limit_type); });
  return all;
}

namespace {

// Definitions that have the name, in any case of its letters. With one level, those in other scopes do not
// count.
std::vector<Entry> candidates(Core& core, Number container, const std::string& name, std::int32_t levels) {
  if (levels == 1) {
    auto entry = core.store().find_name(container, name);
    return entry ? std::vector{std::move(*entry)} : std::vector<Entry>();
  }
  auto named = core.store().named(name, core.limits().listed + 1);
  if (named.size() > core.limits().listed)
    throw_limit("more than " + std::to_string(core.limits().listed) + " definitions have this name");
  return named;
}

}  // namespace

std::vector<Entry> lookup_name(Core& core, const Self& container, const std::string& name,
                               std::int32_t levels, Kind limit_type, bool exclude_inherited) {
  std::vector<Entry> found;
  if (levels == 0) return found;
  if (!exclude_inherited && has_bases(container.kind))
    for (Entry& entry : inherited_features(core, container.definition))
      if (entry.name == name && is_selected(entry.kind, limit_type)) found.push_back(std::move(entry));
  for (Entry& entry : candidates(core, container.definition.number, name, levels)) {
    if (entry.name != name || !is_selected(entry.kind, limit_type)) continue;
    const std::int32_t level = levels_below(core, entry, container.definition.number);
    if (level != 0 && (levels < 0 || level <= levels)) found.push_back(std::move(entry));
  }
  return found;
}

std::string absolute_name(Core& core, const Entry& entry) {
  std::string name = "::" + entry.name;
  Number scope = entry.container;
  for (std::size_t depth = 0; scope != repository_number && depth <= core.limits().nesting; ++depth) {
    const Entry outer = core.entry(scope);
    name.insert(0, "::" + outer.name);
    scope = outer.container;
  }
  return name;
}

bool is_a(Core& core, const Definition& definition, const std::string& id) {
  if (id == definition.id) return true;
  const bool is_value = definition.kind == Kind::dk_Value;
  if (id == (is_value ? "IDL:omg.org/CORBA/ValueBase:1.0" : "IDL:omg.org/CORBA/Object:1.0"))
    return is_value || definition.kind == Kind::dk_Interface;
  return std::ranges::any_of(all_bases(core, definition),
                             [&](const Definition& base) { return base.id == id; });
}

}  // namespace takt::ifr

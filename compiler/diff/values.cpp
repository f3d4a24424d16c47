// Compares valuetypes.
#include <algorithm>
#include <set>

#include "diff/context.h"

namespace takt::idl::diff {

namespace {

using K = DeclarationKind;

std::string concrete_base(const Declaration& value, const NameOf& name_of) {
  if (value.bases.empty() || value.bases.front()->is_abstract) return "none";
  return name_of(*value.bases.front());
}

std::set<std::string> abstract_bases(const Declaration& value, const NameOf& name_of) {
  std::set<std::string> names;
  for (const Declaration* base : value.bases)
    if (base->is_abstract) names.insert(name_of(*base));
  return names;
}

std::set<std::string> supported(const Declaration& value, const NameOf& name_of) {
  std::set<std::string> names;
  for (const Declaration* one : value.supports) names.insert(name_of(*one));
  return names;
}

// Names and signatures of the value's operations, or of its factories.
std::set<std::string> calls_of(const Declaration& value, bool factories, const NameOf& name_of) {
  std::set<std::string> calls;
  for (const Declaration* one : value.contents)
    if (factories ? one->kind == K::initializer : one->kind == K::operation || one->kind == K::attribute)
      calls.insert((one->is_readonly ? "readonly " : "") + one->name + " " + signature_of(*one, name_of));
  return calls;
}

std::string difference(const std::set<std::string>& old, const std::set<std::string>& now) {
  std::string text;
  for (const std::string& one : old)
    if (!now.contains(one)) text += (text.empty() ? "" : "; ") + one + " is gone";
  for (const std::string& one : now)
    if (!old.contains(one)) text += (text.empty() ? "" : "; ") + one + " is new";
  return text;
}

void compare_flags(Context& context, const Pairs::Pair& pair) {
  const Declaration& old = *pair.old;
  const Declaration& now = *pair.now;
  const auto flag = [&](bool was, bool is, RuleName became, RuleName no_longer) {
    if (was != is) context.report(is ? became : no_longer, site_of(pair), is ? "it was not" : "it was");
  };
  flag(old.is_custom, now.is_custom, "value-became-custom", "value-no-longer-custom");
  flag(old.is_truncatable, now.is_truncatable, "value-became-truncatable", "value-no-longer-truncatable");
  flag(old.is_abstract, now.is_abstract, "value-became-abstract", "value-no-longer-abstract");
}

}  // namespace

void compare_values(Context& context, const Pairs::Pair& pair) {
  const NameOf names = context.pairs().names();
  const auto compared = [&](auto&& of, RuleName rule) {
    const auto before = of(*pair.old, NameOf(scoped_name_of)), after = of(*pair.now, names);
    if (before != after) context.report(rule, site_of(pair), difference(before, after));
  };
  compare_flags(context, pair);
  const std::string base = concrete_base(*pair.old, scoped_name_of),
                    new_base = concrete_base(*pair.now, names);
  if (base != new_base) context.report("value-base-changed", site_of(pair), base + " is now " + new_base);
  compared(abstract_bases, "value-abstract-base-changed");
  compared(supported, "value-supports-changed");
  compare_members(
      context, pair,
      {"value-member-added", "value-member-removed", "value-member-renamed", "value-member-order-changed"});
  compared([](const Declaration& value, const NameOf& name_of) { return calls_of(value, false, name_of); },
           "value-operation-changed");
  compared([](const Declaration& value, const NameOf& name_of) { return calls_of(value, true, name_of); },
           "value-factory-changed");
}

}  // namespace takt::idl::diff

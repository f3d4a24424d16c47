#include "diff/pairs.h"

#include <algorithm>
#include <map>
#include <set>

namespace takt::idl::diff {

namespace {

using K = DeclarationKind;

// The kinds and names of a module's contents, regardless of order.
std::string inventory(const std::vector<const Declaration*>& contents) {
  std::multiset<std::string> all;
  for (const Declaration* one : contents)
    if (one->kind != K::forward_) all.insert(std::to_string(static_cast<int>(one->kind)) + one->name);
  std::string text;
  for (const std::string& one : all) text += one + ";";
  return text;
}

// Takes a candidate with the key out of the list; null if there is none.
using Candidates = std::multimap<std::string, const Declaration*>;
const Declaration* take(Candidates& candidates, const std::string& key) {
  const auto found = candidates.lower_bound(key);
  if (found == candidates.end() || found->first != key) return nullptr;
  const Declaration* const one = found->second;
  candidates.erase(found);
  return one;
}

bool can_be_renamed(K kind) {
  return kind != K::module_ && kind != K::forward_ && kind != K::constant && kind != K::native;
}

}  // namespace

Pairs::Pairs(const Specification& old, const Specification& now) : old_(old), now_(now) {
  find_renamed_modules();
  find_renamed_types();
  pair();
}

std::string Pairs::old_name(std::string name) const {
  for (const auto& [now, old] : renames_)
    if (name.starts_with(now) && (name.size() == now.size() || name.compare(now.size(), 2, "::") == 0))
      name.replace(0, now.size(), old);
  return name;
}

const Declaration* Pairs::now(const std::string& old_name) const {
  std::string name = old_name;
  for (auto rename = renames_.rbegin(); rename != renames_.rend(); ++rename)
    if (const std::string& old = rename->second;
        name.starts_with(old) && (name.size() == old.size() || name.compare(old.size(), 2, "::") == 0))
      name.replace(0, old.size(), rename->first);
  return now_.find(name);
}

// The name of the enclosing scope, as the old version calls it.
std::string Pairs::outer_name(const Declaration& declaration, bool is_now) const {
  if (!declaration.scope || !declaration.scope->scope) return "";
  const std::string outer = declaration.scope->scoped_name();
  return is_now ? old_name(outer) : outer;
}

// Outer modules come first, so the new name of an outer module is known before its inner modules are looked
// at.
void Pairs::find_renamed_modules() {
  Candidates added;  // by inventory
  for (const Declaration* one : now_.declarations())
    if (one->kind == K::module_ && !old_.find(one->scoped_name()))
      added.emplace(inventory(now_.contents(*one)), one);
  for (const Declaration* old : old_.declarations()) {
    if (old->kind != K::module_ || now(old->scoped_name())) continue;
    const std::string wanted = inventory(old_.contents(*old));
    const auto [begin, end] = added.equal_range(wanted);
    const auto match = std::find_if(begin, end, [&](const auto& one) {
      return outer_name(*one.second, true) == outer_name(*old, false);
    });
    if (wanted.empty() || match == end) continue;
    renames_.emplace_back(outer_name(*match->second, true) + "::" + match->second->name, old->scoped_name());
    added.erase(match);
  }
}

void Pairs::find_renamed_types() {
  const auto key = [](const Declaration& one, const std::string& outer, const std::string& contents) {
    return std::to_string(static_cast<int>(one.kind)) + outer + "{" + contents;
  };
  Candidates added;
  for (const Declaration* one : now_.declarations())
    if (can_be_renamed(one->kind) && !old_.find(old_name(*one)))
      added.emplace(key(*one, outer_name(*one, true), contents_of(*one, names())), one);
  std::vector<std::pair<std::string, std::string>> found;
  for (const Declaration* old : old_.declarations()) {
    if (!can_be_renamed(old->kind) || now(old->scoped_name())) continue;
    const std::string contents = contents_of(*old, scoped_name_of);
    if (contents.empty()) continue;
    if (const Declaration* match = take(added, key(*old, outer_name(*old, false), contents)))
      found.emplace_back(outer_name(*match, true) + "::" + match->name, old->scoped_name());
  }
  renames_.insert(renames_.end(), found.begin(), found.end());
}

void Pairs::pair() {
  for (const Declaration* old : old_.declarations()) {
    const Declaration* const other = now(old->scoped_name());
    if (other)
      both_.push_back({old, other, other->name != old->name});
    else
      removed_.push_back(old);
  }
}

}  // namespace takt::idl::diff

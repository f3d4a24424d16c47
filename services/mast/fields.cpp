#include "mast/fields.h"

#include <algorithm>
#include <set>

namespace takt::scheduling::mast {

std::vector<std::string> Unused::texts() const {
  std::vector<std::string> all;
  for (const auto& [name, use] : all_)
    all.push_back(name +
                  (use.count == 1 ? " (line " : " (" + std::to_string(use.count) + ", the first in line ") +
                  std::to_string(use.line) + ")");
  return all;
}

Fields::Fields(const Value& group, std::string owner) : group_(group), owner_(std::move(owner)) {
  if (group.form != Value::Form::attributes)
    throw Wrong{group.at, owner_ + " needs attributes in parentheses: (Type => ..., ...)"};
  std::set<std::string> names;
  for (const Attribute& each : group.attributes)
    if (!names.insert(lower(each.name)).second) throw Wrong{each.at, owner_ + " has " + each.name + " twice"};
  taken_.assign(group.attributes.size(), false);
}

const Value* Fields::find(std::string_view name) {
  for (std::size_t i = 0; i < taken_.size(); ++i)
    if (same(group_.attributes[i].name, name)) {
      taken_[i] = true;
      return &group_.attributes[i].value;
    }
  return nullptr;
}

const Value& Fields::need(std::string_view name) {
  if (const Value* found = find(name)) return *found;
  throw Wrong{group_.at, owner_ + " has no " + std::string(name)};
}

const std::string& Fields::word(std::string_view name) {
  return word_of(need(name), "a name for " + std::string(name) + " of " + owner_);
}

std::size_t Fields::one_of(std::string_view name, std::initializer_list<std::string_view> allowed) {
  const Value& value = need(name);
  const auto found =
      std::ranges::find_if(allowed, [&](std::string_view each) { return same(each, value.text); });
  if (value.form == Value::Form::word && found != allowed.end())
    return static_cast<std::size_t>(found - allowed.begin());
  std::string text;
  for (const std::string_view& each : allowed) {
    if (!text.empty()) text += &each == allowed.end() - 1 ? " or " : ", ";
    text += each;
  }
  throw Wrong{value.at, std::string(name) + " of " + owner_ + " is " + describe(value) +
                            ", which cannot be imported; expected " + text};
}

void Fields::skip(Unused& unused, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    for (std::size_t i = 0; i < taken_.size(); ++i)
      if (same(group_.attributes[i].name, name)) {
        taken_[i] = true;
        unused.add(group_.attributes[i]);
      }
}

void Fields::finish() const {
  for (std::size_t i = 0; i < taken_.size(); ++i)
    if (!taken_[i])
      throw Wrong{group_.attributes[i].at,
                  owner_ + " has " + group_.attributes[i].name + ", which cannot be imported"};
}

const std::string& word_of(const Value& value, const std::string& meaning) {
  if (value.form != Value::Form::word)
    throw Wrong{value.at, "expected " + meaning + ", not " + describe(value)};
  return value.text;
}

}  // namespace takt::scheduling::mast

#include "config/option_names.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/ascii.h"
#include "config/foreign_options.h"

namespace takt::orb {

namespace {

// The Levenshtein distance, ignoring case.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (to_lower(a[i]) != to_lower(b[j]));
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

const Option* find_option(std::string_view name) {
  const auto found = std::ranges::find(options(), name, &Option::name);
  return found == options().end() ? nullptr : &*found;
}

// A name from an untrusted file may be very long, so only its first 100 characters are compared.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> names) {
  const std::string_view start = name.substr(0, 100);
  return std::ranges::min(names, {}, [&](std::string_view one) { return distance(one, start); });
}

std::optional<std::string_view> near_name(std::string_view name, std::span<const std::string_view> names) {
  const std::string_view nearest = nearest_name(name, names);
  if (name.size() > 100 || distance(nearest, name) > name.size() / 4) return std::nullopt;
  return nearest;
}

std::string advice_on_option(std::string_view unknown, std::string_view prefix) {
  const auto ours = [&](std::string_view name) { return std::string(prefix).append(name); };
  if (const ForeignOption* foreign = find_foreign_option(unknown))
    return "that is " + std::string(foreign->orb) + "'s, and here it is " + ours(foreign->ours) +
           ", which takes " + std::string(foreign->as);
  std::vector<std::string_view> names;
  names.reserve(options().size());
  for (const Option& option : options()) names.push_back(option.name);
  if (const auto near = near_name(unknown, names)) return "did you mean " + ours(*near) + "?";
  return "`takt options` lists all options";
}

std::string text_without_name(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-ORBid")
      ++i;
    else
      (text += ' ') += words[i];
  }
  return text;
}

std::string environment_name(std::string_view option) {
  std::string name(variable_prefix);
  for (std::size_t i = 0; i < option.size(); ++i) {
    const bool new_word = i > 0 && is_upper(option[i]) &&
                          (!is_upper(option[i - 1]) || (i + 1 < option.size() && !is_upper(option[i + 1])));
    if (new_word) name += '_';
    name += to_upper(option[i]);
  }
  return name;
}

const Option* find_variable(std::string_view variable) {
  const auto is_its = [&](const Option& option) { return environment_name(option.name) == variable; };
  const auto found = std::ranges::find_if(options(), is_its);
  return found == options().end() ? nullptr : &*found;
}

// Compares the names without their prefix, which would count as similarity.
std::optional<std::string> near_variable(std::string_view unknown) {
  std::vector<std::string> variables;
  for (const Option& option : options()) variables.push_back(environment_name(option.name));
  std::vector<std::string_view> names;
  for (const std::string& variable : variables)
    names.push_back(std::string_view(variable).substr(variable_prefix.size()));
  const auto near = near_name(unknown.substr(variable_prefix.size()), names);
  if (!near) return std::nullopt;
  return std::string(variable_prefix).append(*near);
}

}  // namespace takt::orb

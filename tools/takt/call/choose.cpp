#include "call/choose.h"

#include <algorithm>
#include <utility>

#include "common/command.h"
#include "nearest.h"
#include "types/describe.h"

namespace takt::command {
namespace {

// The names that an operation may have, most likely first. For `x=JSON`, `value` is the JSON.
std::vector<std::string> possible_names(const std::string& said, std::string& value) {
  const auto equals = said.find('=');
  if (equals == said.npos) return {said, "_get_" + said};
  value = said.substr(equals + 1);
  return {"_set_" + said.substr(0, equals)};
}

const Operation* find_in(const Interface& interface, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (const Operation* const found = interface.find(name)) return found;
  return nullptr;
}

// `said` ends with = if an attribute was to be written.
[[noreturn]] void fail_without(const std::vector<const Interface*>& searched, const std::string& said) {
  const bool writes = said.ends_with('=');
  std::vector<std::string> names;
  for (const Interface* interface : searched)
    for (const Operation& operation : interface->operations)
      if (std::string name = spoken_name(operation.name); !writes || name.ends_with('='))
        names.push_back(std::move(name));
  const bool is_one = searched.size() == 1;
  const std::string text = (is_one ? "interface " + searched.front()->name : "no interface of the IDL") +
                           (is_one ? " has no " : " has an ") +
                           (writes ? "attribute '" + said.substr(0, said.size() - 1) + "' that can be written"
                                   : "operation or attribute '" + said + "'");
  fail(names.empty() ? text : text + "; the nearest is '" + command_line::nearest(said, names) + "'");
}

using Found = std::pair<const Interface*, const Operation*>;

const Operation& only_one_of(const std::vector<Found>& found, const std::string& said,
                             const std::function<bool(const std::string& id)>& is_a) {
  const std::string first = signature_of(*found.front().second);
  if (std::ranges::all_of(found, [&](const Found& each) { return signature_of(*each.second) == first; }))
    return *found.front().second;
  for (const auto& [interface, operation] : found)
    if (is_a(interface->id)) return *operation;
  std::string text = "several interfaces have '" + said +
                     "', and the object is of none of them; choose one with --interface:";
  for (const auto& [interface, operation] : found)
    text += "\n  " + interface->name + ": " + signature_of(*operation);
  fail(text);
}

}  // namespace

const Operation& choose(const Catalogue& catalogue, Wanted& wanted, const std::string& type_id,
                        const std::function<bool(const std::string& id)>& is_a) {
  std::string value;
  const auto names = possible_names(wanted.operation, value);
  std::vector<const Interface*> searched;
  if (!wanted.interface.empty()) {
    searched.push_back(catalogue.find(wanted.interface));
    if (!searched.front()) {
      std::vector<std::string> known;
      for (const Interface& each : catalogue.interfaces) known.push_back(each.name);
      fail(
          "there is no interface '" + wanted.interface + "'" +
          (known.empty() ? "" : "; the nearest is '" + command_line::nearest(wanted.interface, known) + "'"));
    }
  } else if (const Interface* const typed = type_id.empty() ? nullptr : catalogue.find(type_id)) {
    searched.push_back(typed);
  } else {
    for (const Interface& each : catalogue.interfaces) searched.push_back(&each);
  }
  std::vector<Found> found;
  for (const Interface* interface : searched)
    if (const Operation* const operation = find_in(*interface, names))
      found.emplace_back(interface, operation);
  const auto equals = wanted.operation.find('=');
  if (found.empty())
    fail_without(searched,
                 equals == std::string::npos ? wanted.operation : wanted.operation.substr(0, equals + 1));
  if (equals != std::string::npos) wanted.arguments.push_back(value);
  return only_one_of(found, wanted.operation, is_a);
}

}  // namespace takt::command

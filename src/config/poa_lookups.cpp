#include "config/poa_lookups.h"

#include <algorithm>
#include <map>
#include <utility>

#include <takt/cdr/exception.h>

#include "config/option_names.h"
#include "config/option_values.h"
#include "lookup/id_list.h"

namespace takt::orb {

namespace {

constexpr std::string_view root = "RootPOA";
constexpr std::pair<std::string_view, Lookup> all_lookups[] = {{"linear", Lookup::linear},
                                                               {"dynamic", Lookup::dynamic},
                                                               {"perfect", Lookup::perfect},
                                                               {"active", Lookup::active},
                                                               {"delayered", Lookup::delayered}};
constexpr std::string_view keys[] = {"adapters", "servants", "operations", "adapter_paths", "servant_ids"};

using Result = std::expected<void, std::string>;

std::optional<Lookup> lookup_of(std::string_view name) {
  for (const auto& [known, lookup] : all_lookups)
    if (known == name) return lookup;
  return std::nullopt;
}

Result set_strategy(std::optional<Lookup>& to, std::string_view value, bool of_operations) {
  to = lookup_of(value);
  const bool by_slot = to == Lookup::active || to == Lookup::delayered;
  if (to && !(of_operations && by_slot)) return {};
  return std::unexpected(in_quotes(value) + " is none of linear, dynamic" +
                         (of_operations ? " and perfect" : ", perfect, active and delayered"));
}

Result set_key(PoaLookup& one, std::string_view key, std::string_view value) {
  if (key == "adapters") return set_strategy(one.lookup.adapter, value, false);
  if (key == "servants") return set_strategy(one.lookup.servant, value, false);
  if (key == "operations") return set_strategy(one.lookup.operation, value, true);
  if (key == "adapter_paths") return one.adapter_paths = value, Result();
  if (key == "servant_ids") return one.servant_ids = value, Result();
  return std::unexpected("there is no " + in_quotes(key) + ", did you mean " +
                         std::string(nearest_name(key, keys)) + "?");
}

Result set_poa(PoaLookup& one, std::string_view poa) {
  one.poa = poa;
  const std::string_view below = poa.substr(std::min(poa.size(), root.size()));
  const auto path = adapter::adapter_path_of_line(below.substr(below.starts_with('/')));
  if (!poa.starts_with(root) || !(below.empty() || (below.size() > 1 && below.front() == '/')) || !path)
    return std::unexpected(in_quotes(poa) + " is not a POA: write RootPOA or RootPOA/NAME/NAME");
  one.path = *path;
  return {};
}

// Perfect hashing needs a list of ids, and no other strategy may have one.
Result check_table(const PoaLookup& one, std::optional<Lookup> strategy, const std::string& file,
                   const std::string& key) {
  if ((strategy == Lookup::perfect) == !file.empty()) return {};
  return std::unexpected(one.poa + ": perfect needs " + key +
                         ", a file with one to a line, and nothing else does");
}

[[noreturn]] void refuse(const std::string& why) {
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "option -ORBPOALookup: " + why);
}

IdTable make_table(const std::string& file, bool of_adapters, std::map<std::string, IdTable>& made) {
  const auto [place, is_new] = made.try_emplace((of_adapters ? "a" : "s") + file);
  if (!is_new) return place->second;
  const auto ids = adapter::read_id_list(file, of_adapters);
  if (!ids) refuse(ids.error());
  const std::vector<std::string_view> views(ids->begin(), ids->end());
  return place->second = make_id_table(views);
}

}  // namespace

[[gnu::cold]] std::expected<PoaLookup, std::string> poa_lookup_from_text(std::string_view text) {
  PoaLookup one;
  const auto colon = text.find(':');
  if (const auto set = set_poa(one, text.substr(0, colon)); !set) return std::unexpected(set.error());
  std::string_view rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (rest.empty()) return std::unexpected(one.poa + " lacks its settings, as in :servants=linear");
  while (!rest.empty()) {
    const auto end = rest.find(',');
    const std::string_view item = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    const auto equals = std::min(item.find('='), item.size());
    const auto set = set_key(one, item.substr(0, equals), item.substr(std::min(equals + 1, item.size())));
    if (!set) return std::unexpected(one.poa + ": " + set.error());
  }
  return one;
}

std::expected<void, std::string> check(const PoaLookup& one) {
  if (one.path.empty() && (one.lookup.servant == Lookup::perfect || one.lookup.adapter == Lookup::perfect))
    return std::unexpected("the root POA and its objects have no ids that are known beforehand");
  if (auto servants = check_table(one, one.lookup.servant, one.servant_ids, "servant_ids"); !servants)
    return servants;
  return check_table(one, one.lookup.adapter, one.adapter_paths, "adapter_paths");
}

std::string poa_lookup_text(std::string_view poa, std::string_view key, std::string_view value) {
  std::string text;
  for (const char c : poa) c == ':' ? text += "\\x3A" : text += c;
  return text.append(":").append(key).append("=").append(value);
}

adapter::ConfiguredLookups poa_lookups(const std::vector<std::string>& texts) {
  std::map<std::string, IdTable> made;
  adapter::ConfiguredLookups all;
  for (const std::string& text : texts) {
    auto one = poa_lookup_from_text(text);
    if (!one) refuse(one.error());
    if (const auto fits = check(*one); !fits) refuse(fits.error());
    if (!one->servant_ids.empty()) one->lookup.servants = make_table(one->servant_ids, false, made);
    if (!one->adapter_paths.empty()) one->lookup.adapters = make_table(one->adapter_paths, true, made);
    if (!all.add(one->path, one->lookup)) refuse(one->poa + " is there twice");
  }
  return all;
}

}  // namespace takt::orb

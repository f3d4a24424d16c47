#include <nlohmann/json.hpp>

#include "diff/report/report.h"

namespace takt::idl::diff {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Place& place) {
  if (place.file.empty()) return nullptr;
  return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

Json json_of(const Carrier& carrier) {
  Json json{{"operation", carrier.operation}};
  if (!carrier.slot.empty()) json["slot"] = carrier.slot;
  if (!carrier.path.empty()) json["path"] = carrier.path;
  return json;
}

Json json_of(const Finding& finding) {
  Json categories = Json::array(), operations = Json::array();
  for (const Effect one : {Effect::wire, Effect::wire_back, Effect::any, Effect::source, Effect::layout})
    if (finding.effects & bit(one)) categories.push_back(word_of(one));
  for (const Carrier& carrier : finding.carriers) operations.push_back(json_of(carrier));
  return {{"rule", std::string(finding.rule->id)},
          {"categories", std::move(categories)},
          {"subject", finding.subject},
          {"detail", finding.detail},
          {"old", json_of(finding.old_place)},
          {"new", json_of(finding.now_place)},
          {"change", std::string(finding.rule->change)},
          {"why", std::string(finding.rule->why)},
          {"remedy", std::string(finding.rule->remedy)},
          {"operations", std::move(operations)}};
}

}  // namespace

void write_json(std::ostream& out, const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) list.push_back(json_of(finding));
  // Invalid UTF-8 becomes replacement characters; by default, dump() would throw.
  out << Json{{"findings", std::move(list)}}.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace takt::idl::diff

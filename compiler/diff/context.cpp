#include "diff/context.h"

#include <algorithm>

namespace takt::idl::diff {

void Context::report(RuleName rule, const Site& site, const std::string& detail, Effects possible) {
  Finding finding;
  finding.rule = &*rule;
  finding.subject = site.subject;
  finding.detail = detail;
  finding.old_place = old_.place(site.old_at);
  finding.now_place = now_.place(site.now_at);
  finding.carriers = site.carried ? still_carried(*site.carried) : site.direct;
  Flow flow;
  for (const Carrier& carrier : finding.carriers) flow.in |= carrier.flow.in, flow.out |= carrier.flow.out;
  finding.effects = effects_of(*rule, flow) & possible;
  if (finding.effects) findings_.push_back(std::move(finding));
}

// The operations of the old version that carry the type and still exist. Removed operations have findings of
// their own.
std::vector<Carrier> Context::still_carried(const Declaration& type) {
  std::vector<Carrier> carriers = carriers_.of(type);
  std::erase_if(carriers, [this](const Carrier& carrier) {
    const std::size_t end = carrier.operation.rfind("::");
    const Declaration* const interface = pairs_.now(carrier.operation.substr(0, end));
    if (!interface) return true;
    const auto operations = Specification::operations(*interface);
    return std::ranges::none_of(operations, [&](const Declaration* one) {
      return one->name == std::string_view(carrier.operation).substr(end + 2);
    });
  });
  return carriers;
}

Site site_of(const Pairs::Pair& pair, bool is_carried) {
  return {pair.old->scoped_name(), pair.old->at, pair.now->at, is_carried ? pair.old : nullptr, {}};
}

Carrier carrier_of(const Declaration& operation, Flow flow, std::string slot) {
  return {operation.scoped_name(), std::move(slot), "", flow};
}

std::vector<const Declaration*> parts_of(const Declaration& declaration, DeclarationKind kind) {
  std::vector<const Declaration*> parts;
  for (const Declaration* one : declaration.contents)
    if (one->kind == kind) parts.push_back(one);
  return parts;
}

const char* word_of(Effect effect) {
  switch (effect) {
    case Effect::wire:
      return "WIRE";
    case Effect::wire_back:
      return "WIRE-BACK";
    case Effect::any:
      return "ANY";
    case Effect::source:
      return "SOURCE";
    case Effect::layout:
      return "LAYOUT";
  }
  return "";
}

std::string words_of(Effects effects, const std::string& separator) {
  std::string words;
  for (const Effect one : {Effect::wire, Effect::wire_back, Effect::any, Effect::source, Effect::layout})
    if (effects & bit(one)) words += (words.empty() ? "" : separator) + word_of(one);
  return words;
}

}  // namespace takt::idl::diff

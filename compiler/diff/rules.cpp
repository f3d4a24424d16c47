#include "diff/rules.h"

#include <algorithm>

namespace takt::idl::diff {

namespace {

std::string wire_cell(const Rule& rule, Effect effect) {
  const bool back = effect == Effect::wire_back;
  switch (rule.wire) {
    case Wire::none:
      return "";
    case Wire::both:
      return "yes";
    case Wire::old_client:
      return back ? "" : "yes";
    case Wire::new_client:
      return back ? "yes" : "";
    case Wire::narrows:
      return back ? "out" : "in";
    case Wire::widens:
      return back ? "in" : "out";
  }
  return "";
}

std::string source_cell(const Rule& rule) {
  const bool both = (rule.flags & source) == source;
  if (both) return "yes";
  if (rule.flags & cpp11) return "C++11";
  return rule.flags & classic ? "classic" : "";
}

std::string_view proof_word(Proof proof) {
  switch (proof) {
    case Proof::octets:
      return "octets";
    case Proof::operations:
      return "operations";
    case Proof::exceptions:
      return "exceptions";
    case Proof::argument:
      return "argument";
  }
  return "";
}

}  // namespace

Effects effects_of(const Rule& rule, Flow flow) {
  Effects effects = 0;
  if (rule.flags & any) effects |= bit(Effect::any);
  if (rule.flags & source) effects |= bit(Effect::source);
  if (rule.flags & layout) effects |= bit(Effect::layout);
  const bool unknown = !flow.in && !flow.out;
  const auto add = [&](bool wire, bool back) {
    if (wire) effects |= bit(Effect::wire);
    if (back) effects |= bit(Effect::wire_back);
  };
  switch (rule.wire) {
    case Wire::none:
      break;
    case Wire::both:
      add(true, true);
      break;
    case Wire::old_client:
      add(true, false);
      break;
    case Wire::new_client:
      add(false, true);
      break;
    case Wire::narrows:
      add(flow.in || unknown, flow.out || unknown);
      break;
    case Wire::widens:
      add(flow.out || unknown, flow.in || unknown);
      break;
  }
  return effects;
}

const Rule* find_rule(std::string_view id) {
  const auto found = std::ranges::find(rules::all, id, &Rule::id);
  return found == rules::all.end() ? nullptr : &*found;
}

std::string rules_as_markdown() {
  std::string text =
      "| rule | change | why | what keeps it compatible | WIRE | WIRE-BACK | ANY | SOURCE | LAYOUT | proof "
      "|\n"
      "|---|---|---|---|---|---|---|---|---|---|\n";
  const auto cell = [&](std::string_view content) {
    text.append(content.empty() ? "|" : "| ").append(content).append(" ");
  };
  for (const Rule& rule : rules::all) {
    cell("`" + std::string(rule.id) + "`");
    cell(rule.change);
    cell(rule.why);
    cell(rule.remedy);
    cell(wire_cell(rule, Effect::wire));
    cell(wire_cell(rule, Effect::wire_back));
    cell(rule.flags & any ? "yes" : "");
    cell(source_cell(rule));
    cell(rule.flags & layout ? "yes" : "");
    cell(proof_word(rule.proof));
    text += "|\n";
  }
  return text;
}

}  // namespace takt::idl::diff

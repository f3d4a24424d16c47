// Compares the signatures of operations and attributes.
#include <algorithm>
#include <set>

#include "diff/context.h"
#include "sema/views.h"

namespace takt::idl::diff {

namespace {

using Direction = Declaration::Direction;
using Parameter = Declaration::Parameter;
using Names = std::vector<std::string>;

const char* word_of(Direction direction) {
  constexpr const char* words[] = {"in", "out", "inout"};
  return words[static_cast<int>(direction)];
}

Flow flow_of(Direction direction) { return {direction != Direction::out, direction != Direction::in}; }

Site slot_site(const Declaration& old, Location old_at, Location now_at, const std::string& slot, Flow flow) {
  return {old.scoped_name() + (slot.empty() ? "" : " " + slot),
          old_at,
          now_at,
          nullptr,
          {carrier_of(old, flow, slot)}};
}

Names names_of(const Declaration& operation) {
  Names names;
  for (const Parameter& one : operation.parameters) names.push_back(one.name);
  return names;
}

const Parameter* named(const Declaration& operation, const std::string& name) {
  const auto found = std::ranges::find(operation.parameters, name, &Parameter::name);
  return found == operation.parameters.end() ? nullptr : &*found;
}

bool passes_view(const Declaration& operation, const Parameter& parameter) {
  return can_be_view(parameter) &&
         (idl::find_annotation(parameter.annotations, "view") || operation.find_annotation("view") ||
          operation.scope->find_annotation("view"));
}

class OperationComparison {
 public:
  OperationComparison(Context& context, const Declaration& old, const Declaration& now)
      : context_(context), old_(old), now_(now) {}

  void compare() {
    compare_flags();
    compare_results();
    compare_parameters();
  }

 private:
  Site site() const { return slot_site(old_, old_.at, now_.at, "", {}); }

  void compare_flags() {
    if (!old_.is_oneway && now_.is_oneway)
      context_.report("operation-became-oneway", site(), "it was two-way");
    if (old_.is_oneway && !now_.is_oneway)
      context_.report("operation-no-longer-oneway", site(), "it was oneway");
    if (old_.contexts.empty() && !now_.contexts.empty())
      context_.report("operation-context-added", site(), "context(\"" + now_.contexts.front() + "\"...)");
    if (!old_.contexts.empty() && now_.contexts.empty())
      context_.report("operation-context-removed", site(), "context(\"" + old_.contexts.front() + "\"...)");
    const auto is_held = [](const Declaration& one) {
      return can_be_held(one) && one.find_annotation("held");
    };
    if (is_held(old_) != is_held(now_))
      context_.report("held-changed", site(), is_held(now_) ? "@held is new" : "@held is gone");
  }

  void compare_results() {
    const Site at = slot_site(old_, old_.at, now_.at, "the result", {.in = false, .out = true});
    const bool had = old_.type->kind != TypeKind::void_, has = now_.type->kind != TypeKind::void_;
    if (!had && has) context_.report("result-added", at, "void is now " + text_of(*now_.type));
    if (had && !has) context_.report("result-removed", at, text_of(*old_.type) + " is now void");
    if (had && has) compare_types(context_, at, *old_.type, *now_.type);
  }

  void compare_parameters() {
    const Names before = names_of(old_), after = names_of(now_);
    const bool same_names = std::ranges::is_permutation(before, after);
    if (same_names && before != after)
      context_.report("parameter-order-changed", site(), listed(before) + " is now " + listed(after));
    if (before.size() == after.size() && !same_names) {
      for (std::size_t i = 0; i < before.size(); ++i)
        compare_parameter(old_.parameters[i], now_.parameters[i]);
      return;
    }
    for (const Parameter& old : old_.parameters)
      if (const Parameter* now = named(now_, old.name))
        compare_parameter(old, *now);
      else
        report("parameter-removed", &old, nullptr);
    for (const Parameter& now : now_.parameters)
      if (!named(old_, now.name)) report("parameter-added", nullptr, &now);
  }

  void report(RuleName rule, const Parameter* old, const Parameter* now) {
    const Parameter& one = old ? *old : *now;
    context_.report(rule,
                    slot_site(old_, old ? old->at : old_.at, now ? now->at : now_.at,
                              "parameter '" + one.name + "'", flow_of(one.direction)),
                    std::string(word_of(one.direction)) + " " + text_of(*one.type) + " " + one.name);
  }

  void compare_parameter(const Parameter& old, const Parameter& now) {
    const Flow flow = flow_of(old.direction);
    const Site at = slot_site(old_, old.at, now.at, "parameter '" + old.name + "'", flow);
    if (old.direction != now.direction)
      context_.report("parameter-direction-changed", at,
                      std::string(word_of(old.direction)) + " is now " + word_of(now.direction));
    compare_types(context_, at, *old.type, *now.type);
    const bool was_view = passes_view(old_, old), is_view = passes_view(now_, now);
    if (was_view != is_view) context_.report("view-changed", at, is_view ? "@view is new" : "@view is gone");
  }

  static std::string listed(const Names& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
  }

  Context& context_;
  const Declaration& old_;
  const Declaration& now_;
};

void compare_raises(Context& context, const Site& site, const std::vector<Declaration*>& old,
                    const std::vector<Declaration*>& now, RuleName added, RuleName removed) {
  std::set<std::string> before, after;
  for (const Declaration* one : old) before.insert(one->scoped_name());
  for (const Declaration* one : now) after.insert(context.old_name(*one));
  for (const std::string& name : after)
    if (!before.contains(name)) context.report(added, site, name);
  for (const std::string& name : before)
    if (!after.contains(name)) context.report(removed, site, name);
}

}  // namespace

void compare_operations(Context& context, const Declaration& old, const Declaration& now) {
  OperationComparison(context, old, now).compare();
  compare_raises(context, slot_site(old, old.at, now.at, "", {}), old.raises, now.raises, "raises-added",
                 "raises-removed");
}

void compare_attributes(Context& context, const Declaration& old, const Declaration& now) {
  const Site site = slot_site(old, old.at, now.at, "", {.in = !old.is_readonly, .out = true});
  if (!old.is_readonly && now.is_readonly)
    context.report("attribute-became-readonly", site, "it was writable");
  if (old.is_readonly && !now.is_readonly)
    context.report("attribute-no-longer-readonly", site, "it was readonly");
  compare_types(context, site, *old.type, *now.type);
  compare_raises(context, site, old.raises, now.raises, "attribute-raises-added", "attribute-raises-removed");
  if (!old.is_readonly && !now.is_readonly)
    compare_raises(context, site, old.set_raises, now.set_raises, "attribute-raises-added",
                   "attribute-raises-removed");
}

}  // namespace takt::idl::diff

// Compares unions: which member each label selects.
#include <algorithm>
#include <map>
#include <set>

#include "diff/context.h"

namespace takt::idl::diff {

namespace {

using K = DeclarationKind;
using List = std::vector<const Declaration*>;
using Selection = std::map<std::string, const Declaration*>;  // members by label

constexpr const char* other = "default";  // stands for all values without a label

Selection selection_of(const List& members) {
  Selection selection;
  for (const Declaration* member : members) {
    for (const Value& label : member->labels) selection.emplace(text_of(label), member);
    if (member->default_label) selection.emplace(other, member);
  }
  return selection;
}

const Declaration* selected(const Selection& selection, const std::string& label) {
  const auto found = selection.find(label);
  if (found != selection.end()) return found->second;
  const auto rest = selection.find(other);
  return rest == selection.end() ? nullptr : rest->second;
}

std::set<std::string> label_set(const Declaration& member) {
  std::set<std::string> labels;
  for (const Value& label : member.labels) labels.insert(text_of(label));
  if (member.default_label) labels.insert(other);
  return labels;
}

class UnionComparison {
 public:
  UnionComparison(Context& context, const Pairs::Pair& pair)
      : context_(context),
        pair_(pair),
        old_(parts_of(*pair.old, K::member)),
        now_(parts_of(*pair.now, K::member)),
        before_(selection_of(old_)),
        after_(selection_of(now_)) {}

  void compare() {
    Site site = site_of(pair_);
    site.subject += " discriminator";
    compare_types(context_, site, *pair_.old->type, *pair_.now->type);
    match_members();
    std::set<std::string> labels{other};
    for (const auto* selection : {&before_, &after_})
      for (const auto& [label, member] : *selection) labels.insert(label);
    for (const std::string& label : labels) compare_label(label);
    check_order();
  }

 private:
  // Pairs members by name. A member whose name is gone is paired by its labels and type.
  void match_members() {
    for (const Declaration* old : old_) {
      auto found = std::ranges::find(now_, old->name, &Declaration::name);
      if (found == now_.end()) {
        found = std::ranges::find_if(now_, [&](const Declaration* one) {
          return std::ranges::find(old_, one->name, &Declaration::name) == old_.end() &&
                 label_set(*one) == label_set(*old) && context_.same_type(*old->type, *one->type);
        });
        if (found == now_.end()) continue;
        context_.report("union-member-renamed", member_site(old, *found),
                        old->name + " is now " + (*found)->name);
      }
      matched_[old] = *found;
      compare_types(context_, member_site(old, *found), *old->type, *(*found)->type);
    }
  }

  void compare_label(const std::string& label) {
    const Declaration* const old = selected(before_, label);
    const Declaration* const now = selected(after_, label);
    if (!old && !now) return;
    const std::string text = label == other ? other : "case " + label;
    if (!old)
      report(label == other ? RuleName("union-default-added") : RuleName("union-case-added"), nullptr, now,
             text);
    else if (!now)
      report(label == other ? RuleName("union-default-removed") : RuleName("union-case-removed"), old,
             nullptr, text);
    else if (const auto found = matched_.find(old); found == matched_.end() || found->second != now)
      report("union-label-moved", old, now, text + ": " + old->name + " is now " + now->name);
  }

  // Reports a member once, even if several of its labels were added or removed.
  void report(RuleName rule, const Declaration* old, const Declaration* now, const std::string& detail) {
    if ((!old || !now) && !reported_.emplace(rule->id, old ? old : now).second) return;
    context_.report(rule, member_site(old, now),
                    old && now
                        ? detail
                        : detail + ": " + text_of(*(old ? old : now)->type) + " " + (old ? old : now)->name);
  }

  void check_order() {
    List before, after;
    for (const Declaration* old : old_)
      if (const auto found = matched_.find(old); found != matched_.end()) before.push_back(found->second);
    for (const Declaration* now : now_)
      if (std::ranges::find(before, now) != before.end()) after.push_back(now);
    if (before != after)
      context_.report("union-case-order-changed", site_of(pair_), "the cases stand in another order");
  }

  Site member_site(const Declaration* old, const Declaration* now) const {
    return {pair_.old->scoped_name() + "." + (old ? old : now)->name,
            old ? old->at : Location{},
            now ? now->at : Location{},
            pair_.old,
            {}};
  }

  Context& context_;
  const Pairs::Pair& pair_;
  List old_, now_;
  Selection before_, after_;
  std::map<const Declaration*, const Declaration*> matched_;  // new members by old ones
  std::set<std::pair<std::string_view, const Declaration*>> reported_;
};

}  // namespace

void compare_unions(Context& context, const Pairs::Pair& pair) {
  UnionComparison(context, pair).compare();
  compare_lengths(context, pair);
}

}  // namespace takt::idl::diff

// Compares interfaces: their bases, and which operations and attributes they have.
#include <algorithm>
#include <set>

#include "diff/context.h"
#include "sema/scopes.h"

namespace takt::idl::diff {

namespace {

using K = DeclarationKind;
using List = std::vector<const Declaration*>;

const Declaration* called(const List& list, const std::string& name) {
  const auto found = std::ranges::find(list, name, &Declaration::name);
  return found == list.end() ? nullptr : *found;
}

List own_calls(const Declaration& interface) {
  List calls;
  for (const Declaration* one : interface.contents)
    if (one->kind == K::operation || one->kind == K::attribute) calls.push_back(one);
  return calls;
}

std::string shown(const Declaration& call, const NameOf& name_of) {
  if (call.kind == K::operation) return signature_of(call, name_of);
  return (call.is_readonly ? "readonly attribute " : "attribute ") + text_of(*call.type, name_of);
}

Site call_site(const Declaration* old, const Declaration* now, const Declaration& interface) {
  const Declaration& one = old ? *old : *now;
  Site site{interface.scoped_name() + "::" + one.name,
            old ? old->at : Location{},
            now ? now->at : Location{},
            nullptr,
            {}};
  site.direct.push_back({site.subject, "", "", {}});
  return site;
}

class CallComparison {
 public:
  CallComparison(Context& context, const Pairs::Pair& pair)
      : context_(context),
        pair_(pair),
        old_(own_calls(*pair.old)),
        now_(own_calls(*pair.now)),
        all_old_(Specification::operations(*pair.old)),
        all_now_(Specification::operations(*pair.now)) {}

  void compare() {
    for (const Declaration* old : old_) compare_old(*old);
    for (const Declaration* now : now_)
      if (!taken_.contains(now) && !called(all_old_, now->name))
        context_.report(now->kind == K::operation ? RuleName("operation-added") : RuleName("attribute-added"),
                        call_site(nullptr, now, *pair_.old), shown(*now, scoped_name_of));
    check_order();
  }

 private:
  void compare_old(const Declaration& old) {
    const Declaration* const own = called(now_, old.name);
    const Declaration* const now = own ? own : called(all_now_, old.name);
    if (!now) return missing(old);
    taken_.insert(now);
    const Site site = call_site(&old, now, *pair_.old);
    if (old.kind != now->kind)
      return context_.report(old.kind == K::operation ? RuleName("operation-became-attribute")
                                                      : RuleName("attribute-became-operation"),
                             site, shown(old, scoped_name_of) + " is now " + shown(*now, scoped_name_of));
    if (!own) context_.report("operation-moved-to-base", site, "it is now in " + now->scope->scoped_name());
    compare_calls(old, *now);
  }

  void compare_calls(const Declaration& old, const Declaration& now) {
    old.kind == K::operation ? compare_operations(context_, old, now)
                             : compare_attributes(context_, old, now);
  }

  // No operation has the old name. Looks for the same operation under a new name.
  void missing(const Declaration& old) {
    const bool is_operation = old.kind == K::operation;
    const auto is_free = [&](const Declaration* one) {
      return one->kind == old.kind && !taken_.contains(one) && !called(all_old_, one->name);
    };
    const auto found = std::ranges::find_if(now_, [&](const Declaration* one) {
      return is_free(one) && (folded(one->name) == folded(old.name) ||
                              shown(*one, context_.pairs().names()) == shown(old, scoped_name_of));
    });
    if (found == now_.end())
      return context_.report(is_operation ? RuleName("operation-removed") : RuleName("attribute-removed"),
                             call_site(&old, nullptr, *pair_.old), shown(old, scoped_name_of));
    taken_.insert(*found);
    const bool only_case = is_operation && folded((*found)->name) == folded(old.name);
    const RuleName rule = only_case      ? RuleName("operation-case-changed")
                          : is_operation ? RuleName("operation-renamed")
                                         : RuleName("attribute-renamed");
    context_.report(rule, call_site(&old, *found, *pair_.old), old.name + " is now " + (*found)->name);
    compare_calls(old, **found);
  }

  void check_order() {
    std::vector<std::string> before, after;
    for (const Declaration* one : old_)
      if (called(now_, one->name)) before.push_back(one->name);
    for (const Declaration* one : now_)
      if (called(old_, one->name)) after.push_back(one->name);
    if (before != after)
      context_.report("operation-order-changed", site_of(pair_, false), "the same names in another order");
  }

  Context& context_;
  const Pairs::Pair& pair_;
  List old_, now_, all_old_, all_now_;
  std::set<const Declaration*> taken_;  // operations of the new version that are paired with an old one
};

// The site of a change that breaks all operations of the interface.
Site whole_site(const Pairs::Pair& pair) {
  Site site = site_of(pair, false);
  for (const Declaration* one : Specification::operations(*pair.old))
    site.direct.push_back({pair.old->scoped_name() + "::" + one->name, "", "", {}});
  return site;
}

std::vector<std::string> names_of(const std::vector<Declaration*>& bases, const NameOf& name_of) {
  std::vector<std::string> names;
  for (const Declaration* base : bases) names.push_back(name_of(*base));
  return names;
}

std::set<std::string> all_bases(const Declaration& interface, const NameOf& name_of) {
  std::set<std::string> names;
  std::set<const Declaration*> seen;
  List next{&interface};
  while (!next.empty()) {
    const Declaration* const one = next.back();
    next.pop_back();
    for (const Declaration* base : one->bases)
      if (seen.insert(base).second) names.insert(name_of(*base)), next.push_back(base);
  }
  return names;
}

void compare_bases(Context& context, const Pairs::Pair& pair) {
  const NameOf new_names = context.pairs().names();
  const auto before = names_of(pair.old->bases, scoped_name_of), after = names_of(pair.now->bases, new_names);
  if (before == after) return;
  const auto all_before = all_bases(*pair.old, scoped_name_of), all_after = all_bases(*pair.now, new_names);
  for (const std::string& base : before)
    if (!all_after.contains(base)) context.report("interface-base-removed", whole_site(pair), base);
  for (const std::string& base : after)
    if (!all_before.contains(base)) context.report("interface-base-added", whole_site(pair), base);
  if (std::ranges::is_permutation(before, after))
    context.report("interface-base-order-changed", whole_site(pair), "the same bases in another order");
}

}  // namespace

void compare_interfaces(Context& context, const Pairs::Pair& pair) {
  const Declaration& old = *pair.old;
  const Declaration& now = *pair.now;
  if (!old.is_local && now.is_local)
    context.report("interface-became-local", whole_site(pair), "it was remote");
  if (old.is_local && !now.is_local)
    context.report("interface-no-longer-local", whole_site(pair), "it was local");
  if (!old.is_abstract && now.is_abstract)
    context.report("interface-became-abstract", site_of(pair), "it was concrete");
  if (old.is_abstract && !now.is_abstract)
    context.report("interface-no-longer-abstract", site_of(pair), "it was abstract");
  compare_bases(context, pair);
  CallComparison(context, pair).compare();
}

}  // namespace takt::idl::diff

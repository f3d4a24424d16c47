// Compares the member lists of structs, exceptions and valuetypes.
#include <algorithm>

#include "diff/context.h"

namespace takt::idl::diff {

namespace {

using K = DeclarationKind;
using List = std::vector<const Declaration*>;

const Declaration* named(const List& list, const std::string& name) {
  const auto found = std::ranges::find(list, name, &Declaration::name);
  return found == list.end() ? nullptr : *found;
}

Site member_site(const Pairs::Pair& pair, const Declaration* old, const Declaration* now) {
  return {pair.old->scoped_name() + "." + (old ? old : now)->name,
          old ? old->at : Location{},
          now ? now->at : Location{},
          pair.old,
          {}};
}

std::string default_of(const Declaration& member) {
  const AnnotationUse* const use = member.find_annotation("default");
  return use && !use->arguments.empty() ? text_of(use->arguments.front().second) : "";
}

class MemberComparison {
 public:
  MemberComparison(Context& context, const Pairs::Pair& pair, const MemberRules& rules)
      : context_(context),
        pair_(pair),
        rules_(rules),
        old_(parts_of(*pair.old, K::member)),
        now_(parts_of(*pair.now, K::member)) {}

  void compare() {
    List common;
    for (std::size_t i = 0; i < old_.size(); ++i) {
      const Declaration& old = *old_[i];
      if (const Declaration* now = named(now_, old.name)) {
        common.push_back(now);
        compare_member(old, *now);
      } else if (is_renamed(i)) {
        context_.report(rules_.renamed, member_site(pair_, &old, now_[i]),
                        old.name + " is now " + now_[i]->name);
      } else {
        context_.report(rules_.removed, member_site(pair_, &old, nullptr),
                        text_of(*old.type) + " " + old.name);
      }
    }
    for (std::size_t i = 0; i < now_.size(); ++i)
      if (!named(old_, now_[i]->name) && !(i < old_.size() && is_renamed(i)))
        context_.report(rules_.added, member_site(pair_, nullptr, now_[i]),
                        text_of(*now_[i]->type) + " " + now_[i]->name);
    check_order(common);
  }

 private:
  // Whether the new member at this position is the old one under a new name.
  bool is_renamed(std::size_t i) const {
    return i < now_.size() && !named(now_, old_[i]->name) && !named(old_, now_[i]->name) &&
           context_.same_type(*old_[i]->type, *now_[i]->type);
  }

  // `common` has the members of the new version that the old version has too, in the old order.
  void check_order(const List& common) {
    List in_new_order;
    for (const Declaration* one : now_)
      if (named(old_, one->name)) in_new_order.push_back(one);
    if (common == in_new_order) return;
    const auto names = [](const List& list) {
      std::string text;
      for (const Declaration* one : list) text += (text.empty() ? "" : ", ") + one->name;
      return text;
    };
    context_.report(rules_.reordered, site_of(pair_), names(common) + " is now " + names(in_new_order));
  }

  void compare_member(const Declaration& old, const Declaration& now) {
    const Site site = member_site(pair_, &old, &now);
    compare_types(context_, site, *old.type, *now.type);
    if (!old.is_optional && now.is_optional)
      context_.report("member-became-optional", site, "@optional is new");
    if (old.is_optional && !now.is_optional)
      context_.report("member-no-longer-optional", site, "@optional is gone");
    if (old.is_private != now.is_private)
      context_.report("value-member-visibility-changed", site,
                      now.is_private ? "public is now private" : "private is now public");
    if (const std::string before = default_of(old), after = default_of(now); before != after)
      context_.report("default-changed", site,
                      (before.empty() ? "none" : before) + " is now " + (after.empty() ? "none" : after));
  }

  Context& context_;
  const Pairs::Pair& pair_;
  const MemberRules& rules_;
  List old_, now_;
};

bool is_variable(const Type& type);
bool is_variable(const Declaration& declaration) {
  if (declaration.kind != K::struct_ && declaration.kind != K::union_)
    return declaration.kind != K::enum_ && declaration.kind != K::bitmask && declaration.kind != K::bitset;
  const auto holds = [](const Declaration* base) { return is_variable(*base); };
  return std::ranges::any_of(declaration.bases, holds) ||
         std::ranges::any_of(declaration.contents, [](const Declaration* member) {
           return member->kind == K::member && is_variable(*member->type);
         });
}
// Whether a type has variable length in the classic C++ mapping.
bool is_variable(const Type& type) {
  const Type& held = type.resolved();
  if (held.kind == TypeKind::array) return is_variable(*held.element);
  if (held.kind == TypeKind::named) return is_variable(defined(*held.declaration));
  return held.kind >= TypeKind::any && held.kind != TypeKind::fixed;
}

void compare_struct_base(Context& context, const Pairs::Pair& pair) {
  const auto base = [](const Declaration& declaration, auto&& name) {
    return declaration.bases.empty() ? std::string() : name(*declaration.bases.front());
  };
  const std::string before = base(*pair.old, scoped_name_of);
  const std::string after = base(*pair.now, context.pairs().names());
  if (before == after) return;
  if (!before.empty()) context.report("struct-base-removed", site_of(pair), before);
  if (!after.empty()) context.report("struct-base-added", site_of(pair), after);
}

}  // namespace

void compare_members(Context& context, const Pairs::Pair& pair, const MemberRules& rules) {
  MemberComparison(context, pair, rules).compare();
}

void compare_structs(Context& context, const Pairs::Pair& pair) {
  compare_struct_base(context, pair);
  compare_members(context, pair,
                  {"struct-member-added", "struct-member-removed", "struct-member-renamed",
                   "struct-member-order-changed"});
  compare_lengths(context, pair);
}

void compare_lengths(Context& context, const Pairs::Pair& pair) {
  const bool was = is_variable(*pair.old), is = is_variable(*pair.now);
  if (!was && is) context.report("struct-became-variable", site_of(pair), "fixed length is now variable");
  if (was && !is) context.report("struct-became-fixed", site_of(pair), "variable length is now fixed");
}

void compare_exceptions(Context& context, const Pairs::Pair& pair) {
  compare_members(context, pair,
                  {"exception-member-added", "exception-member-removed", "exception-member-renamed",
                   "exception-member-order-changed"});
}

}  // namespace takt::idl::diff

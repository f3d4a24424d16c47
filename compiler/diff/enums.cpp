// Enums, bitmasks and bitsets.
#include <algorithm>

#include "diff/context.h"

namespace takt::idl::diff {

namespace {

using K = DeclarationKind;
using List = std::vector<const Declaration*>;

bool has(const List& list, const std::string& name) {
  return std::ranges::find(list, name, &Declaration::name) != list.end();
}

class EnumComparison {
 public:
  EnumComparison(Context& context, const Pairs::Pair& pair)
      : context_(context),
        pair_(pair),
        old_(pair.old->contents.begin(), pair.old->contents.end()),
        now_(pair.now->contents.begin(), pair.now->contents.end()) {}

  void compare() {
    if (only_renamed()) return;
    const bool appends = appended_from() == old_.size();
    for (std::size_t i = 0; i < old_.size(); ++i)
      if (!has(now_, old_[i]->name))
        report(removes_at_end(i) ? RuleName("enum-last-value-removed") : RuleName("enum-value-removed"),
               old_[i], nullptr);
    for (const Declaration* one : now_)
      if (!has(old_, one->name))
        report(appends ? RuleName("enum-value-appended") : RuleName("enum-value-inserted"), nullptr, one);
    check_order();
  }

 private:
  void report(RuleName rule, const Declaration* old, const Declaration* now) {
    const Site site{pair_.old->scoped_name() + "." + (old ? old : now)->name,
                    old ? old->at : Location{},
                    now ? now->at : Location{},
                    pair_.old,
                    {}};
    context_.report(rule, site, old && now ? old->name + " is now " + now->name : (old ? old : now)->name);
  }

  // Reports renames if the two lists differ only in the names at some positions.
  bool only_renamed() {
    if (old_.size() != now_.size()) return false;
    for (std::size_t i = 0; i < old_.size(); ++i)
      if (old_[i]->name != now_[i]->name && (has(now_, old_[i]->name) || has(old_, now_[i]->name)))
        return false;
    for (std::size_t i = 0; i < old_.size(); ++i)
      if (old_[i]->name != now_[i]->name) report("enum-value-renamed", old_[i], now_[i]);
    return true;
  }

  // The length of the common prefix of both lists.
  std::size_t appended_from() const {
    std::size_t i = 0;
    while (i < old_.size() && i < now_.size() && old_[i]->name == now_[i]->name) ++i;
    return i;
  }

  bool removes_at_end(std::size_t i) const {
    const bool all_before = appended_from() == now_.size();
    return all_before && i >= now_.size();
  }

  void check_order() {
    std::vector<std::string> before, after;
    for (const Declaration* one : old_)
      if (has(now_, one->name)) before.push_back(one->name);
    for (const Declaration* one : now_)
      if (has(old_, one->name)) after.push_back(one->name);
    if (before != after)
      context_.report("enum-order-changed", site_of(pair_), "the values change their ordinals");
  }

  Context& context_;
  const Pairs::Pair& pair_;
  List old_, now_;
};

int holder_octets(std::uint32_t bits) { return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8; }

void compare_holders(Context& context, const Pairs::Pair& pair, RuleName rule) {
  const int before = holder_octets(pair.old->width), after = holder_octets(pair.now->width);
  if (before != after)
    context.report(rule, site_of(pair), std::to_string(before) + " octets are now " + std::to_string(after));
}

Site part_site(const Pairs::Pair& pair, const Declaration& old, const Declaration* now) {
  return {pair.old->scoped_name() + "." + old.name, old.at, now ? now->at : Location{}, pair.old, {}};
}

}  // namespace

void compare_enums(Context& context, const Pairs::Pair& pair) { EnumComparison(context, pair).compare(); }

void compare_bitmasks(Context& context, const Pairs::Pair& pair) {
  compare_holders(context, pair, "bitmask-holder-changed");
  for (const Declaration* old : pair.old->contents) {
    const auto found = std::ranges::find(pair.now->contents, old->name, &Declaration::name);
    if (found == pair.now->contents.end()) {
      context.report("bitmask-bit-removed", part_site(pair, *old, nullptr), old->name);
      continue;
    }
    const std::string before = text_of(old->value), after = text_of((*found)->value);
    if (before != after)
      context.report("bitmask-bit-moved", part_site(pair, *old, *found),
                     "position " + before + " is now " + after);
  }
}

void compare_bitsets(Context& context, const Pairs::Pair& pair) {
  compare_holders(context, pair, "bitset-holder-changed");
  const List before = parts_of(*pair.old, K::member), after = parts_of(*pair.now, K::member);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Declaration& old = *before[i];
    const Declaration* const now = i < after.size() ? after[i] : nullptr;
    const std::string width = std::to_string(old.width) + " bits";
    if (!now || now->width != old.width || (now->name != old.name && has(after, old.name)))
      return context.report(
          "bitset-field-changed", part_site(pair, old, now),
          now ? width + " of " + old.name + " are now " + std::to_string(now->width) + " bits of " + now->name
              : width + " of " + old.name + " are gone");
    if (now->name != old.name)
      context.report("bitset-field-renamed", part_site(pair, old, now), old.name + " is now " + now->name);
  }
}

}  // namespace takt::idl::diff

// State that the parts of a comparison share.
#pragma once

#include <string>
#include <vector>

#include "diff/carriers.h"
#include "diff/finding.h"
#include "diff/pairs.h"
#include "diff/rules.h"
#include "diff/text.h"

namespace takt::idl::diff {

// The place where two versions are compared, and what breaks if they differ.
struct Site {
  std::string subject;
  Location old_at, now_at;  // line 0: not in that version
  // The old version's type that operations carry; null: `direct` lists the operations.
  const Declaration* carried = nullptr;
  std::vector<Carrier> direct;
};

class Context {
 public:
  Context(const Specification& old, const Specification& now)
      : old_(old), now_(now), pairs_(old, now), carriers_(old) {}

  const Specification& old() const { return old_; }
  const Specification& now() const { return now_; }
  const Pairs& pairs() const { return pairs_; }
  std::string old_name(const Declaration& now) const { return pairs_.old_name(now); }
  std::string old_text(const Type& old) const { return text_of(old); }
  std::string now_text(const Type& now) const { return text_of(now, pairs_.names()); }
  bool same_type(const Type& old, const Type& now) const { return old_text(old) == now_text(now); }

  // Adds a finding with the rule's effects, reduced to those in `possible`.
  void report(RuleName rule, const Site& site, const std::string& detail, Effects possible = all_effects);
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  std::vector<Carrier> still_carried(const Declaration& type);

  const Specification& old_;
  const Specification& now_;
  Pairs pairs_;
  Carriers carriers_;
  std::vector<Finding> findings_;
};

// The site of a declaration that both versions have.
Site site_of(const Pairs::Pair& pair, bool is_carried = true);
// A carrier that stands for a whole operation or attribute.
Carrier carrier_of(const Declaration& operation, Flow flow = {}, std::string slot = {});

// Each of these compares one kind of declaration and reports the differences.
void compare_types(Context& context, const Site& site, const Type& old, const Type& now);
void compare_structs(Context& context, const Pairs::Pair& pair);
// Structs and unions: fixed or variable length.
void compare_lengths(Context& context, const Pairs::Pair& pair);
void compare_exceptions(Context& context, const Pairs::Pair& pair);
void compare_enums(Context& context, const Pairs::Pair& pair);
void compare_unions(Context& context, const Pairs::Pair& pair);
void compare_bitmasks(Context& context, const Pairs::Pair& pair);
void compare_bitsets(Context& context, const Pairs::Pair& pair);
void compare_values(Context& context, const Pairs::Pair& pair);
void compare_constants(Context& context, const Pairs::Pair& pair);
void compare_interfaces(Context& context, const Pairs::Pair& pair);
void compare_operations(Context& context, const Declaration& old, const Declaration& now);
void compare_attributes(Context& context, const Declaration& old, const Declaration& now);

// The rules for a list of members with names.
struct MemberRules {
  RuleName added, removed, renamed, reordered;
};
void compare_members(Context& context, const Pairs::Pair& pair, const MemberRules& rules);

std::vector<const Declaration*> parts_of(const Declaration& declaration, DeclarationKind kind);

}  // namespace takt::idl::diff

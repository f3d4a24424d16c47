// What a comparison finds.
#pragma once

#include <string>
#include <vector>

#include "diff/carriers.h"
#include "diff/rules/rule.h"
#include "diff/specification.h"

namespace takt::idl::diff {

struct Finding {
  const Rule* rule = nullptr;
  Effects effects = 0;            // those of the rule's that hold here
  std::string subject;            // the scoped name of what changed, as "::M::S.member"
  std::string detail;             // from what to what
  Place old_place, now_place;     // either may be none, not both
  std::vector<Carrier> carriers;  // operations that break, or carry the type that does
};

// In the order of the old version's declarations, and what the new one added behind.
std::vector<Finding> compare(const Specification& old, const Specification& now);

// "WIRE", "WIRE-BACK", ...; of an Effect.
const char* word_of(Effect effect);
// As words, separated so.
std::string words_of(Effects effects, const std::string& separator = " ");

}  // namespace takt::idl::diff

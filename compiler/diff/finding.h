// A difference between two versions of an IDL specification.
#pragma once

#include <string>
#include <vector>

#include "diff/carriers.h"
#include "diff/rules/rule.h"
#include "diff/specification.h"

namespace takt::idl::diff {

struct Finding {
  const Rule* rule = nullptr;
  Effects effects = 0;            // the rule's effects that hold here
  std::string subject;            // scoped name of the changed declaration, as "::M::S.member"
  std::string detail;             // old and new form
  Place old_place, now_place;     // one of them may be empty
  std::vector<Carrier> carriers;  // operations that break, or that carry the type that breaks
};

// Findings in the order of the old version's declarations, followed by the declarations that the new version
// added.
std::vector<Finding> compare(const Specification& old, const Specification& now);

// The name of an Effect: "WIRE", "WIRE-BACK", ...
const char* word_of(Effect effect);
// The names of all effects, with `separator` between them.
std::string words_of(Effects effects, const std::string& separator = " ");

}  // namespace takt::idl::diff

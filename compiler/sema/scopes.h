// Who is known by which name where (IDL 4.2, 7.5).
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/diagnostics.h"
#include "model/model.h"

namespace takt::idl {

// Names differ in more than case, or they clash; a name that is used is spelled as it was declared.
class Scopes {
 public:
  explicit Scopes(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  // Enters `declaration` in its scope. False after telling of a clash, and then the earlier one keeps the
  // name.
  bool declare(Declaration& declaration);
  // Makes `scope` share its names with the module that it opens again.
  void reopen(Declaration& scope, Declaration& first) { canonical_[&scope] = &canonical(first); }
  // What stands for the name from now on: the definition of what was declared forward.
  void replace(Declaration& with);

  // Only in `scope` itself; null if it has no such name.
  Declaration* find_here(const Declaration& scope, std::string_view name) const;
  // In the scope and what it inherits. Tells of a name that several bases bring in.
  Declaration* find_member(const Declaration& scope, std::string_view name, Location at);
  // Notes that `scope` used a name from elsewhere, which it may not declare anew afterwards (7.5.3).
  void use(const Declaration& scope, std::string_view name, const Declaration& found, Location at);
  // Tells of a name that its scope has used already with another meaning; true if so.
  bool clashes_with_use(const Declaration& scope, std::string_view name, Location at);
  // From the scope outward. Tells of a parameter with that name on the way.
  Declaration* find(const Declaration& scope, std::string_view name, Location at);
  // Warns of a spelling that differs from the declaration's in case.
  void check_spelling(const Declaration& found, std::string_view name, Location at);

 private:
  void clashes_with_parameter(const Declaration& scope, std::string_view name, Location at);
  using Names = std::unordered_map<std::string, Declaration*>;
  Declaration& canonical(Declaration& scope) const;
  void collect(const Declaration& scope, const std::string& folded, std::vector<Declaration*>& found,
               std::unordered_set<const Declaration*>& seen) const;

  Diagnostics& diagnostics_;
  std::unordered_map<const Declaration*, Names> names_;  // by case-folded name
  std::unordered_map<const Declaration*, Declaration*> canonical_;
  struct Use {
    const Declaration* found;
    Location at;
  };
  std::unordered_map<const Declaration*, std::unordered_map<std::string, Use>> uses_;
};

std::string folded(std::string_view name);
// The kind, with its article, for messages.
const char* describe(DeclarationKind kind);

}  // namespace takt::idl

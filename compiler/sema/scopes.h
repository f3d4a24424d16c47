// The names of each scope (IDL 4.2, 7.5).
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/diagnostics.h"
#include "model/model.h"

namespace takt::idl {

// Names that differ only in case clash. A name must be used with the case of its declaration.
class Scopes {
 public:
  explicit Scopes(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  // Enters `declaration` in its scope. On a clash, reports an error, returns false and keeps the earlier
  // declaration.
  bool declare(Declaration& declaration);
  // Makes a reopened module share the names of its first opening.
  void reopen(Declaration& scope, Declaration& first) { canonical_[&scope] = &canonical(first); }
  // Names that `scope` lacks are looked up from `other` outward before they are from the scope around it. For
  // an instance of a template module, whose text is in another scope.
  void look_in_too(const Declaration& scope, const Declaration& other) { also_[&scope] = &other; }
  // The name stands for `with` from now on: replaces a forward declaration by its definition.
  void replace(Declaration& with);

  // Searches `scope` only; null if it has no such name.
  Declaration* find_here(const Declaration& scope, std::string_view name) const;
  // Searches the scope and its bases. Reports an error if several bases have the name.
  Declaration* find_member(const Declaration& scope, std::string_view name, Location at);
  // Notes that `scope` used a name from another scope. It may not redeclare the name afterwards (7.5.3).
  void use(const Declaration& scope, std::string_view name, const Declaration& found, Location at);
  // Reports an error, and returns true, if the scope has used the name with another meaning.
  bool clashes_with_use(const Declaration& scope, std::string_view name, Location at);
  // Searches from the scope outward. Reports an error if it meets a parameter with that name.
  Declaration* find(const Declaration& scope, std::string_view name, Location at);
  // Enters an operation's parameter. Reports an error if the operation has one of that name.
  void declare_parameter(const Declaration& operation, const std::string& name, Location at);
  // Warns if `name` differs in case from the declaration.
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
  std::unordered_map<const Declaration*, const Declaration*> also_;
  struct Use {
    const Declaration* found;
    Location at;
    bool nested = false;  // in a type that the scope contains
  };
  std::unordered_map<const Declaration*, std::unordered_map<std::string, Use>> uses_;
  struct Parameter {
    std::string name;
    Location at;
  };
  // By operation and case-folded name.
  std::unordered_map<const Declaration*, std::unordered_map<std::string, Parameter>> parameters_;
};

std::string folded(std::string_view name);
// The kind with its article, for messages.
const char* describe(DeclarationKind kind);

}  // namespace takt::idl

// @secret: values that neither recordings nor logs have.
#pragma once

#include "model/diagnostics.h"
#include "model/model.h"

namespace takt::idl {

// Finds the calls whose messages may have values that are marked @secret: a member, a typedef, a parameter,
// or all values of an operation, attribute or interface. Types are searched in depth, and with a value all
// values of the unit that derive from it; with an abstract interface all that support it, and with ValueBase
// all values. Nothing is secret if the IDL defines an annotation of that name itself (@annotation).
class Secrets {
 public:
  // `unit` must outlive it.
  explicit Secrets(const Unit& unit) : unit_(unit) {}
  // `declaration`: an operation or attribute. For an attribute, both calls are alike.
  bool has(const Declaration& declaration) const;
  // Whether a value of the main file has secrets, so that operations of other files may be secret too, which
  // these files alone do not tell.
  bool in_own_values() const;

 private:
  using Seen = std::set<const Declaration*>;  // null: ValueBase
  bool in_type(const Type* type, Seen& seen) const;
  bool in_definition(const Declaration& declaration, Seen& seen) const;
  bool in_all(const std::vector<Declaration*>& declarations, Seen& seen) const;
  // In any value of the unit that `wanted` takes.
  template <class Wanted>
  bool in_values(Wanted wanted, Seen& seen) const;

  const Unit& unit_;
};

// Reports errors for @secret in places where it has no meaning.
void check_secrets(const Unit& unit, Diagnostics& diagnostics);

}  // namespace takt::idl

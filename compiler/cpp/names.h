// Spells IDL names, types and values in C++.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace takt::idl::cpp {

// Prefixes C++ keywords with _cxx_.
std::string escaped(std::string_view name);
// "M::S", escaped, without leading colons.
std::string full_name(const Declaration& declaration);
// A C++ string literal with its quotes.
std::string string_literal(std::string_view text);

// Whether an argument of the type is passed by value.
bool by_value(const Type& type);
bool is_interface(const Declaration& declaration);
bool is_value(const Declaration& declaration);
bool is_abstract_interface(const Declaration& declaration);

// Spells each name as short as a given scope allows. Where a shorter name would mean something else, it uses
// a longer one.
class Names {
 public:
  explicit Names(const Unit& unit);

  std::string declared(const Declaration& declaration, const Declaration* scope) const;
  std::string type(const Type& type, const Declaration* scope) const;
  // const T& or T.
  std::string in_type(const Type& type, const Declaration* scope) const;
  // A C++ expression with the type.
  std::string value(const Value& value, const Type& type, const Declaration* scope) const;
  // The type and the value of a constant. A fixed one has the digits and scale of its value.
  struct Constant {
    std::string type, value;
  };
  Constant constant(const Declaration& constant, const Declaration* scope) const;

  // For skeletons, which have the names of interfaces: spells interfaces and their contents in full.
  void in_skeletons(bool yes) { in_skeletons_ = yes; }
  // Spells all names in full, for places where names of the mapping hide IDL names.
  void in_full(bool yes) { in_full_ = yes; }
  void always_in_full(bool yes) { always_in_full_ = yes; }

 private:
  void index(const Declaration& scope);
  using Seen = std::set<std::string>;  // scopes, so that diamonds of bases take no exponential time
  bool declares(const std::string& scope, const std::string& name) const;
  bool declares(const std::string& scope, const std::string& name, Seen& seen) const;

  std::map<std::string, std::set<std::string>> contents_;  // by full name of the scope
  std::map<std::string, std::vector<std::string>> bases_;
  bool in_skeletons_ = false;
  bool in_full_ = false;
  bool always_in_full_ = false;
};

}  // namespace takt::idl::cpp

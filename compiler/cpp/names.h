// How IDL's names, types and values are spelled in C++.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace takt::idl::cpp {

// With the prefix _cxx_ where it is a C++ keyword.
std::string escaped(std::string_view name);
// "M::S", escaped, without leading colons.
std::string full_name(const Declaration& declaration);
// As a C++ string literal, quotes included.
std::string string_literal(std::string_view text);
// A forward declaration's definition, where there is one.
const Declaration& defined(const Declaration& declaration);

// Whether an argument of that type is passed by value.
bool by_value(const Type& type);
bool is_interface(const Declaration& declaration);
bool is_value(const Declaration& declaration);
bool is_abstract_interface(const Declaration& declaration);

// Spells names as short as they may be in a given scope: where a shorter name would be found to mean
// something else, a longer one is used.
class Names {
 public:
  explicit Names(const Unit& unit);

  std::string declared(const Declaration& declaration, const Declaration* scope) const;
  std::string type(const Type& type, const Declaration* scope) const;
  // const T& or T.
  std::string in_type(const Type& type, const Declaration* scope) const;
  // An expression of that type.
  std::string value(const Value& value, const Type& type, const Declaration* scope) const;

  // In skeletons, whose names are those of interfaces: interfaces and what is in them are spelled in full.
  void in_skeletons(bool yes) { in_skeletons_ = yes; }
  // Where names of the mapping hide those of the IDL: everything is spelled in full.
  void in_full(bool yes) { in_full_ = yes; }

 private:
  void index(const Declaration& scope);
  bool declares(const std::string& scope, const std::string& name) const;

  std::map<std::string, std::set<std::string>> contents_;  // by full name of the scope
  std::map<std::string, std::vector<std::string>> bases_;
  bool in_skeletons_ = false;
  bool in_full_ = false;
};

}  // namespace takt::idl::cpp

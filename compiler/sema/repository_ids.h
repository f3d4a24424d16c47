// Repository ids: "IDL:prefix/M/S:1.0" (CORBA 3.0.3, 10.7).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/diagnostics.h"
#include "model/model.h"

namespace takt::idl {

// #pragma prefix holds in its scope and its file (CORBA 3.0.3, 10.7.5): a file that is included begins
// without a prefix, also inside a module, and its prefix ends with it. It stands for the name of its scope:
// an id has only the names inside that scope (10.7.5.5), unless the unit's prefixes precede whole names.
// typeprefix holds in its scope, in each file, and precedes the whole name (3.15.2).
class RepositoryIds {
 public:
  RepositoryIds(Unit& unit, Diagnostics& diagnostics)
      : prefixes_whole_names_(unit.prefixes_whole_names), diagnostics_(diagnostics) {
    scopes_.push_back({&unit.root, {}, {}});
  }

  void enter(Declaration& scope);
  void leave() { scopes_.pop_back(); }
  // Sets the repository id of a new declaration.
  void assign(Declaration& declaration);
  // Gives the definition of what was declared forward the same id.
  void define(const Declaration& forward, Declaration& definition);

  void set_prefix(std::string prefix, std::uint32_t file);
  void set_prefix_of(Declaration& scope, std::string prefix);
  void set_id(Declaration& declaration, std::string id, Location at);
  void set_version(Declaration& declaration, std::string_view version, Location at);

 private:
  struct Open {
    Declaration* scope;
    std::optional<std::string> given;                         // by typeprefix
    std::unordered_map<std::uint32_t, std::string> of_files;  // by #pragma prefix in the scope itself
  };
  // A fixed part is not changed again: the id by #pragma ID or typeid, the version by #pragma version.
  enum class Fixed : std::uint8_t { id, version };
  // An error, if what is given is fixed already.
  bool is_other(const Declaration& declaration, const std::string& id, Location at);
  struct Prefix {
    std::string text;
    const Declaration* scope = nullptr;  // for which the prefix stands; null: for none
  };
  Prefix prefix_in(std::uint32_t file) const;

  bool prefixes_whole_names_;
  Diagnostics& diagnostics_;
  std::vector<Open> scopes_;
  std::unordered_map<std::string, std::string> scope_prefixes_;  // by typeprefix; key: scoped name
  std::unordered_map<const Declaration*, Fixed> fixed_;
};

}  // namespace takt::idl

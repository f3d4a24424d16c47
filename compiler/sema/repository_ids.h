// Repository ids: "IDL:prefix/M/S:1.0" (CORBA 3.0.3, 10.7).
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/model.h"
#include "model/diagnostics.h"

namespace takt::idl {

// The prefix in force belongs to the scope in which it was set, and at global scope to the file.
class RepositoryIds {
 public:
  RepositoryIds(Declaration& root, Diagnostics& diagnostics) : diagnostics_(diagnostics) {
    scopes_.push_back({&root, {}, false});
  }

  void enter(Declaration& scope);
  void leave() { scopes_.pop_back(); }
  // Gives a new declaration its id.
  void assign(Declaration& declaration);

  void set_prefix(std::string prefix, std::uint32_t file);
  void set_prefix_of(Declaration& scope, std::string prefix);
  void set_id(Declaration& declaration, std::string id, Location at);
  void set_version(Declaration& declaration, std::string_view version, Location at);

 private:
  struct Open {
    Declaration* scope;
    std::string prefix;
    bool given;  // in this scope itself
  };
  std::string path(const Declaration& declaration) const;

  Diagnostics& diagnostics_;
  std::vector<Open> scopes_;
  std::unordered_map<std::uint32_t, std::string> file_prefixes_;
  std::unordered_map<std::string, std::string> scope_prefixes_;  // typeprefix, by scoped name
  std::unordered_map<const Declaration*, bool> fixed_;           // given by #pragma ID or typeid
};

}  // namespace takt::idl

// Pairs the declarations of the old version with those of the new one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "diff/specification.h"
#include "diff/text.h"

namespace takt::idl::diff {

// Pairs declarations by scoped name. Where a name is gone, a new name in the same scope with the same
// contents is taken for a rename. Refers to both specifications, which must outlive it.
class Pairs {
 public:
  struct Pair {
    const Declaration* old;
    const Declaration* now;
    bool renamed = false;
  };

  Pairs(const Specification& old, const Specification& now);

  // The declarations that both versions have, including renamed ones, in the order of the old version.
  const std::vector<Pair>& both() const { return both_; }
  // The declarations that only the old version has.
  const std::vector<const Declaration*>& removed() const { return removed_; }

  // The old version's name for a declaration of the new one. It differs where the declaration or a module
  // around it was renamed.
  std::string old_name(const Declaration& now) const { return old_name(now.scoped_name()); }
  std::string old_name(std::string name) const;
  // Names the new version's types as the old version does, for texts.
  NameOf names() const {
    return [this](const Declaration& now) { return old_name(now); };
  }
  // Whether the declaration or a module around it was renamed.
  bool is_renamed(const Declaration& now) const { return old_name(now) != now.scoped_name(); }
  // The new version's declaration for an old name; null if it has none.
  const Declaration* now(const std::string& old_name) const;

 private:
  void find_renamed_modules();
  void find_renamed_types();
  void pair();
  std::string outer_name(const Declaration& declaration, bool is_now) const;

  const Specification& old_;
  const Specification& now_;
  std::vector<std::pair<std::string, std::string>> renames_;  // now, old; outermost first
  std::vector<Pair> both_;
  std::vector<const Declaration*> removed_;
};

}  // namespace takt::idl::diff

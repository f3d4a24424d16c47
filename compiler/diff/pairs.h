// Which declaration of the new version is which of the old one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "diff/specification.h"
#include "diff/text.h"

namespace takt::idl::diff {

// By scoped name, and where a name is gone and a new one has the same contents in the same scope, as a
// rename. Refers to both specifications, which outlive it.
class Pairs {
 public:
  struct Pair {
    const Declaration* old;
    const Declaration* now;
    bool renamed = false;
  };

  Pairs(const Specification& old, const Specification& now);

  // All that both versions have, in the old one's order; renamed ones too.
  const std::vector<Pair>& both() const { return both_; }
  // All that only the old version has.
  const std::vector<const Declaration*>& removed() const { return removed_; }

  // What the old version calls a declaration of the new one: the same, or what it was called before it, or a
  // module around it, was renamed.
  std::string old_name(const Declaration& now) const { return old_name(now.scoped_name()); }
  std::string old_name(std::string name) const;
  // For texts of the new version's types in the old one's names.
  NameOf names() const {
    return [this](const Declaration& now) { return old_name(now); };
  }
  // Whether the declaration, or a module around it, was renamed.
  bool is_renamed(const Declaration& now) const { return old_name(now) != now.scoped_name(); }
  // The declaration of the new version; null: it has none.
  const Declaration* now(const std::string& old_name) const;

 private:
  void find_renamed_modules();
  void find_renamed_types();
  void pair();
  std::string outer_name(const Declaration& declaration, bool is_now) const;

  const Specification& old_;
  const Specification& now_;
  std::vector<std::pair<std::string, std::string>> renames_;  // now, old; the outermost first
  std::vector<Pair> both_;
  std::vector<const Declaration*> removed_;
};

}  // namespace takt::idl::diff

// Which operations carry a type, and on which path.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diff/rules/rule.h"
#include "diff/specification.h"

namespace takt::idl::diff {

// An operation, or a place in its signature from which a type is reached.
struct Carrier {
  std::string operation;  // scoped name; of an attribute too
  std::string slot;       // "in parameter 'p'", "the result", "raised ::M::E"; empty: the operation itself
  std::string path;       // from the slot's type to the one in question, as "::M::Outer.list[]"; empty: none
  Flow flow;
};

// Refers to the specification, which outlives it.
class Carriers {
 public:
  explicit Carriers(const Specification& specification);
  // Each slot at most once, by its shortest path. Local interfaces and the operations of valuetypes carry
  // nothing over the wire.
  const std::vector<Carrier>& of(const Declaration& type);

 private:
  struct Holder {
    const Declaration* outer;
    std::string step;  // ".member"
  };
  struct Slot {
    std::string operation, text, step;
    Flow flow;
  };

  void note_members(const Declaration& declaration);
  void note_slots(const Declaration& interface);
  void hold(const Declaration& outer, const Type& type, const std::string& step);
  void carry(const Declaration& operation, const Type& type, const std::string& text, Flow flow);
  void raise(const Declaration& operation, const std::vector<Declaration*>& exceptions);
  std::vector<Carrier> search(const Declaration& type) const;

  std::unordered_map<const Declaration*, std::vector<Holder>> holders_;  // by what they hold
  std::unordered_map<const Declaration*, std::vector<Slot>> slots_;      // by the type that they name
  std::unordered_map<const Declaration*, std::vector<Carrier>> found_;
};

}  // namespace takt::idl::diff

// Finds the operations that carry a type, and the path to it.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diff/rules/rule.h"
#include "diff/specification.h"

namespace takt::idl::diff {

// A place in an operation's signature from which a type is reached.
struct Carrier {
  std::string operation;  // scoped name; may be an attribute
  std::string slot;       // "in parameter 'p'", "the result", "raised ::M::E"; empty: the operation itself
  std::string path;  // from the slot's type to the carried type, as "::M::Outer.list[]"; empty: the slot's
                     // type itself
  Flow flow;
};

// Refers to the specification, which must outlive it. Not thread-safe.
class Carriers {
 public:
  explicit Carriers(const Specification& specification);
  // The slots from which the type is reached, each once with its shortest path. Local interfaces and
  // operations of valuetypes are not included: they carry nothing over the wire.
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

  std::unordered_map<const Declaration*, std::vector<Holder>> holders_;  // by the held type
  std::unordered_map<const Declaration*, std::vector<Slot>> slots_;      // by the named type
  std::unordered_map<const Declaration*, std::vector<Carrier>> found_;
};

}  // namespace takt::idl::diff

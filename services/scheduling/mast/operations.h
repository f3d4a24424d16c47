// Operations of a model and their execution times.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scheduling/mast/platform.h"

namespace takt::scheduling::mast {

struct Operation {
  enum class Kind { simple, composite, enclosing, message };
  std::string name;
  Place at;
  Kind kind = Kind::simple;
  Decimal worst = {};  // execution time in units of the model, or size of a message
  std::optional<Decimal> average = {};
  Place worst_at;
  std::vector<std::pair<std::string, Place>> parts = {};
};

// `typical` is at most `worst`.
struct Cost {
  Time worst{0}, typical{0};
};

class Operations {
 public:
  // Shared resources, which operations lock, cannot be imported yet; an operation that names one is refused.
  Operations(std::span<const Element> elements, Reading& reading);
  // The execution time on a resource. Throws Wrong for an unknown operation and for one that contains itself.
  Cost cost_of(const std::string& name, Place at, const Resource& resource, std::size_t resource_number);
  // The name as its declaration spells it.
  const std::string& spelling_of(const std::string& name, Place at) { return all_.get(name, at).name; }

 private:
  void read(const Element& element);
  Cost compute(const Operation& operation, const Resource& resource, std::size_t resource_number, int depth);

  Reading& reading_;
  Names<Operation> all_{"Operation"};
  std::map<std::pair<std::size_t, std::size_t>, Cost> known_;  // by operation and resource
};

}  // namespace takt::scheduling::mast

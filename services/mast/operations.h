// Operations of a model and their execution times.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mast/platform.h"

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
  std::vector<std::string> locks = {};  // names of shared resources
};

// The limit of a cost's shared resources, because costs of operations that contain each other repeat them.
inline constexpr std::size_t most_locks = 64;

// `typical` is at most `worst`.
struct Cost {
  Time worst{0}, typical{0};
  std::vector<LockUse> locks = {};  // each with its longest use
};

struct SharedResource {
  std::string name;
  Place at;
};

class Operations {
 public:
  // Also reads the shared resources.
  Operations(std::span<const Element> elements, Reading& reading);
  // The execution time on a resource. Throws Wrong for an unknown operation and for one that contains itself.
  Cost cost_of(const std::string& name, Place at, const Resource& resource, std::size_t resource_number);
  // The name as its declaration spells it.
  const std::string& spelling_of(const std::string& name, Place at) { return all_.get(name, at).name; }

 private:
  void read_shared_resource(const Element& element);
  void read(const Element& element);
  Cost compute(const Operation& operation, const Resource& resource, std::size_t resource_number, int depth);

  Reading& reading_;
  Names<SharedResource> shared_{"Shared_Resource"};
  Names<Operation> all_{"Operation"};
  std::map<std::pair<std::size_t, std::size_t>, Cost> known_;  // by operation and resource
};

}  // namespace takt::scheduling::mast

// Which operation of which interface a user means.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "types/catalogue.h"

namespace takt::command {

// The words of the user: `greet`, `x` for an attribute's value, `x=JSON` to write it, or `_get_x` and
// `_set_x`.
struct Wanted {
  std::string operation;
  std::string interface;               // empty: any that has the operation
  std::vector<std::string> arguments;  // JSON; the value of `x=JSON` is added to them
};

// The operation, from the interface named, the reference's type, or the only one that has it. If several
// interfaces have it with different signatures, `is_a` is asked for each id. Throws a Failure that names the
// nearest operation or the interfaces to choose from. The result lives as long as the catalogue.
const Operation& choose(const Catalogue& catalogue, Wanted& wanted, const std::string& type_id,
                        const std::function<bool(const std::string& id)>& is_a);

}  // namespace takt::command

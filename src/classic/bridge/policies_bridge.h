// The runtime's client policies, as the classic mapping calls them. References that are passed are borrowed,
// those that are returned are the caller's. All functions throw exceptions of the classic mapping.
#pragma once

#include <cstdint>
#include <vector>

namespace takt {
namespace classic {

class AnyHandle;
class OrbHandle;
class Reference;

namespace policies {

using List = std::vector<Reference*>;
using Types = std::vector<std::uint32_t>;

Reference* create(OrbHandle& orb, std::uint32_t type, AnyHandle* value);
Reference* set_overrides(Reference& object, const List& policies, bool adds);
List get_overrides(Reference& object, const Types& types);
Reference* get(Reference& object, std::uint32_t type);
Reference* get_client(Reference& object, std::uint32_t type);
bool validate_connection(Reference& object, List& inconsistent);

// For a PolicyManager or PolicyCurrent.
void set_managed(Reference& manager, const List& policies, bool adds);
List get_managed(Reference& manager, const Types& types);

OrbHandle* orb_of(Reference& object);
Reference* component_of(Reference& object);

}  // namespace policies

}  // namespace classic
}  // namespace takt

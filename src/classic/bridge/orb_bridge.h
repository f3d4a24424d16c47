// The runtime's ORB and adapters, as the classes of the classic mapping call them. No type of either mapping
// is named here. References that are passed are borrowed, those that are returned are the caller's; null is
// nil. All functions throw exceptions of the classic mapping.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace takt {
namespace classic {

class ActivatorImplementation;
class AdapterImplementation;
class LocatorImplementation;
class OrbHandle;
class Reference;
class Servant;

using Octets = std::vector<std::uint8_t>;

// References.
bool is_a(Reference& reference, const char* repository_id);
bool non_existent(Reference& reference);
bool is_equivalent(Reference& one, Reference& other);
std::uint32_t hash(Reference& reference, std::uint32_t maximum);
std::string repository_id(Reference& reference);
// The repository id of the class of the mapping that an object of the ORB's own has; null for others.
const char* own_class(Reference& reference);

// Objects of local interfaces. A reference that `keeps` holds a reference of the object; any other knows its
// object until forget_local().
class LocalImplementation;
Reference* refer_to_local(LocalImplementation& object, bool keeps);
void forget_local(Reference& reference);
LocalImplementation* local_behind(Reference& reference);  // null for all other objects

namespace orb {
OrbHandle* init(int& argc, char** argv, const char* id);
void free(OrbHandle* orb);
std::string id(OrbHandle& orb);
Reference* string_to_object(OrbHandle& orb, const char* text);
std::string object_to_string(OrbHandle& orb, Reference* object);
std::vector<std::string> list_initial_services(OrbHandle& orb);
Reference* resolve_initial_references(OrbHandle& orb, const char* name);
void register_initial_reference(OrbHandle& orb, const char* name, Reference* object);
void run(OrbHandle& orb);
// Returns the microseconds that are left.
std::int64_t run_for(OrbHandle& orb, std::int64_t microseconds);
bool work_pending(OrbHandle& orb);
void perform_work(OrbHandle& orb);
void shutdown(OrbHandle& orb, bool wait_for_completion);
void destroy(OrbHandle& orb);
}  // namespace orb

namespace poa {
Reference* create_poa(Reference& poa, const char* name, Reference* manager,
                      const std::vector<Reference*>& policies);
Reference* find_poa(Reference& poa, const char* name, bool activate_it);
void destroy(Reference& poa, bool etherealize_objects, bool wait_for_completion);
std::string the_name(Reference& poa);
Reference* the_parent(Reference& poa);
Reference* the_manager(Reference& poa);
// `type` is the policy's PolicyType, `value` the enumerator.
Reference* create_policy(Reference& poa, std::uint32_t type, std::uint32_t value);
std::uint32_t policy_type(Reference& policy);
std::uint32_t policy_value(Reference& policy);
Servant* get_servant(Reference& poa);
void set_servant(Reference& poa, Servant& servant);
Octets activate_object(Reference& poa, Servant& servant);
void activate_object_with_id(Reference& poa, const Octets& id, Servant& servant);
void deactivate_object(Reference& poa, const Octets& id);
Reference* create_reference(Reference& poa, const char* repository_id);
Reference* create_reference_with_id(Reference& poa, const Octets& id, const char* repository_id);
Octets servant_to_id(Reference& poa, Servant& servant);
Reference* servant_to_reference(Reference& poa, Servant& servant);
// Servants are returned with a reference of their own. OBJ_ADAPTER for those of the other mapping.
Servant* reference_to_servant(Reference& poa, Reference* reference);
Octets reference_to_id(Reference& poa, Reference* reference);
Servant* id_to_servant(Reference& poa, const Octets& id);
Reference* id_to_reference(Reference& poa, const Octets& id);
Octets string_to_id(const char* text);
std::string id_to_string(const Octets& id);

// Servant managers and adapter activators. `object` is the local object; the adapter keeps it.
Reference* get_servant_manager(Reference& poa);
void set_servant_activator(Reference& poa, ActivatorImplementation& activator, LocalImplementation& object);
void set_servant_locator(Reference& poa, LocatorImplementation& locator, LocalImplementation& object);
void set_no_servant_manager(Reference& poa);  // throws what that does
Reference* the_activator(Reference& poa);
void set_activator(Reference& poa, AdapterImplementation* activator, LocalImplementation* object);
std::vector<Reference*> the_children(Reference& poa);
Octets adapter_id(Reference& poa);

enum class Change { activate, hold, discard, deactivate };
void change_manager(Reference& manager, Change change, bool etherealize_objects, bool wait_for_completion);
std::uint32_t manager_state(Reference& manager);
std::string manager_id(Reference& manager);

Reference* current_poa(Reference& current);
Octets current_object_id(Reference& current);
Reference* current_reference(Reference& current);
Servant* current_servant(Reference& current);
// The runtime's choice for a servant that does not override it.
Reference* default_poa(Servant& servant);
}  // namespace poa

}  // namespace classic
}  // namespace takt

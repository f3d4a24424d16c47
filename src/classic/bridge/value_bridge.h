// The runtime's values, as the classic mapping calls them. All functions throw exceptions of the classic
// mapping.
#pragma once

#include <takt/classic/value_hooks.h>

namespace takt {
namespace classic {

class OrbHandle;

namespace value {

void write(Writer& out, ValueImplementation* value);
ValueImplementation* read(Reader& in, const char* id);  // the caller's; null for null and after a failure
ValueImplementation* copy(ValueImplementation& value);  // the caller's

// The factory that was registered before, which is the caller's; null if there was none, or it is of the
// IDL to C++11 mapping.
FactoryImplementation* register_factory(OrbHandle& orb, const char* id, FactoryImplementation& factory);
void unregister_factory(OrbHandle& orb, const char* id);
FactoryImplementation* lookup_factory(OrbHandle& orb, const char* id);
// Factories of all types that generated code has registered, unless the ORB has others. `orb` is one that the
// program has made (timeouts::made()), so that it gets those of registrations to come.
void register_all(OrbHandle& orb);
void add(const ValueRegistration& registration);
void remove(const ValueRegistration& registration);

}  // namespace value

}  // namespace classic
}  // namespace takt

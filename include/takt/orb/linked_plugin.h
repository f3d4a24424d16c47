// Plug-ins that are linked with the program.
#pragma once

#include <string>

#include <takt/orb/plugin.h>

namespace takt {

// Registers a plug-in under a name, for ORBs initialised later in this process. An ORB with -ORBPlugin NAME
// or NAME:ARGUMENTS runs it, as if a shared object of that name had been loaded; the name prevails over a
// file's. `plugin` has the signature of takt_plugin under any name, so one source serves both forms. Any
// thread; takes a lock. Throws CORBA::BAD_PARAM for null, for a name that is empty or has a colon or slash,
// and for a name that already has another function.
void add_plugin(const std::string& name, decltype(takt_plugin)* plugin);

}  // namespace takt

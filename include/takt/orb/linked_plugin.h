// Plug-ins that a program is linked with.
#pragma once

#include <string>

#include <takt/orb/plugin.h>

namespace takt {

// Makes a plug-in known by a name to the ORBs of this process that are initialised from then on: those whose
// -ORBPlugin says NAME or NAME:ARGUMENTS have it register, as if a shared object of that name had been
// loaded; the name goes before a file's. `plugin` is such a function as takt_plugin is, under any name, so
// one source serves both forms. Any thread; takes a lock. Throws CORBA::BAD_PARAM for null, for a name that
// is empty or has a colon or a slash, and for one that another function has.
void add_plugin(const std::string& name, decltype(takt_plugin)* plugin);

}  // namespace takt

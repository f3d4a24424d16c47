// Definitions of interfaces by an interface repository (-ORBInitRef InterfaceRepository=URL).
#pragma once

namespace takt::orb {

class Runtime;

// Makes the adapters of an ORB that names a repository answer _interface with the definition that the
// repository has. Such a request then waits for the repository's reply. Call before the ORB listens.
void begin_repository(Runtime& runtime);

}  // namespace takt::orb

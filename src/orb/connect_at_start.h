// Connections that an ORB opens before its program makes the first call.
#pragma once

namespace takt::orb {

class Runtime;

// Resolves what -ORBConnectAtStart names and opens the connections that the calling thread's calls on it will
// use, wherever servers forward them to: by asking each object whether it is there. Takes as long as
// connecting and these calls do, at most. Tries all, then throws INITIALIZE with what failed and why; with
// -ORBConnectAtStartFailure warn it says so on standard error instead.
void connect_at_start(Runtime& runtime);

}  // namespace takt::orb

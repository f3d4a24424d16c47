// The ORBs of this process, by name.
#pragma once

#include <takt/orb/orb.h>

namespace takt::orb {

class Runtime;

// Null unless the program registers ORB initializers. Keeps the arguments of ORB_init in the calling thread.
[[gnu::weak]] void keep_arguments(int argc, char* argv[]);
[[gnu::weak]] void run_initializers(Runtime& runtime);  // may throw

// Required by the semantics of ORB_init (CORBA 3.0.3, 4.4).
void forget_orb(const CORBA::ORB& orb);

}  // namespace takt::orb

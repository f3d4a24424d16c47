// The smallest set of parts: GIOP over TCP, and options from the command line and the environment, which
// every ORB has.
#include <takt/orb/parts.h>

void takt::choose_parts(Parts&) {}

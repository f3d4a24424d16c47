// The source that docs/user/monitoring.md shows: it links every part of the ORB.
#include <takt/orb/parts.h>

void takt::choose_parts(Parts& parts) { add_all(parts); }

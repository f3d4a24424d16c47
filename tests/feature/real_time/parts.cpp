#include <takt/orb/parts.h>

void takt::choose_parts(Parts& parts) { add_all(parts); }

// In a file of its own, so that a program's own definition replaces it.
#include "orb/parts/usual.h"

void takt::choose_parts(Parts& parts) { orb::add_usual(parts); }

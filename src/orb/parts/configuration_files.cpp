#include "orb/parts/parts.h"

void takt::add_configuration_files(Parts& parts) { parts.read_config_file = orb::read_config_file; }

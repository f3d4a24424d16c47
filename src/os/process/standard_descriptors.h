// The descriptors of standard input, output and error.
#pragma once

namespace takt::os {

// Opens /dev/null at those of the descriptors 0, 1 and 2 that are closed, as in daemons. The next file or
// socket of the process would have their numbers else, and get what is written to standard output or error.
// Children that exec inherit them.
void fill_standard_descriptors();

}  // namespace takt::os

// Numbers that nobody guesses, and that a seed decides.
#include <random>

#include "machine/machine.h"

// The library's, of which the program's own object code finds this first.
std::random_device::result_type std::random_device::_M_getval() {
  return static_cast<result_type>(takt::sim::machine().unguessable_number());
}

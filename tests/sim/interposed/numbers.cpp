// Random numbers, which the seed determines.
#include <random>

#include "machine/machine.h"

// Replaces the library's function, because the linker finds the program's own definition first.
std::random_device::result_type std::random_device::_M_getval() {
  return static_cast<result_type>(takt::sim::machine().unguessable_number());
}

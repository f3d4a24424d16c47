// Tie classes: servants that pass each call on to an object of any class (IDL to C++11 mapping, 6.26).
#pragma once

#include "cpp/context.h"

namespace takt::idl::cpp {

// Prints the tie class template of an interface, behind its skeleton.
void print_tie(Context& context, const Declaration& interface);

}  // namespace takt::idl::cpp

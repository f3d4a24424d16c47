// Servants that answer later (--amh): response handlers and their skeletons.
#pragma once

#include <expected>
#include <string>

#include "cpp/context.h"

namespace takt::idl::cpp {

// Whether --amh makes something for the declaration: an interface that is neither local nor abstract.
bool answers_late(const Declaration& declaration);

// Print the part of fooS.h: response handlers, skeletons, and CORBA::amh_traits at its end.
void print_late_servants(Context& context);
// Prints the part of fooS.cpp. The error is readable text.
std::expected<void, std::string> print_late_servants_source(Context& context);

}  // namespace takt::idl::cpp

// fooC.h and fooC.cpp: types and stubs.
#pragma once

#include <string>

#include "cpp/context.h"

namespace takt::idl::cpp {

std::string client_header(Context& context);
std::string client_source(Context& context);

}  // namespace takt::idl::cpp

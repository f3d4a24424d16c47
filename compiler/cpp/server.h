// fooS.h and fooS.cpp: skeletons.
#pragma once

#include <expected>
#include <string>

#include "cpp/context.h"

namespace takt::idl::cpp {

std::string server_header(Context& context);
std::expected<std::string, std::string> server_source(Context& context);

}  // namespace takt::idl::cpp

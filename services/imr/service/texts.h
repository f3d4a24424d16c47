// Numbers and texts that the keeper makes or reads.
#pragma once

#include <cstdint>
#include <string>

namespace takt::imr {

// The first number of starts: greater than those of repositories before.
std::uint64_t starts_from_now();
// The reference in the file, without the line's end; empty if there is none.
std::string text_of_file(const std::string& path);

}  // namespace takt::imr

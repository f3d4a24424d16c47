// Code that is loaded while the program runs.
#pragma once

#include <expected>
#include <string>

namespace takt::os {

// Loads it with all that it needs, or says why not; again gives the same. It stays until the process ends.
// Runs what the code has to run at its start. Any thread; may block.
std::expected<void*, std::string> load_shared_object(const std::string& path);

// A function or object that it exports; null: there is none of that name in it or what it needs.
void* find_symbol(void* shared_object, const char* name);

}  // namespace takt::os

// Loads code at run time.
#pragma once

#include <expected>
#include <string>

namespace takt::os {

// Loads a shared object with its dependencies and runs its initializers, or returns the reason for the
// failure. Loading it again returns the same. Never unloaded. Any thread; may block.
std::expected<void*, std::string> load_shared_object(const std::string& path);

// A function or object that it or its dependencies export; null if there is none of that name.
void* find_symbol(void* shared_object, const char* name);

}  // namespace takt::os

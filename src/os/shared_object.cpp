#include "os/shared_object.h"

#include <dlfcn.h>

namespace takt::os {

std::expected<void*, std::string> load_shared_object(const std::string& path) {
  if (void* object = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) return object;
  const char* const why = ::dlerror();  // NOLINT(concurrency-mt-unsafe): per thread in glibc
  return std::unexpected(why ? why : path + ": cannot be loaded");
}

void* find_symbol(void* shared_object, const char* name) { return ::dlsym(shared_object, name); }

}  // namespace takt::os

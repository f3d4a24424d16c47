#include "common/loaded_library.h"

#include "common/command.h"
#include "os/shared_object.h"

namespace takt::command {
namespace {

void* loaded(const std::string& name, const char* package) {
  const auto library = os::load_shared_object(name);
  if (!library) fail(library.error() + "; install " + package);
  return *library;
}

}  // namespace

LoadedLibrary::LoadedLibrary(const char* name, const char* package)
    : name_(name), library_(loaded(name_, package)) {}

void* LoadedLibrary::found(const char* name) const {
  if (void* const symbol = os::find_symbol(library_, name)) return symbol;
  fail(name_ + " has no function " + name + "; it is too old");
}

}  // namespace takt::command

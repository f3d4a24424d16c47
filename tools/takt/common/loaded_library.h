// Libraries that few subcommands need. They are loaded then, because each library that a program is linked
// to, with those that it needs itself, makes every start of the program slower.
#pragma once

#include <string>

namespace takt::command {

// Never unloaded. Any thread.
class LoadedLibrary {
 public:
  // `name`: as in "libcurl.so.4". Throws a Failure, with the loader's reason, if there is no such library.
  LoadedLibrary(const char* name, const char* package);

  // The function of this name, which has the type of the declaration in the library's header. Throws a
  // Failure if the library does not have it.
  template <class Function>
  void find(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(found(name));
  }

 private:
  void* found(const char* name) const;

  const std::string name_;
  void* const library_;
};

}  // namespace takt::command

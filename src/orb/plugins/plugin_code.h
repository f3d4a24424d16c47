// The functions of plug-ins: shared objects, and those that the program has linked.
#pragma once

#include <string>
#include <string_view>

#include <takt/cdr/exception.h>
#include <takt/orb/plugin.h>

namespace takt::orb {

struct PluginCode {
  std::string file;                                       // or a linked plug-in's name
  std::string_view arguments;                             // the rest of the text that named the plug-in
  decltype(takt_plugin)* plugin = nullptr;                // not null
  decltype(takt_personalities)* personalities = nullptr;  // null: it has none
};

// Throws INITIALIZE with the plug-in and the reason.
[[noreturn]] void fail_plugin(const std::string& file, const std::string& why);

// `text`: FILE[:ARGUMENTS], of which the result has a view. Loads a file. Throws INITIALIZE. Any thread.
PluginCode find_plugin(const std::string& text);

// The rest of run_plugin(), which has returned `interface`.
void require_same_interface(const PluginCode& code, std::uint32_t interface, const std::string& refusal);
[[noreturn]] void fail_as_thrown(const PluginCode& code, const std::string& refusal);

// Runs one of its functions. Throws INITIALIZE if that throws, was compiled for another interface, or has
// ignored a refusal of the registry; `refusal` is empty if there was none.
template <class Function, class Registry>
void run_plugin(const PluginCode& code, Function* function, Registry& registry, const std::string& refusal) {
  std::uint32_t interface = 0;
  try {
    interface = function(plugin_interface, registry);
  } catch (...) {
    fail_as_thrown(code, refusal);
  }
  require_same_interface(code, interface, refusal);
}

}  // namespace takt::orb

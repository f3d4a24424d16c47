#include "orb/plugins/plugin_code.h"

#include <algorithm>
#include <exception>
#include <map>
#include <mutex>

#include <takt/orb/linked_plugin.h>

#include "os/shared_object.h"

namespace takt::orb {

namespace {

using Plugin = decltype(takt_plugin);
using PersonalitiesOfPlugin = decltype(takt_personalities);

// The plug-ins that the program has linked and named, for all ORBs.
class LinkedPlugins {
 public:
  using Functions = std::pair<Plugin*, PersonalitiesOfPlugin*>;

  static LinkedPlugins& of_this_process() {
    static auto* const plugins = new LinkedPlugins;  // never destroyed, as the chosen parts
    return *plugins;
  }
  // False if another plug-in has the name.
  bool add(const std::string& name, Functions functions) {
    std::lock_guard lock(mutex_);
    return plugins_.try_emplace(name, functions).first->second == functions;
  }
  // Null functions if there is none with that name.
  Functions find(const std::string& name) const {
    std::lock_guard lock(mutex_);
    const auto found = plugins_.find(name);
    return found == plugins_.end() ? Functions() : found->second;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Functions> plugins_;
};

std::string text_of(std::uint32_t interface) {
  return std::to_string(interface >> 16) + '.' + std::to_string(interface & 0xffff);
}

}  // namespace

void fail_plugin(const std::string& file, const std::string& why) {
  throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO, "option -ORBPlugin: " + file + ": " + why);
}

PluginCode find_plugin(const std::string& text) {
  const auto colon = std::min(text.find(':'), text.size());
  PluginCode code{.file = text.substr(0, colon),
                  .arguments = std::string_view(text).substr(std::min(colon + 1, text.size()))};
  std::tie(code.plugin, code.personalities) = LinkedPlugins::of_this_process().find(code.file);
  if (code.plugin) return code;
  const auto object = os::load_shared_object(code.file);
  if (!object) fail_plugin(code.file, object.error());
  code.plugin = reinterpret_cast<Plugin*>(os::find_symbol(*object, "takt_plugin"));
  code.personalities =
      reinterpret_cast<PersonalitiesOfPlugin*>(os::find_symbol(*object, "takt_personalities"));
  if (!code.plugin)
    fail_plugin(code.file, "it is not a plug-in: it has no function takt_plugin, see takt/orb/plugin.h");
  return code;
}

void require_same_interface(const PluginCode& code, std::uint32_t interface, const std::string& refusal) {
  if (interface != plugin_interface)
    fail_plugin(code.file, "it was compiled against interface " + text_of(interface) + ", and this ORB has " +
                               text_of(plugin_interface) + ": compile it with this ORB's headers");
  if (!refusal.empty()) fail_plugin(code.file, refusal);
}

void fail_as_thrown(const PluginCode& code, const std::string& refusal) {
  try {
    throw;
  } catch (const std::exception& thrown) {
    fail_plugin(code.file, refusal.empty() ? std::string("it fails: ") + thrown.what() : refusal);
  } catch (...) {
    fail_plugin(code.file, "it fails, and throws an exception that is not a std::exception");
  }
}

}  // namespace takt::orb

void takt::add_plugin(const std::string& name, decltype(takt_plugin)* plugin) {
  add_plugin(name, plugin, nullptr);
}

void takt::add_plugin(const std::string& name, decltype(takt_plugin)* plugin,
                      decltype(takt_personalities)* personalities) {
  const auto refuse = [&](const char* why) {
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "takt::add_plugin: '" + name + "' " + why);
  };
  if (!plugin) refuse("has no function");
  if (name.empty() || name.find_first_of(":/ ") != name.npos)
    refuse(
        "is not a name: -ORBPlugin takes it, so it must not be empty, nor contain a colon, slash or "
        "space");
  if (!orb::LinkedPlugins::of_this_process().add(name, {plugin, personalities}))
    refuse("is the name of another plug-in");
}

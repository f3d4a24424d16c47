#include "orb/wiring/plugins.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>

#include <takt/cdr/exception.h>
#include <takt/orb/linked_plugin.h>

#include "coded/coded_transport.h"
#include "orb/wiring/orb_parts.h"
#include "os/shared_object.h"

namespace takt::orb {

namespace {

class Registry final : public PluginRegistry {
 public:
  Registry(OrbParts& parts, std::string_view arguments) : parts_(parts), arguments_(arguments) {}

  void add_transport(std::unique_ptr<transport::Transport> transport) override {
    if (!transport) refuse("it registers a null transport");
    add("transport", std::move(transport));
  }
  void add_messaging(std::unique_ptr<const giop::MessagingProtocol> protocol) override {
    if (!protocol) refuse("it registers a null messaging protocol");
    add("messaging protocol", std::make_unique<coded::CodedTransport>(std::move(protocol), parts_.client));
  }
  void add_policy_control(std::unique_ptr<const reference::PolicyControl> control) override {
    if (!control) refuse("it registers a null policy control");
    if (parts_.references.controls.all().size() + controls_.size() == parts_.references.most_controls)
      refuse("an ORB has at most " + std::to_string(parts_.references.most_controls) + " policy controls");
    controls_.push_back(std::move(control));
  }
  void add_compression(std::unique_ptr<const giop::CompressionMethod> method) override {
    if (!method) refuse("it registers a null method of compression");
    const std::string name(method->name());
    require_plain("method of compression", name);
    if (method->number() < method->first_of_plugins)
      refuse("number " + std::to_string(method->number()) + " of its method '" + name + "' is not from " +
             std::to_string(method->first_of_plugins) + " to 255");
    const auto clashes = [&](const auto& one) {
      return one->name() == name || one->number() == method->number();
    };
    const auto there = parts_.protocol.all_methods->all();
    if (std::ranges::any_of(there.all(), clashes) || std::ranges::any_of(compressing_, clashes))
      refuse("there is a method of compression of the name '" + name + "' or with the number " +
             std::to_string(method->number()) + " already");
    if (there.all().size() + compressing_.size() == giop::compression::most_methods)
      refuse("an ORB has at most " + std::to_string(giop::compression::most_methods) +
             " methods of compression");
    compressing_.push_back(std::move(method));
  }
  transport::Transport* find_transport(std::string_view name) override {
    for (const auto& one : brought_)
      if (one->name() == name) return one.get();
    return parts_.references.transports.find(name);
  }
  std::string_view arguments() const override { return arguments_; }

  // The reason of a refusal, even if the plug-in has ignored it.
  const std::string& refusal() const { return refusal_; }
  // Moves everything that the plug-in has provided into the ORB.
  void take_over() {
    for (auto& one : brought_) parts_.references.transports.add(std::move(one));
    for (auto& one : compressing_) parts_.protocol.all_methods->add(std::move(one));
    for (auto& one : controls_) parts_.references.controls.add(std::move(one));
    if (!controls_.empty()) parts_.references.begin_generation();
  }

 private:
  void require_plain(const std::string& what, const std::string& name) {
    const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    if (name.empty() || !std::ranges::all_of(name, is_plain))
      refuse("its " + what + "'s name, '" + name + "', is not one of lower-case letters and digits");
  }
  // `what` is its kind in error texts; for the ORB it is a transport.
  void add(const std::string& what, std::unique_ptr<transport::Transport> transport) {
    const std::string name(transport->name());
    require_plain(what, name);
    const std::uint32_t tag = transport->profile_form().tag;
    const auto clashes = [&](const auto& one) {
      return one->name() == name || one->profile_form().tag == tag;
    };
    if (std::ranges::any_of(parts_.references.transports.all(), clashes) ||
        std::ranges::any_of(brought_, clashes))
      refuse("there is a transport of the name '" + name + "' or with the profile tag " +
             std::to_string(tag) + " already");
    if (parts_.references.transports.all().size() + brought_.size() == parts_.references.transports.most)
      refuse("an ORB has at most " + std::to_string(parts_.references.transports.most) + " transports");
    brought_.push_back(std::move(transport));
  }
  [[noreturn]] void refuse(const std::string& why) {
    if (refusal_.empty()) refusal_ = why;
    throw std::invalid_argument(why);
  }

  OrbParts& parts_;
  const std::string_view arguments_;
  std::vector<std::unique_ptr<transport::Transport>> brought_;
  std::vector<std::unique_ptr<const giop::CompressionMethod>> compressing_;
  std::vector<std::unique_ptr<const reference::PolicyControl>> controls_;
  std::string refusal_;
};

using Plugin = decltype(takt_plugin);

// The plug-ins that the program has linked and named, for all ORBs.
class LinkedPlugins {
 public:
  static LinkedPlugins& of_this_process() {
    static LinkedPlugins plugins;
    return plugins;
  }
  // False if another plug-in has the name.
  bool add(const std::string& name, Plugin* plugin) {
    std::lock_guard lock(mutex_);
    return plugins_.try_emplace(name, plugin).first->second == plugin;
  }
  // Null if there is none with that name.
  Plugin* find(const std::string& name) const {
    std::lock_guard lock(mutex_);
    const auto found = plugins_.find(name);
    return found == plugins_.end() ? nullptr : found->second;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Plugin*> plugins_;
};

[[noreturn]] void fail(const std::string& file, const std::string& why) {
  throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO, "option -ORBPlugin: " + file + ": " + why);
}

std::string text_of(std::uint32_t interface) {
  return std::to_string(interface >> 16) + '.' + std::to_string(interface & 0xffff);
}

// Returns the interface for which the plug-in was compiled.
std::uint32_t run(Plugin* plugin, const std::string& file, Registry& registry) {
  try {
    return plugin(plugin_interface, registry);
  } catch (const std::exception& thrown) {
    fail(file, registry.refusal().empty() ? std::string("it fails: ") + thrown.what() : registry.refusal());
  } catch (...) {
    fail(file, "it fails, and throws an exception that is not a std::exception");
  }
}

Plugin* plugin_of(const std::string& file) {
  const auto object = os::load_shared_object(file);
  if (!object) fail(file, object.error());
  const auto plugin = reinterpret_cast<Plugin*>(os::find_symbol(*object, "takt_plugin"));
  if (!plugin) fail(file, "it is not a plug-in: it has no function takt_plugin, see takt/orb/plugin.h");
  return plugin;
}

void load(const std::string& text, OrbParts& parts) {
  const auto colon = std::min(text.find(':'), text.size());
  const std::string file = text.substr(0, colon);
  Plugin* const linked = LinkedPlugins::of_this_process().find(file);
  Plugin* const plugin = linked ? linked : plugin_of(file);
  Registry registry(parts, std::string_view(text).substr(std::min(colon + 1, text.size())));
  const std::uint32_t interface = run(plugin, file, registry);
  if (interface != plugin_interface)
    fail(file, "it was compiled against interface " + text_of(interface) + ", and this ORB has " +
                   text_of(plugin_interface) + ": compile it with this ORB's headers");
  if (!registry.refusal().empty()) fail(file, registry.refusal());
  registry.take_over();
}

}  // namespace

void load_plugins(const std::vector<std::string>& texts, OrbParts& parts) {
  for (const std::string& text : texts) load(text, parts);
}

}  // namespace takt::orb

void takt::add_plugin(const std::string& name, decltype(takt_plugin)* plugin) {
  const auto refuse = [&](const char* why) {
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "takt::add_plugin: '" + name + "' " + why);
  };
  if (!plugin) refuse("has no function");
  if (name.empty() || name.find_first_of(":/ ") != name.npos)
    refuse(
        "is not a name: -ORBPlugin takes it, so it must not be empty, nor contain a colon, slash or "
        "space");
  if (!orb::LinkedPlugins::of_this_process().add(name, plugin)) refuse("is the name of another plug-in");
}

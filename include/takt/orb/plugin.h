// What a plug-in is written against: a shared object that an ORB loads (-ORBPlugin).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <takt/giop/compression_method.h>
#include <takt/giop/messaging_protocol.h>
#include <takt/reference/policy_control.h>
#include <takt/transport/transport.h>

namespace takt {

// Which interface a plug-in was compiled against. The upper half counts its changes; the lower half is made
// of the sizes of what goes through it by value, which other settings of the compiler may change.
inline constexpr std::uint32_t plugin_interface =
    6u << 16 | ((sizeof(transport::Endpoint) * 31 + sizeof(transport::ListenOptions)) * 31 +
                sizeof(transport::ConnectResult) + sizeof(transport::AcceptResult)) %
                   0xffff;

// Where a plug-in puts what it brings. Only while takt_plugin() runs, and only in its thread.
class PluginRegistry {
 public:
  // Into this ORB, which keeps it until it is gone itself. Throws std::invalid_argument, which a plug-in lets
  // through, for none, for a name that is not of lower-case letters and digits, and for one whose name or
  // profile tag is taken.
  virtual void add_transport(std::unique_ptr<transport::Transport> transport) = 0;
  // Likewise; its number is none of Takt's.
  virtual void add_compression(std::unique_ptr<const giop::CompressionMethod> method) = 0;
  // Likewise; its name and profile tag are no transport's.
  virtual void add_messaging(std::unique_ptr<const giop::MessagingProtocol> protocol) = 0;
  // Which may have any name; a few at most.
  virtual void add_policy_control(std::unique_ptr<const reference::PolicyControl> control) = 0;
  // One that is there, as for wrapping it; null: there is none of that name. Lives as long as what is added.
  virtual transport::Transport* find_transport(std::string_view name) = 0;
  // What follows the colon after the plug-in's file.
  virtual std::string_view arguments() const = 0;

 protected:
  PluginRegistry() = default;
  ~PluginRegistry() = default;
  PluginRegistry(const PluginRegistry&) = delete;
  PluginRegistry& operator=(const PluginRegistry&) = delete;
};

}  // namespace takt

// The one function that a plug-in has: once for each ORB that loads it, as it starts or, by
// takt::Configuration, while it runs. `interface` is the ORB's; where it is not takt::plugin_interface, the
// registry must not be touched. Gives takt::plugin_interface. What it throws keeps the ORB from starting, or
// from using it, which says what(). Its code stays loaded until the process ends.
extern "C" [[gnu::visibility("default")]] std::uint32_t takt_plugin(std::uint32_t interface,
                                                                    takt::PluginRegistry& registry);

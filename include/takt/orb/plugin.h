// The interface of plug-ins: shared objects that an ORB loads (-ORBPlugin).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <takt/config/personality.h>
#include <takt/giop/compression_method.h>
#include <takt/giop/messaging_protocol.h>
#include <takt/reference/policy_control.h>
#include <takt/server/request_order.h>
#include <takt/transport/stream_wrapper.h>
#include <takt/transport/transport.h>

namespace takt {

// Version of the interface for which a plug-in was compiled. The upper half counts changes. The lower half is
// derived from the sizes of types passed by value, which depend on compiler settings.
inline constexpr std::uint32_t plugin_interface =
    12u << 16 | ((sizeof(transport::Endpoint) * 31 + sizeof(transport::ListenOptions)) * 31 +
                 sizeof(transport::ConnectResult) + sizeof(transport::AcceptResult)) %
                    0xffff;

// Receives what a plug-in provides. Valid only during takt_plugin(), in its thread.
class PluginRegistry {
 public:
  // Adds a transport to this ORB, which keeps it as long as it exists. Throws std::invalid_argument for null,
  // for a name that is not of lower-case letters and digits, and for a name or profile tag that is taken. The
  // plug-in must let the exception pass.
  virtual void add_transport(std::unique_ptr<transport::Transport> transport) = 0;
  // The same for a compression method; its number must not be one of Takt's.
  virtual void add_compression(std::unique_ptr<const giop::CompressionMethod> method) = 0;
  // The same for a messaging protocol; its name and profile tag must not be those of a transport.
  virtual void add_messaging(std::unique_ptr<const giop::MessagingProtocol> protocol) = 0;
  // Adds a policy control, which may have any name. Their number is limited.
  virtual void add_policy_control(std::unique_ptr<const reference::PolicyControl> control) = 0;
  // Adds an order of waiting requests, which -ORBQueueOrder can name. Its name must be of lower-case letters,
  // digits and hyphens, and not that of another order.
  virtual void add_request_order(std::unique_ptr<const server::RequestOrder> order) = 0;
  // Adds a wrapper of streams, for connections that are opened or accepted from then on. Later wrappers stand
  // around earlier ones. Their number is limited.
  virtual void add_stream_wrapper(std::unique_ptr<const transport::StreamWrapper> wrapper) = 0;
  // An existing transport, for example to wrap it; null if there is none of that name. Lives as long as an
  // added one.
  virtual transport::Transport* find_transport(std::string_view name) = 0;
  // The text after the colon that follows the plug-in's file name.
  virtual std::string_view arguments() const = 0;

 protected:
  PluginRegistry() = default;
  ~PluginRegistry() = default;
  PluginRegistry(const PluginRegistry&) = delete;
  PluginRegistry& operator=(const PluginRegistry&) = delete;
};

}  // namespace takt

// The function that a plug-in exports. Called once for each ORB that loads it, at its start or later through
// takt::Configuration. `interface` is the ORB's; if it differs from takt::plugin_interface, do not use the
// registry. Returns takt::plugin_interface. An exception prevents the ORB from starting, or from using the
// plug-in; its what() is reported. The code stays loaded until the process ends.
extern "C" [[gnu::visibility("default")]] std::uint32_t takt_plugin(std::uint32_t interface,
                                                                    takt::PluginRegistry& registry);

// A second function, which a plug-in exports only if it has personalities. The ORB calls it while it reads
// its options, if -ORBPersonality is none of the ORB's own. That is before takt_plugin(), because presets
// decide how the ORB is made, and again at each -ORBReloadInterval. Returns takt::plugin_interface.
// Exceptions have the effect that those of takt_plugin() have.
extern "C" [[gnu::visibility("default")]] std::uint32_t takt_personalities(
    std::uint32_t interface, takt::PersonalityRegistry& registry);

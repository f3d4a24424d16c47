// The transport of traced.cpp as the conformance suite tests it.
#include <plugin_transport.h>
#include <transport_suite.h>

namespace takt::transport {
namespace {

const TestedTransport traced{
    .name = "traced",
    .make = []() -> std::unique_ptr<Transport> {
      return std::make_unique<PluginTransport>(&takt_plugin, "traced", "/dev/null");
    },
    .any = [] { return Endpoint{"traced", "127.0.0.1", 0}; },
    .impossible = [] { return Endpoint{"traced", "", 7}; },
};

}  // namespace

std::vector<const TestedTransport*> tested_transports() { return {&traced}; }

}  // namespace takt::transport

// Order of a queue in a plug-in, loaded while an ORB starts. Requests whose operations take the least time in
// the schedule are served first, which keeps the mean waiting time short.
//
//   -ORBPlugin ./shortest.so -ORBServerConcurrency worker-pool -ORBQueueOrder shortest
//
// Explained in docs/user/writing-a-strategy.md.
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>

#include <takt/orb/plugin.h>

namespace {

class Shortest final : public takt::server::RequestOrder {
 public:
  std::string_view name() const override { return "shortest"; }
  takt::server::Rank rank_of(const takt::server::WaitingRequest& request) const noexcept override {
    const bool known = request.timing && request.timing->execution.count() > 0;
    return {.first = known ? request.timing->execution.count() : std::numeric_limits<std::int64_t>::max()};
  }
};

}  // namespace

std::uint32_t takt_plugin(std::uint32_t interface, takt::PluginRegistry& registry) {
  if (interface == takt::plugin_interface) registry.add_request_order(std::make_unique<Shortest>());
  return takt::plugin_interface;
}

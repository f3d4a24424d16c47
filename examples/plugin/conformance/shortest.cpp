// The order of shortest.cpp as the conformance suite tests it.
#include <order_suite.h>
#include <plugin_registry.h>

#include <utility>

namespace takt::server {
namespace {

using namespace std::chrono_literals;

struct Registry final : test::PluginRegistry {
  void add_request_order(std::unique_ptr<const RequestOrder> one) override { order = std::move(one); }
  std::unique_ptr<const RequestOrder> order;
};

const RequestTiming quick{.execution = 10us}, slow{.execution = 2ms}, slowest{.execution = 1s};

const TestedOrder shortest{
    .name = "shortest",
    .make = []() -> std::shared_ptr<const RequestOrder> {
      Registry registry;
      takt_plugin(plugin_interface, registry);
      return std::move(registry.order);
    },
    .first_to_last =
        [] {
          return std::vector<WaitingRequest>{
              {.timing = &quick}, {.priority = 7, .timing = &slow}, {.timing = &slowest}};
        },
};

}  // namespace

std::vector<const TestedOrder*> tested_orders() { return {&shortest}; }

}  // namespace takt::server

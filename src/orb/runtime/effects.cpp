#include "orb/runtime/effects.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "orb/config/lane_options.h"
#include "orb/parts/parts.h"
#include "orb/runtime/runtime.h"
#include "orb/wiring/plugins.h"

namespace takt::orb {

namespace {

// Applies all limits from the settings.
void take_limits(Runtime& runtime, const Settings& now) {
  OrbParts& parts = runtime.parts();
  runtime.server().change_limits(now);
  set_limits(parts.protocol, now);
  set_limits(parts.client.options, now);
  set_limits(parts.server.options, now);
  set_limits(parts.object_adapter.tree().options, now);
  if (const auto change = chosen_parts().change_handshake_time)
    change(parts.references, now.tls_handshake_timeout);
}

// For options that are not limits, or need more than a limit.
struct Effect {
  std::string_view option;
  void (*take)(Runtime& runtime, const Settings& now);
};
constexpr Effect effects[] = {
    {"InitRef", [](Runtime& runtime, const Settings& now) { runtime.add_init_ref(now.init_refs.back()); }},
    {"ObjectKey",
     [](Runtime& runtime, const Settings& now) { runtime.add_object_key(now.object_keys.back()); }},
    {"Plugin",
     [](Runtime& runtime, const Settings& now) { load_plugins({now.plugins.back()}, runtime.parts()); }},
    {"ListenEndpoints",
     [](Runtime& runtime, const Settings& now) { runtime.server().listen_at(now.listen_endpoints.back()); }},
    {"Lanes",
     [](Runtime& runtime, const Settings& now) {
       runtime.parts().real_time->change_dynamic_threads(pool_lanes(now.lanes));
     }},
    {"RoundTripTimeout",
     [](Runtime& runtime, const Settings& now) {
       take_limits(runtime, now);
       runtime.parts().references.begin_generation();
     }},
    {"LogLevel", [](Runtime&, const Settings& now) { now.apply_log_level(); }},
};

}  // namespace

void take_effect(Runtime& runtime, const Option& option, const Settings& settings) {
  const Effect* const found = std::ranges::find(effects, option.name, &Effect::option);
  (found == std::end(effects) ? take_limits : found->take)(runtime, settings);
}

}  // namespace takt::orb

#include "orb/runtime/effects.h"

#include "config/lane_options.h"
#include "config/running_orb.h"
#include "orb/parts/parts.h"
#include "orb/runtime/runtime.h"
#include "orb/wiring/plugins.h"

namespace takt::orb {

namespace {

// Calls the rooms that take a changed option.
class Effects final : public RunningOrb {
 public:
  explicit Effects(Runtime& runtime) : runtime_(runtime), parts_(runtime.parts()) {}

  void take_limits(const Settings& now) override {
    runtime_.server().change_limits(now);
    set_limits(parts_, now);
    if (const auto change = chosen_parts().change_handshake_time)
      change(parts_.references, now.tls.handshake_time);
  }
  void change_round_trip_timeout(const Settings& now) override {
    take_limits(now);
    parts_.references.begin_generation();
  }
  void change_dynamic_threads(const Settings& now) override {
    parts_.real_time->pools().change_dynamic_threads(pool_lanes(now.threads.lanes));
  }
  void change_log_level(const Settings& now) override {
    now.apply_log_level();
    parts_.octets_left_log.watch(takes(parts_.server.log.get(), LogEvent::octets_left));
  }
  void add_init_ref(const Settings& now) override { runtime_.add_init_ref(now.runtime.init_refs.back()); }
  void add_object_key(const Settings& now) override {
    runtime_.add_object_key(now.runtime.object_keys.back());
  }
  void load_plugin(const Settings& now) override { load_plugins({now.runtime.plugins.back()}, parts_); }
  void listen_there_too(const Settings& now) override {
    runtime_.server().listen_at(now.serving.listen_endpoints.back());
  }

 private:
  Runtime& runtime_;
  OrbParts& parts_;
};

}  // namespace

void take_effect(Runtime& runtime, const Option& option, const Settings& settings) {
  Effects effects(runtime);
  (effects.*(option.live.effect ? option.live.effect : &RunningOrb::take_limits))(settings);
}

}  // namespace takt::orb

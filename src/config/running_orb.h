// The effects of changed options on a running ORB.
#pragma once

namespace takt::orb {

struct Settings;

// Each function gets settings that already have the change and whose options go together. It throws if the
// ORB cannot make the change; then nothing has changed. One thread at a time.
class RunningOrb {
 public:
  virtual ~RunningOrb() = default;
  // Applies all options that their rooms keep as LiveSetting, and all values derived from options.
  virtual void take_limits(const Settings& now) = 0;
  virtual void change_round_trip_timeout(const Settings& now) = 0;
  virtual void change_dynamic_threads(const Settings& now) = 0;
  virtual void change_log_level(const Settings& now) = 0;
  // The last item of the option's list is new.
  virtual void add_init_ref(const Settings& now) = 0;
  virtual void add_object_key(const Settings& now) = 0;
  virtual void load_plugin(const Settings& now) = 0;
  virtual void listen_there_too(const Settings& now) = 0;
};

}  // namespace takt::orb

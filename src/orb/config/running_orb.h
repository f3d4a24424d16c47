// What a change of an option asks of an ORB that runs.
#pragma once

namespace takt::orb {

struct Settings;

// Each function gets settings that already have the change and whose options go together. It throws where the
// ORB cannot change so; then nothing has changed. One thread at a time.
class RunningOrb {
 public:
  virtual ~RunningOrb() = default;
  // Every option that its room keeps as LiveSetting, and what follows from options.
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

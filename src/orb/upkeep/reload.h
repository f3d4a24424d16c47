// Reloading certificates and settings while an ORB runs.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "config/options_table.h"
#include "orb/startup/read_settings.h"

namespace takt::orb {

class Runtime;

// One thread at a time. Does not throw: refused changes are reported, and the old values stay.
class Reload {
 public:
  // The runtime must outlive it. `as_read`: the settings with which it was made.
  Reload(Runtime& runtime, EffectiveSettings as_read) : runtime_(runtime), last_(std::move(as_read)) {}

  void certificates();
  // Reads the file of Config again, with the original command line and environment. Applies differences to
  // the last time like takt::Configuration. If an option cannot change, reports why. If it refuses its new
  // value, or an item of it, the next call tries that again.
  void settings();
  // Any thread. No option changes from then on.
  void end() { ended_ = true; }
  bool has_ended() const { return ended_; }

 private:
  // Returns what the option has then.
  std::vector<std::string> change(const Option& option, const std::vector<std::string>& before,
                                  const std::vector<std::string>& now);
  std::vector<std::string> add_items(const Option& option, const std::vector<std::string>& before,
                                     const std::vector<std::string>& now);
  bool takes(const Option& option, const std::string& value);
  void say(std::string_view text) const;

  Runtime& runtime_;
  EffectiveSettings last_;
  std::atomic<bool> ended_{false};
};

// Reloads in threads of its own, because a reload may take long: a host's name, a naming service, and a file
// on the network may not answer.
class ReloadThread {
 public:
  // As in Reload.
  ReloadThread(Runtime& runtime, const EffectiveSettings& as_read);
  // Waits for a reload that runs, a second at most. A longer one then goes on by itself, changes no option
  // any more, and keeps the ORB.
  ~ReloadThread();
  ReloadThread(const ReloadThread&) = delete;
  ReloadThread& operator=(const ReloadThread&) = delete;

  // Begins a reload; if one runs, another one follows it. Does not block. One thread at a time.
  void begin();

 private:
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace takt::orb

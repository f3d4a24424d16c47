#include "orb/upkeep/reload.h"

#include <algorithm>

#include <takt/cdr/exception.h>

#include "config/option_values.h"
#include "orb/runtime/runtime.h"
#include "orb/wiring/tls_setup.h"

namespace takt::orb {

void Reload::say(std::string_view text) const {
  runtime_.settings().warnings.say("reload: " + std::string(text));
}

void Reload::certificates() {
  try {
    reload_certificates(runtime_.parts().references);
  } catch (const CORBA::SystemException& refused) {
    say(refused.detail());
  }
}

[[gnu::cold]] void Reload::settings() {
  if (last_.settings.runtime.config.empty()) return;
  EffectiveSettings now;
  try {
    now = read_again(last_.sources);
  } catch (const CORBA::SystemException& refused) {
    return say(std::string(refused.detail()) + "; the settings stay as they were");
  }
  now.settings.runtime.id = last_.settings.runtime.id;  // the argument of ORB_init is not among the sources
  for (const Option& option : options()) {
    const auto before = texts_of(option, last_.settings), present = texts_of(option, now.settings);
    if (before != present) change(option, before, present);
  }
  last_ = std::move(now);
}

void Reload::change(const Option& option, const std::vector<std::string>& before,
                    const std::vector<std::string>& now) try {
  LiveOptions& live = runtime_.options();
  if (option.live.how != Live::How::add) return live.set(runtime_, option.name, joined(option, now));
  for (const std::string& item : now)
    if (std::ranges::count(before, item) == 0) live.add(runtime_, option.name, item);
  for (const std::string& item : before)
    if (std::ranges::count(now, item) == 0)
      say(std::string(option.name) + ": '" + item + "' stays until the ORB is started again");
} catch (const CORBA::SystemException& refused) {
  say(refused.detail());
}

}  // namespace takt::orb

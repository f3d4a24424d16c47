#include "orb/config/settings.h"

namespace takt::orb {

Settings::Settings() = default;
Settings::Settings(const Settings&) = default;
Settings::Settings(Settings&&) noexcept = default;
Settings& Settings::operator=(const Settings&) = default;
Settings& Settings::operator=(Settings&&) noexcept = default;
Settings::~Settings() = default;

void Settings::apply_log_level() const { warnings.turn(log_level != "off" && log_level != "error"); }

}  // namespace takt::orb

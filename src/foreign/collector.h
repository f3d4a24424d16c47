// Collects what the settings of another ORB become.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "foreign/setting.h"
#include "foreign/translator.h"

namespace takt::orb::others {

class Collector {
 public:
  // The place of the settings that follow, as in TranslatedValue.
  void begin(std::string origin) { origin_ = std::move(origin); }
  const std::string& origin() const { return origin_; }

  // Takes one setting. `setting` is null if no table has it; then `name` is mentioned in a warning.
  void take(const Setting* setting, std::string_view name, std::string_view value);

  // For conversions.
  void set(std::string_view option, std::string text);
  // The level of the log, and the least that other settings ask for. 0: error, 1: warning, 2: info, 3: debug,
  // 4: trace.
  void log_level(int level) { log_ = {level, origin_}; }
  void log_at_least(int level) { asked_ = {level, origin_}; }
  void transient_on_timeout(bool does) { result_.transient_on_timeout = does; }
  void note(std::string_view text);
  void warn(std::string_view text);
  void fail(std::string_view text);

  // An endpoint that references contain besides those that they contain anyhow.
  void publish_too(std::string endpoint);

  // A folder for paths of sockets that are relative; of the last setting.
  std::string socket_folder;

  Translation finish();

 private:
  std::string at(std::string_view text) const;

  std::string origin_;
  Translation result_;
  struct Level {
    int level = -1;  // none
    std::string origin;
  };
  Level log_, asked_;
  std::vector<TranslatedValue> published_too_;
};

}  // namespace takt::orb::others

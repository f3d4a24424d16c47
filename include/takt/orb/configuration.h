// Reading the options of a running ORB, and changing those that can change.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <takt/orb/orb.h>
#include <takt/reference/object.h>

namespace takt {

// Any thread; not for the request path. Option names (without -ORB) and values are those of configuration
// files (docs/user/options.md also states which options can change). All functions throw BAD_PARAM for an
// unknown option and, after the ORB's shutdown or destruction, what the ORB itself throws.
class Configuration {
 public:
  // The configuration of the ORB, which it keeps alive. Throws BAD_PARAM for nil.
  static Configuration of(CORBA::object_reference<CORBA::ORB> orb);

  // One text; for a list, one per item.
  std::vector<std::string> get(std::string_view option) const;
  // The origin of the value: "default", "personality minimal", "takt.toml:3:1", "TAKT_LOG_LEVEL",
  // "-ORBLogLevel", "Configuration".
  std::string origin(std::string_view option) const;

  // Changes an option. Throws BAD_PARAM, as at the ORB's start, for a value that is out of range or conflicts
  // with other options. Throws BAD_INV_ORDER, with the reason, if the option cannot change while the ORB
  // runs. On failure nothing changes.
  void set(std::string_view option, std::string_view value);
  // Adds an item to a list. Throws like set(), and what using the item throws, such as INITIALIZE if it
  // cannot listen at an endpoint or load a plug-in.
  void add(std::string_view option, std::string_view item);

 private:
  explicit Configuration(CORBA::object_reference<CORBA::ORB> orb);

  CORBA::object_reference<CORBA::ORB> orb_;
};

}  // namespace takt

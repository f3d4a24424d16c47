// The options of an ORB that runs: what they are, and changing those that can be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <takt/orb/orb.h>
#include <takt/reference/object.h>

namespace takt {

// Any thread; not for the path of requests. Options by their names without -ORB, and their texts, are as in a
// configuration file (docs/user/options.md, which says which can be changed). All functions throw BAD_PARAM
// for an option that there is not, and as the ORB itself once it has been shut down or destroyed.
class Configuration {
 public:
  // Of this ORB, which it keeps. BAD_PARAM for nil.
  static Configuration of(CORBA::object_reference<CORBA::ORB> orb);

  // One text; of a list each item.
  std::vector<std::string> get(std::string_view option) const;
  // Where it comes from: "default", "personality minimal", "takt.toml:3:1", "TAKT_LOG_LEVEL", "-ORBLogLevel",
  // "Configuration".
  std::string origin(std::string_view option) const;

  // From now on. BAD_PARAM, as when the ORB starts, for a value that is out of range or does not go with
  // others. BAD_INV_ORDER, with the reason, where it cannot be changed while the ORB runs. Nothing is changed
  // then.
  void set(std::string_view option, std::string_view value);
  // To a list. Likewise; and what using the item throws, as INITIALIZE where an endpoint cannot be listened
  // at or a plug-in cannot be loaded.
  void add(std::string_view option, std::string_view item);

 private:
  explicit Configuration(CORBA::object_reference<CORBA::ORB> orb);

  CORBA::object_reference<CORBA::ORB> orb_;
};

}  // namespace takt

// What stands behind CORBA::ORB: its parts, wired.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <takt/reference/object.h>

#include "giop/references/object_url.h"
#include "orb/config/settings.h"
#include "orb/runtime/connect_at_start.h"
#include "orb/runtime/initial_references.h"
#include "orb/runtime/live_options.h"
#include "orb/server/server.h"
#include "orb/wiring/orb_parts.h"

namespace takt::orb {

// The composition root: strategies are chosen here and nowhere else. Any thread.
class Runtime {
 public:
  using Reference = CORBA::object_reference<CORBA::Object>;

  explicit Runtime(const EffectiveSettings& effective);
  ~Runtime();

  // As when it started; what has changed since, options() knows.
  const Settings& settings() const { return settings_; }
  OrbParts& parts() { return *parts_; }
  const std::shared_ptr<OrbParts>& shared_parts() const { return parts_; }
  Server& server() { return server_; }
  InitialReferences& initial_references() { return initial_references_; }

  LiveOptions& options() { return options_; }
  // One item of InitRef or ObjectKey. BAD_PARAM.
  void add_init_ref(const std::string& text);
  void add_object_key(const std::string& text);

  // Initial references and keys that options name. Once CORBA::ORB is there.
  void apply_options();
  // Signals, ReloadInterval and ServiceNotify of the settings that it was made with. INITIALIZE.
  void begin_upkeep(const EffectiveSettings& effective);

  Reference resolve(const std::string& name, int depth = 0);
  Reference from_text(const std::string& text, int depth = 0);
  std::string to_text(const Reference& object);

  // What each thread of the ORB opens before it serves; nothing is in it at first. Null without
  // -ORBConnectAtStart.
  ConnectionsAtStart* connections_at_start() { return connections_at_start_.get(); }
  void shut_down(bool wait);
  // BAD_INV_ORDER (OMG minor 4) after shutting down, OBJECT_NOT_EXIST once destroyed.
  void require_up() const;
  // What the time probes have recorded, where they were asked for. Throws PERSIST_STORE if that fails.
  void write_probes();
  // False: it was destroyed before.
  bool mark_destroyed() { return !destroyed_.exchange(true); }

 private:
  Reference from_addresses(const giop::ObjectUrl& url, int depth);
  Reference from_file(const std::string& path, int depth);

  const Settings settings_;  // as when it started
  LiveOptions options_;
  const std::shared_ptr<ConnectionsAtStart> connections_at_start_;
  const std::shared_ptr<OrbParts> parts_;
  Server server_;
  InitialReferences initial_references_;
  std::atomic<bool> destroyed_{false};
  std::shared_ptr<void> upkeep_;  // null where no option asks for any
};

}  // namespace takt::orb

// The implementation of CORBA::ORB: makes and connects its parts.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <takt/reference/object.h>

#include "config/settings.h"
#include "orb/runtime/connect_at_start.h"
#include "orb/runtime/initial_references.h"
#include "orb/runtime/live_options.h"
#include "orb/server/server.h"
#include "orb/wiring/orb_parts.h"
#include "reference/text/object_url.h"
#include "threads/locks/priority_mutex.h"

namespace takt::admin {
class Admin;
}
namespace takt::dynamic {
class OrbRequests;
}
namespace takt::recorder {
class RecordingDumps;
}

namespace takt::orb {

class Upkeep;

// The only place that chooses strategies. Any thread.
class Runtime {
 public:
  using Reference = CORBA::object_reference<CORBA::Object>;

  explicit Runtime(const EffectiveSettings& effective);
  ~Runtime();

  // The settings at the start; options() has the current ones.
  const Settings& settings() const { return settings_; }
  OrbParts& parts() { return *parts_; }
  const std::shared_ptr<OrbParts>& shared_parts() const { return parts_; }
  OrbServer& server() { return server_; }
  InitialReferences& initial_references() { return initial_references_; }
  // State of dynamic requests. Made by the first thread that asks for it.
  struct DynamicRequests {
    os::PriorityMutex mutex;
    std::shared_ptr<dynamic::OrbRequests> requests;
  };
  DynamicRequests& dynamic_requests() { return dynamic_requests_; }

  LiveOptions& options() { return options_; }
  // Take an item of InitRef or ObjectKey. Throw BAD_PARAM.
  void add_init_ref(const std::string& text);
  void add_object_key(const std::string& text);

  // Applies the options for initial references and object keys. Call once CORBA::ORB exists.
  void apply_options();
  // Applies Admin, Reflection, Signals, ReloadInterval and ServiceNotify. Throws INITIALIZE.
  void begin_upkeep(const EffectiveSettings& effective);

  // Applies Recorder. Throws INITIALIZE.
  void begin_recorder();
  // Throws INITIALIZE if the program has not chosen the reactor.
  void require_reactor() const;
  // Applies Tracing. Call once the ORB's initializers have run. Throws INITIALIZE and BAD_PARAM.
  void begin_tracing();

  Reference resolve(const std::string& name, int depth = 0);
  Reference from_text(const std::string& text, int depth = 0);
  std::string to_text(const Reference& object);

  // The objects to which each ORB thread connects before it serves; initially empty. Null without
  // -ORBConnectAtStart.
  ConnectionsAtStart* connections_at_start() { return connections_at_start_.get(); }
  void shut_down(bool wait);
  // Throws BAD_INV_ORDER (OMG minor 4) after the shutdown, OBJECT_NOT_EXIST after destroy().
  void require_up() const;
  // Call once, after the shutdown: ends the admin object, writes the run record and those of the time probes,
  // if enabled, and gives signals back. Throws PERSIST_STORE on failure.
  void finish();
  // Waits until the log's lines are written, for a second at most.
  void flush_log() noexcept;
  // False if it was destroyed before.
  bool mark_destroyed() { return !destroyed_.exchange(true); }

 private:
  // built_in_references.cpp
  void add_built_in_references();
  void add_scheduling_references();
  void add_optional_references();

  Reference from_addresses(const reference::ObjectUrl& url, int depth);
  Reference from_file(const std::string& path, int depth);

  const Settings settings_;  // at the start
  LiveOptions options_;
  const std::shared_ptr<ConnectionsAtStart> connections_at_start_;
  const std::shared_ptr<OrbParts> parts_;
  OrbServer server_;
  InitialReferences initial_references_;
  DynamicRequests dynamic_requests_;
  std::atomic<bool> destroyed_{false};
  std::shared_ptr<Upkeep> upkeep_;                   // null if no option needs it
  std::shared_ptr<admin::Admin> admin_;              // null without -ORBAdmin
  std::shared_ptr<recorder::RecordingDumps> dumps_;  // null without -ORBRecorderDumpOn
};

}  // namespace takt::orb

#include "orb/orb_table.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "adapter/poa/default_adapter.h"
#include "config/option_names.h"
#include "foreign/other_orb.h"
#include "orb/runtime/connect_at_start.h"
#include "orb/runtime/runtime.h"
#include "orb/startup/read_settings.h"
#include "os/process/standard_descriptors.h"

namespace takt::orb {

namespace {

struct ListedOrb {
  std::shared_ptr<CORBA::ORB> orb;  // null while `maker` makes it
  std::shared_ptr<logs::Log> log;
  std::thread::id maker;
  std::string options;  // the arguments that the ORB was made with
  Runtime* runtime = nullptr;
};

struct OrbTable {
  std::mutex mutex;
  std::condition_variable made;  // or given up
  std::map<std::string, ListedOrb> orbs;
};
// Never destroyed: an ORB that was not destroyed still serves while the process exits.
OrbTable& table() {
  static auto* orbs = new OrbTable;
  return *orbs;
}

// Writes the last log lines of ORBs that the program leaves running when it exits.
struct FlushAtExit {
  ~FlushAtExit() {
    const std::unique_lock lock(table().mutex, std::try_to_lock);
    if (!lock) return;
    for (const auto& [id, listed] : table().orbs)
      if (listed.log) (void)listed.log->flush(std::chrono::seconds(1));
  }
};

// Makes the root POA of the default ORB, whose name is empty, or else of another one.
bool open_root() {
  std::shared_ptr<CORBA::ORB> orb;
  {
    const std::lock_guard lock(table().mutex);
    for (const auto& [id, listed] : table().orbs)
      if (!orb) orb = listed.orb;
  }
  return orb && orb->resolve_initial_references("RootPOA");
}

std::shared_ptr<CORBA::ORB> make_orb(const EffectiveSettings& effective, Runtime*& made) {
  auto runtime = std::make_unique<Runtime>(effective);
  Runtime& wired = *runtime;
  auto orb = std::make_shared<CORBA::ORB>(std::move(runtime));
  wired.parts().references.orb = [weak = std::weak_ptr(orb)] {
    return CORBA::object_reference<CORBA::ORB>(weak.lock());
  };
  wired.require_reactor();
  wired.begin_recorder();
  wired.apply_options();
  wired.begin_upkeep(effective);
  if (effective.remarks) effective.remarks->log_to(*effective.settings.log);
  static const FlushAtExit at_exit;
  adapter::set_open_root(&open_root);
  made = &wired;
  return orb;
}

// Errors for a value name its option. Adds the value's origin, unless that is the command line.
template <class Failure>
[[noreturn]] void fail_with_origin(const Failure& failure, const EffectiveSettings& effective) {
  constexpr std::string_view prefix = "option -ORB";
  const std::string_view text = failure.detail();
  if (!text.starts_with(prefix)) throw failure;
  const std::string_view rest = text.substr(prefix.size());
  const Option* const option = find_option(rest.substr(0, rest.find(':')));
  if (!option) throw failure;
  const std::string& origin = effective.origin_of(*option);
  if (origin.starts_with("-ORB")) throw failure;
  throw Failure(failure.minor(), failure.completed(), origin + ": " + std::string(rest));
}

std::shared_ptr<CORBA::ORB> make_with_origins(const EffectiveSettings& effective, Runtime*& made) {
  try {
    return make_orb(effective, made);
  } catch (const CORBA::BAD_PARAM& refused) {
    fail_with_origin(refused, effective);
  } catch (const CORBA::INITIALIZE& failed) {
    fail_with_origin(failed, effective);
  }
}

// In a forked child: frees the name of an ORB that the parent uses, whose threads are not here to end it.
void rename_inherited(const std::string& id) {
  const auto found = table().orbs.find(id);
  if (found == table().orbs.end() || !found->second.runtime) return;
  if (!found->second.runtime->parts().client.process.is_other()) return;
  auto inherited = table().orbs.extract(found);
  inherited.key() += " of the parent of " + std::to_string(os::process_number());
  table().orbs.insert(std::move(inherited));
}

// Returns the ORB of that name. Null: none had the name, and it is reserved for one that this thread makes.
// Waits for another thread that makes it.
std::shared_ptr<CORBA::ORB> find_or_reserve(const std::string& id) {
  std::unique_lock lock(table().mutex);
  rename_inherited(id);
  for (;;) {
    const auto [found, is_new] = table().orbs.try_emplace(id);
    ListedOrb& listed = found->second;
    if (is_new) listed.maker = std::this_thread::get_id();
    if (is_new || listed.orb) return listed.orb;
    if (listed.maker == std::this_thread::get_id())
      throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO,
                                 "ORB_init: this thread is making the ORB '" + id +
                                     "', whose plug-ins and initial references cannot ask for it yet");
    table().made.wait(lock);
  }
}

// Warns of options for an ORB that exists already, unless it was made with the same ones.
void warn_of_ignored_options(const std::string& id, const std::string& ignored) {
  if (ignored.empty()) return;
  std::shared_ptr<logs::Log> log;  // written to without the lock
  {
    const std::lock_guard lock(table().mutex);
    const auto found = table().orbs.find(id);
    if (found == table().orbs.end() || ignored == found->second.options) return;
    log = found->second.log;
  }
  if (!log) return;
  const std::string text = "ORB_init: the ORB exists already, so these options have no effect:" + ignored;
  log->write({.event = LogEvent::warning, .reason = text});
}

// Makes the ORB without the lock, since plug-ins run and naming services are asked meanwhile. `made` receives
// the runtime if the ORB is new.
std::shared_ptr<CORBA::ORB> find_or_create(const EffectiveSettings& effective, Runtime*& made) {
  const std::string& id = effective.settings.runtime.id;
  std::string options = text_without_name(effective.sources.arguments);
  if (auto orb = find_or_reserve(id)) {
    warn_of_ignored_options(id, options);
    return orb;
  }
  std::shared_ptr<CORBA::ORB> orb;
  try {
    orb = make_with_origins(effective, made);
  } catch (...) {
    const std::lock_guard lock(table().mutex);
    table().orbs.erase(id);
    table().made.notify_all();
    throw;
  }
  const std::lock_guard lock(table().mutex);
  table().orbs[id] = {orb, effective.settings.log, {}, std::move(options), made};
  table().made.notify_all();
  return orb;
}

}  // namespace

void forget_orb(const CORBA::ORB& orb) {
  decltype(OrbTable::orbs)::node_type last;  // destroyed without the lock
  const std::lock_guard lock(table().mutex);
  const auto found = std::ranges::find(table().orbs, &orb, [](auto& one) { return one.second.orb.get(); });
  if (found != table().orbs.end()) last = table().orbs.extract(found);
}

}  // namespace takt::orb

CORBA::object_reference<CORBA::ORB> CORBA::ORB_init(int& argc, char* argv[], const std::string& orb_id) {
  takt::os::fill_standard_descriptors();  // before the ORB's first descriptor
  argc = static_cast<int>(std::find(argv, argv + argc, nullptr) - argv);
  if (takt::orb::keep_arguments) takt::orb::keep_arguments(argc, argv);
  auto effective = takt::orb::read_effective(argc, argv, takt::orb::process_environment());
  if (!orb_id.empty()) effective.settings.runtime.id = orb_id;
  takt::orb::Runtime* made = nullptr;
  const auto orb = takt::orb::find_or_create(effective, made);
  if (made) try {  // without the lock, since it may take long and other ORBs may start meanwhile
      if (takt::orb::run_initializers) takt::orb::run_initializers(*made);
      made->begin_tracing();
      takt::orb::connect_at_start(*made);
      made->flush_log();
    } catch (...) {
      orb->destroy();
      throw;
    }
  return CORBA::object_reference<CORBA::ORB>(orb);
}

#include "orb/runtime/connect_at_start.h"

#include <exception>
#include <string>
#include <utility>

#include <takt/orb/orb.h>
#include <takt/reference/messaging.h>

#include "orb/runtime/runtime.h"

namespace takt::orb {

namespace {

using Clock = std::chrono::steady_clock;

std::string shown(const std::string& name) {
  constexpr std::size_t most = 200;
  return "'" + name.substr(0, most) + (name.size() > most ? "..." : "") + "'";
}

void require_connections(CORBA::Object& object) {
  CORBA::PolicyList inconsistent;
  if (!object._validate_connection(inconsistent))
    throw CORBA::INV_POLICY(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                            "the policies of the ORB and of the server do not let calls through");
}

// Uses another reference with these policies.
void reach(CORBA::Object& object, const CORBA::PolicyList& policies) {
  const auto called = object._set_policy_overrides(policies, CORBA::SetOverrideType::ADD_OVERRIDE);
  require_connections(*called);
  if (called->_non_existent())
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the server does not have this object");
  require_connections(*called);  // to the target of a forward
}

// Returns an empty text on success.
std::string failure_of(Runtime& runtime, const std::string& name, ConnectionsAtStart& connections) {
  try {
    // Names of initial references have no colon, and URLs do.
    auto object = name.find(':') == std::string::npos ? runtime.resolve(name) : runtime.from_text(name);
    if (!object) throw CORBA::INV_OBJREF(0, CORBA::COMPLETED_NO, "is a nil reference");
    connections.add(name, object);  // threads started later may reach it
    reach(*object, {});
    return {};
  } catch (const CORBA::ORB::InvalidName&) {
    return "names no initial reference; see -ORBInitRef";
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

}  // namespace

void ConnectionsAtStart::add(std::string name, CORBA::object_reference<CORBA::Object> object) {
  const std::lock_guard lock(mutex_);
  items_.push_back({std::move(name), std::move(object)});
}

void ConnectionsAtStart::clear() {
  std::vector<Item> items;  // destroyed without the lock, since connections may close
  const std::lock_guard lock(mutex_);
  items.swap(items_);
}

void ConnectionsAtStart::open() noexcept {
  try {
    std::unique_lock lock(mutex_);
    const auto items = items_;
    lock.unlock();
    const auto until = Clock::now() + most_;
    for (const Item& item : items) open(item, until);
  } catch (const std::exception&) {  // out of memory: the first call will connect
  }
}

void ConnectionsAtStart::open(const Item& item, Clock::time_point until) {
  constexpr int steps = 3;  // steps that reach() takes
  std::string failure;
  try {
    const auto each = std::chrono::duration_cast<std::chrono::nanoseconds>(until - Clock::now()) / steps;
    if (each < std::chrono::milliseconds(1)) throw CORBA::TIMEOUT(0, CORBA::COMPLETED_NO, "no time was left");
    reach(*item.object, {CORBA::make_reference<Messaging::RelativeRoundtripTimeoutPolicy>(
                            static_cast<TimeBase::TimeT>(each.count() / 100))});
    return;
  } catch (const std::exception& caught) {
    failure = caught.what();
  }
  const std::lock_guard lock(mutex_);
  if (!told_.insert(item.name).second) return;
  warnings_.say("option -ORBConnectAtStart: a thread that is about to serve has not reached " +
                shown(item.name) + ": " + failure + "; its first call connects");
}

void connect_at_start(Runtime& runtime) {
  const Settings& settings = runtime.settings();
  ConnectionsAtStart* const connections = runtime.connections_at_start();
  if (!connections) return;
  std::string failures;
  for (const std::string& name : settings.runtime.connect_at_start)
    if (const std::string failure = failure_of(runtime, name, *connections); !failure.empty())
      failures.append(failures.empty() ? "" : "; ").append(shown(name)).append(": ").append(failure);
  if (failures.empty()) return;
  const std::string text = "option -ORBConnectAtStart: " + failures;
  if (settings.runtime.must_connect_at_start)
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                            text + " (-ORBConnectAtStartFailure warn goes on without)");
  settings.warnings.say(text);
}

}  // namespace takt::orb

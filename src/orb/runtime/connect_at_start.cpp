#include "orb/runtime/connect_at_start.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include <takt/orb/orb.h>
#include <takt/reference/messaging.h>

#include "config/settings.h"
#include "orb/runtime/runtime.h"
#include "reference/context/thread_context.h"
#include "reference/policies/overrides.h"

namespace takt::orb {

namespace {

using Clock = std::chrono::steady_clock;
using reference::Overrides;
using reference::ThreadContext;

std::string shown(const std::string& name) {
  constexpr std::size_t most = 200;
  return "'" + name.substr(0, most) + (name.size() > most ? "..." : "") + "'";
}

// When the calls for one object must be over, and how long each of them may take.
struct Limit {
  Clock::time_point until;
  std::chrono::nanoseconds call;
};

// Runs `step`, whose calls must end within the limit.
template <typename Step>
auto within(const Limit& limit, Step step) {
  const auto left = std::min<std::chrono::nanoseconds>(limit.until - Clock::now(), limit.call);
  if (left < std::chrono::milliseconds(1)) throw CORBA::TIMEOUT(0, CORBA::COMPLETED_NO, "no time was left");
  struct Restored {
    ThreadContext& thread = ThreadContext::mine();
    const std::shared_ptr<const Overrides> former = thread.overrides();
    ~Restored() { thread.use_overrides(former); }
  } context;
  context.thread.use_overrides(
      Overrides::changed(context.former,
                         {CORBA::make_reference<Messaging::RelativeRoundtripTimeoutPolicy>(
                             static_cast<TimeBase::TimeT>(left.count() / 100))},
                         CORBA::SetOverrideType::ADD_OVERRIDE));
  return step();
}

void require_connections(CORBA::Object& object, const Limit& limit) {
  CORBA::PolicyList inconsistent;
  if (!within(limit, [&] { return object._validate_connection(inconsistent); }))
    throw CORBA::INV_POLICY(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                            "the policies of the ORB and of the server do not let calls through");
}

// Uses another reference.
void reach(CORBA::Object& object, const Limit& limit) {
  const auto called = object._set_policy_overrides({}, CORBA::SetOverrideType::ADD_OVERRIDE);
  require_connections(*called, limit);
  if (within(limit, [&] { return called->_non_existent(); }))
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the server does not have this object");
  require_connections(*called, limit);  // to the target of a forward
}

// Returns an empty text on success.
std::string failure_of(Runtime& runtime, const std::string& name, ConnectionsAtStart& connections,
                       const Limit& limit) {
  try {
    // Names of initial references have no colon, and URLs do. A naming service may be asked for either.
    auto object = within(limit, [&] {
      return name.find(':') == std::string::npos ? runtime.resolve(name) : runtime.from_text(name);
    });
    if (!object) throw CORBA::INV_OBJREF(0, CORBA::COMPLETED_NO, "is a nil reference");
    connections.add(name, object);  // threads started later may reach it
    reach(*object, limit);
    return {};
  } catch (const CORBA::ORB::InvalidName&) {
    return "names no initial reference; see -ORBInitRef";
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

// When the next object's share of the time until `until` ends. `objects`: how many are left. It is an equal
// share of few objects, so that a silent peer leaves time for the next ones. Many objects have more than
// that, since most answer at once.
Clock::time_point share_of(Clock::time_point until, std::size_t objects) {
  const auto now = Clock::now();
  return now + (until - now) / static_cast<int>(std::min<std::size_t>(objects, 4));
}

// The limit of a call without policies.
std::chrono::nanoseconds most_of_a_call(const Settings& settings) {
  const std::chrono::nanoseconds most = settings.client.round_trip_timeout.get();
  return most.count() == 0 ? std::chrono::nanoseconds::max() : most;
}

}  // namespace

ConnectionsAtStart::ConnectionsAtStart(const Settings& settings)
    : warnings_(settings.warnings),
      most_(settings.runtime.connect_at_start_timeout),
      most_of_a_call_(most_of_a_call(settings)) {}

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
    std::size_t left = items.size();
    for (const Item& item : items) open(item, share_of(until, left--));
  } catch (const std::exception&) {  // out of memory: the first call will connect
  }
}

void ConnectionsAtStart::open(const Item& item, Clock::time_point until) {
  std::string failure;
  try {
    reach(*item.object, {until, most_of_a_call_});
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
  const auto until = Clock::now() + settings.runtime.connect_at_start_timeout;
  std::size_t left = settings.runtime.connect_at_start.size();
  for (const std::string& name : settings.runtime.connect_at_start)
    if (const std::string failure =
            failure_of(runtime, name, *connections, {share_of(until, left--), most_of_a_call(settings)});
        !failure.empty())
      failures.append(failures.empty() ? "" : "; ").append(shown(name)).append(": ").append(failure);
  if (failures.empty()) return;
  const std::string text = "option -ORBConnectAtStart: " + failures;
  if (settings.runtime.must_connect_at_start)
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                            text + " (-ORBConnectAtStartFailure warn goes on without)");
  settings.warnings.say(text);
}

}  // namespace takt::orb

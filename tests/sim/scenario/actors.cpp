#include "scenario/actors.h"

#include <algorithm>
#include <functional>
#include <thread>

#include "machine/finding.h"
#include "machine/machine.h"

namespace takt::sim {

using namespace std::chrono_literals;
using Told = Ledger::Told;

void Worker::take(std::uint32_t call, const Sim::Octets& argument) {
  if (!std::ranges::equal(argument, Ledger::argument(call, argument.size())))
    report_finding("call " + std::to_string(call) + " arrived with octets that it was not sent with");
  ledger_.run(call);
  if (plan_.faults.defect == Defect::upcall_twice && call % 4 == 3) ledger_.run(call);
  if (plan_.faults.defect == Defect::forgotten_memory && call % 4 == 3)
    kept_ = std::make_unique<int>(1).release();
}

void Worker::watch(CORBA::object_reference<Sim::Watcher> by) {
  const std::lock_guard lock(mutex_);
  watcher_ = std::move(by);
}

void Worker::tell(std::uint32_t call) {
  CORBA::object_reference<Sim::Watcher> watcher;
  {
    const std::lock_guard lock(mutex_);
    watcher = watcher_;
  }
  if (!watcher) return;
  try {
    if (watcher->begins(call) != call) report_finding("a call-back's reply is that of another");
  } catch (const CORBA::SystemException& failure) {
    if (plan_.calm()) report_finding(std::string("a call-back failed: ") + failure.what());
  }
}

Sim::Octets Worker::run(std::uint32_t call, const Sim::Octets& argument, std::uint32_t result_octets,
                        std::uint32_t microseconds) {
  take(call, argument);
  tell(call);
  if (microseconds > 0) std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
  if (call % 8 == 7) throw Sim::Refused(call);
  const bool wrong = plan_.faults.defect == Defect::reply_to_another && call % 4 == 1;
  return Sim::Octets(Ledger::result(wrong ? call + 1 : call, result_octets));
}

void Worker::note(std::uint32_t call, const Sim::Octets& argument) { take(call, argument); }

Actor::Actor(const char* name, std::function<void()> body) : body_(std::move(body)) {
  machine().scheduler.create(&handle_, nullptr, run, this);
  machine().scheduler.name(handle_, name);
}

void* Actor::run(void* actor) {
  static_cast<Actor*>(actor)->body_();
  return nullptr;
}

void Actor::join() {
  if (!std::exchange(joined_, true)) machine().scheduler.join(handle_, nullptr);
}

void Caller::run(const CORBA::object_reference<CORBA::ORB>& orb, const std::string& ior,
                 const CORBA::object_reference<Sim::Watcher>& watcher) {
  CORBA::object_reference<Sim::Work> work;
  try {
    work = IDL::traits<Sim::Work>::narrow(orb->string_to_object(ior));
  } catch (const CORBA::BAD_INV_ORDER&) {
    work = nullptr;  // the ORB was shut down before
  }
  if (work && watcher) try {
      work->watch(watcher);
    } catch (const CORBA::SystemException& failure) {
      if (plan_.calm()) report_finding(std::string("nothing can be watched: ") + failure.what());
    }
  for (unsigned i = 0; i < plan_.calls; ++i) {
    const std::uint32_t call = number_ * plan_.calls + i;
    if (work)
      make_call(work, call);
    else
      ledger_.end(call, Told::not_run);
    if (plan_.longest_pause > 0ns) std::this_thread::sleep_for(random_.between(Time(0), plan_.longest_pause));
  }
}

// Mostly small, sometimes as large as allowed.
std::size_t Caller::size() {
  return random_.below(random_.one_in(3) ? plan_.most_octets + 1
                                         : std::min<std::size_t>(plan_.most_octets, 40));
}

Caller::Lot Caller::draw() {
  Lot lot;
  lot.oneway = plan_.with_oneways && random_.one_in(3);
  if (lot.oneway)
    lot.scope = random_.one_of({Messaging::SYNC_NONE, Messaging::SYNC_WITH_TRANSPORT,
                                Messaging::SYNC_WITH_SERVER, Messaging::SYNC_WITH_TARGET});
  if (plan_.calm() && lot.scope == Messaging::SYNC_NONE)  // SYNC_NONE may fail if there is no room
    lot.scope = Messaging::SYNC_WITH_TRANSPORT;
  if (plan_.with_deadlines && random_.one_in(2)) lot.within = random_.one_of<Time>({500us, 5ms, 200ms});
  return lot;
}

CORBA::object_reference<Sim::Work> Caller::under_policies(const CORBA::object_reference<Sim::Work>& work,
                                                          const Lot& lot) {
  CORBA::PolicyList policies;
  if (lot.within > 0ns)
    policies.push_back(CORBA::make_reference<Messaging::RelativeRoundtripTimeoutPolicy>(
        static_cast<std::uint64_t>(lot.within.count() / 100)));
  if (lot.scope != Messaging::SYNC_WITH_TRANSPORT)
    policies.push_back(CORBA::make_reference<Messaging::SyncScopePolicy>(lot.scope));
  if (policies.empty()) return work;
  return IDL::traits<Sim::Work>::narrow(
      work->_set_policy_overrides(policies, CORBA::SetOverrideType::SET_OVERRIDE));
}

// The limit that docs/user/qos.md promises, plus delays of the simulation. `within`: a policy's limit, or 0.
Time Caller::longest(Time within) const {
  const Time chance = 500ms + 100 * plan_.faults.longest_stall;
  const Time sending = 10 * plan_.round_trip_timeout;
  const Time others =
      plan_.client_strategy == "multiplexed" ? static_cast<int>(plan_.clients) * sending : Time(0);
  if (within > 0ns) return within + others + chance;
  const Time once = plan_.connect_timeout + sending + 3 * plan_.round_trip_timeout + chance;
  return 11 * (once + others);
}

void Caller::make_call(const CORBA::object_reference<Sim::Work>& work, std::uint32_t number) {
  const Lot lot = draw();
  const auto target = under_policies(work, lot);
  const Time before = machine().scheduler.now();
  trace("call", number);
  const Told told = call(*target, number, lot);
  const Time took = machine().scheduler.now() - before;
  ledger_.end(number, told);
  if (took > longest(lot.within))
    report_finding("call " + std::to_string(number) + " took " + std::to_string(took / 1us) + " us of the " +
                   std::to_string(longest(lot.within) / 1us) + " us that it may take");
}

Told Caller::call(Sim::Work& work, std::uint32_t call, const Lot& lot) {
  try {
    if (!lot.oneway) return call_run(work, call);
    work.note(call, Sim::Octets(Ledger::argument(call, size())));
    return lot.scope == Messaging::SYNC_WITH_TARGET ? Told::result : Told::sent;
  } catch (const CORBA::SystemException& failure) {
    if (tracing().on) std::fprintf(stderr, "%s\n", failure.what());
    switch (failure.completed()) {
      case CORBA::COMPLETED_NO:
        return Told::not_run;
      case CORBA::COMPLETED_YES:
        // An interceptor's receive_reply says so of a oneway, too, that the server answers before it runs.
        return lot.oneway && lot.scope != Messaging::SYNC_WITH_TARGET ? Told::sent : Told::result;
      default:
        return Told::maybe_run;
    }
  }
}

Told Caller::call_run(Sim::Work& work, std::uint32_t call) {
  const std::size_t argument = size(), result = size();
  const auto microseconds =
      random_.one_in(3) ? static_cast<std::uint32_t>(random_.below(plan_.longest_upcall / 1us + 1)) : 0;
  try {
    const auto came = work.run(call, Sim::Octets(Ledger::argument(call, argument)),
                               static_cast<std::uint32_t>(result), microseconds);
    if (!std::ranges::equal(came, Ledger::result(call, result)))
      report_finding("call " + std::to_string(call) + " got a result that is not its own");
  } catch (const Sim::Refused& refusal) {
    if (refusal.call() != call)
      report_finding("call " + std::to_string(call) + " got an exception that is not its own");
  }
  return Told::result;
}

}  // namespace takt::sim

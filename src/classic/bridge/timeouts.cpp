#include "classic/bridge/timeouts_bridge.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <takt/orb/configuration.h>
#include <takt/reference/messaging.h>
#include <takt/reference/policy_manager.h>

#include "classic/bridge/orb_handle.h"
#include "classic/bridge/runtime.h"
#include "threads/locks/priority_mutex.h"

namespace takt::classic::timeouts {

namespace {

using Policies = std::vector<CORBA::object_reference<CORBA::Policy>>;

CORBA::object_reference<CORBA::Policy> limit(CORBA::ORB& orb, std::uint32_t milliseconds) {
  CORBA::Any time;
  time <<= static_cast<TimeBase::TimeT>(milliseconds) * 10'000;  // in units of 100 ns
  return orb.create_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, time);
}

// `present` with that limit in place of another; 0: with none.
Policies with_limit(CORBA::ORB& orb, Policies present, std::uint32_t milliseconds) {
  std::erase_if(present, [](const auto& policy) {
    return policy->policy_type() == Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE;
  });
  if (milliseconds > 0) present.push_back(limit(orb, milliseconds));
  return present;
}

void limit_calls(CORBA::ORB& orb, const char* manager_name, std::uint32_t milliseconds) {
  const auto object = orb.resolve_initial_references(manager_name);
  auto& manager = dynamic_cast<CORBA::PolicyManager&>(*object);
  manager.set_policy_overrides(with_limit(orb, manager.get_policy_overrides({}), milliseconds),
                               CORBA::SetOverrideType::SET_OVERRIDE);
}
void limit_connecting(CORBA::object_reference<CORBA::ORB> orb, std::uint32_t milliseconds) {
  Configuration::of(std::move(orb)).set("ConnectTimeout", std::to_string(milliseconds) + "ms");
}

// A reference keeps the object of each of its limits, as calls may be using it. So that a program which sets
// ever new limits takes a bounded amount of memory, those beyond this number are rounded.
constexpr std::uint32_t most_exact_limits = 256;
// The next number that has seven significant bits: larger by less than 1/64.
std::uint32_t rounded_up(std::uint32_t milliseconds) {
  const int bits = std::max(static_cast<int>(std::bit_width(milliseconds)) - 7, 0);
  const std::uint64_t unit = std::uint64_t{1} << bits;
  const std::uint64_t rounded = (milliseconds + unit - 1) / unit * unit;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(rounded, UINT32_MAX));
}

// The limits of the process. ORBs that are destroyed are forgotten when the next is made.
struct Process {
  os::PriorityMutex mutex;
  std::vector<CORBA::weak_object_reference<CORBA::ORB>> orbs;
  std::uint32_t calls = 0;
  std::uint32_t connecting = 0;

  // Does nothing with an ORB that has been shut down or destroyed.
  template <class Action>
  void with_each(Action&& action) {
    for (const auto& known : orbs)
      if (auto orb = known.lock()) try {
          action(std::move(orb));
        } catch (const CORBA::BAD_INV_ORDER&) {
        } catch (const CORBA::OBJECT_NOT_EXIST&) {
        }
  }
};
Process& process() {
  static Process the;
  return the;
}

}  // namespace

void made(OrbHandle& handle) {
  translating([&] {
    Process& the = process();
    const std::lock_guard lock(the.mutex);
    std::erase_if(the.orbs, [&](const auto& known) {
      const auto orb = known.lock();
      return !orb || orb.get() == handle.orb.get();
    });
    the.orbs.push_back(handle.orb.weak_reference());
    if (the.calls > 0) limit_calls(*handle.orb, "ORBPolicyManager", the.calls);
    if (the.connecting > 0) limit_connecting(handle.orb, the.connecting);
  });
}

OrbHandle* present_orb() {
  return translating([]() -> OrbHandle* {
    Process& the = process();
    const std::lock_guard lock(the.mutex);
    for (std::size_t i = the.orbs.size(); i-- > 0;)
      if (auto orb = the.orbs[i].lock()) return new OrbHandle{std::move(orb)};
    return nullptr;
  });
}

std::vector<CORBA::object_reference<CORBA::ORB>> living_orbs() {
  Process& the = process();
  const std::lock_guard lock(the.mutex);
  std::vector<CORBA::object_reference<CORBA::ORB>> living;
  for (const auto& known : the.orbs)
    if (auto orb = known.lock()) living.push_back(std::move(orb));
  return living;
}

void set_for_all(std::uint32_t milliseconds) {
  translating([&] {
    Process& the = process();
    const std::lock_guard lock(the.mutex);
    the.calls = milliseconds;
    the.with_each([&](const auto& orb) { limit_calls(*orb, "ORBPolicyManager", milliseconds); });
  });
}

void set_for(Reference& reference, std::uint32_t milliseconds) {
  translating([&] {
    const std::lock_guard lock(process().mutex);
    const Reference::Limited* limited = reference.find(milliseconds);
    if (!limited && reference.limits() >= most_exact_limits) {
      milliseconds = rounded_up(milliseconds);
      limited = reference.find(milliseconds);
    }
    if (!limited) {
      CORBA::Object& object = *reference.first_object();
      const auto policies = with_limit(*object._get_orb(), object._get_policy_overrides({}), milliseconds);
      limited = reference.add(milliseconds,
                              object._set_policy_overrides(policies, CORBA::SetOverrideType::SET_OVERRIDE));
    }
    reference.use(limited);
  });
}

bool set_for_thread(std::uint32_t milliseconds) {
  return translating([&] {
    Process& the = process();
    const std::lock_guard lock(the.mutex);
    bool set = false;
    // The thread's policies are the same for all ORBs.
    the.with_each([&](const auto& orb) {
      if (!set) limit_calls(*orb, "PolicyCurrent", milliseconds);
      set = true;
    });
    return set;
  });
}

void set_for_connecting(std::uint32_t milliseconds) {
  if (milliseconds == 0) return;
  translating([&] {
    Process& the = process();
    const std::lock_guard lock(the.mutex);
    the.connecting = milliseconds;
    the.with_each([&](const auto& orb) { limit_connecting(orb, milliseconds); });
  });
}

}  // namespace takt::classic::timeouts

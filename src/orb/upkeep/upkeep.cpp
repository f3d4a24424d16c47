#include "orb/upkeep/upkeep.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <optional>
#include <string>

#include <takt/cdr/exception.h>
#include <takt/orb/orb.h>

#include "config/option_values.h"
#include "config/reports/untaken_sockets.h"
#include "orb/runtime/runtime.h"
#include "orb/upkeep/reload.h"
#include "os/error_text.h"
#include "os/process/service_manager.h"
#include "os/process/signal_wait.h"

namespace takt::orb {

namespace {

using namespace std::chrono_literals;

os::SignalSet wanted_signals(const Settings& settings) {
  os::SignalSet wanted;
  for (const std::string& name : settings.runtime.signals) {
    if (name == "TERM")
      wanted.terminate = true;
    else if (name == "INT")
      wanted.interrupt = true;
    else if (name == "HUP")
      wanted.hang_up = true;
    else
      throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                              not_valid("option -ORBSignals", name, "it takes TERM, INT and HUP"));
  }
  return wanted;
}

std::unique_ptr<os::SignalWait> take_signals(const Settings& settings) {
  const os::SignalSet wanted = wanted_signals(settings);
  auto taken = os::SignalWait::take(wanted);
  if (!taken)
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                            "option -ORBSignals: no more ORBs of this process can wait for signals: " +
                                os::error_text(taken.error()));
  if ((*taken)->taken() != wanted)
    settings.warnings.say("the program handles some of the signals of -ORBSignals itself; it keeps those");
  return std::move(*taken);
}

// Reports to the service manager, which may be empty, when clients are served and when they no longer are.
// These reports are sent once: if a busy manager lost one, it would end the service.
void report_to(const std::optional<os::ServiceManager>& manager, OrbServer& server,
               const Warnings& warnings) {
  server.watch([manager, warnings](ServerPhase phase) {
    if (phase == ServerPhase::serving) warn_of_untaken_sockets(warnings);
    if (!manager) return;
    if (const int error = manager->tell(phase == ServerPhase::serving ? "READY=1" : "STOPPING=1", 1s))
      warnings.say("NOTIFY_SOCKET: the service manager cannot be told: " + os::error_text(error));
  });
}

os::TimePoint next_time(std::chrono::nanoseconds interval) {
  return interval == 0ns ? os::no_deadline : os::Clock::now() + interval;
}

}  // namespace

class Upkeep::Work {
 public:
  // Notifies the watchdog twice per expected interval.
  Work(Runtime& runtime, const EffectiveSettings& effective, std::unique_ptr<os::SignalWait> signals,
       std::optional<os::ServiceManager> manager)
      : runtime_(runtime),
        reload_(runtime, effective),
        reload_interval_(effective.settings.runtime.reload_interval),
        signals_(std::move(signals)),
        manager_(std::move(manager)),
        watchdog_interval_(manager_ ? manager_->watchdog() / 2 : 0ns) {}

  void keep();
  void end() {
    over_ = true;
    signals_->wake();
  }

 private:
  void end_orb();

  Runtime& runtime_;
  ReloadThread reload_;
  const std::chrono::nanoseconds reload_interval_;  // 0: never
  const std::unique_ptr<os::SignalWait> signals_;
  const std::optional<os::ServiceManager> manager_;
  const std::chrono::nanoseconds watchdog_interval_;  // 0: never
  std::atomic<bool> over_{false};
};

[[gnu::cold]] std::unique_ptr<Upkeep> Upkeep::begin(Runtime& runtime, const EffectiveSettings& effective) {
  const Settings& settings = effective.settings;
  std::optional<os::ServiceManager> manager;
  if (settings.runtime.service_notify) manager = os::ServiceManager::of_process();
  if (manager || os::passed_descriptors() > 0) report_to(manager, runtime.server(), settings.warnings);
  const bool watched = manager && manager->watchdog() > 0ns;
  if (settings.runtime.signals.empty() && settings.runtime.reload_interval == 0ns && !watched) return nullptr;
  std::unique_ptr<Upkeep> upkeep(
      new Upkeep(std::make_shared<Work>(runtime, effective, take_signals(settings), std::move(manager))));
  auto started = os::Thread::start({.name = "takt-upkeep"}, [work = upkeep->work_] { work->keep(); });
  if (!started)
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                            "no thread for -ORBSignals and the like: " + os::error_text(started.error()));
  upkeep->thread_ = std::move(*started);
  return upkeep;
}

Upkeep::~Upkeep() {
  work_->end();
  thread_.join();
}

void Upkeep::Work::keep() {
  os::TimePoint reload = next_time(reload_interval_);
  os::TimePoint told = watchdog_interval_ == 0ns ? os::no_deadline : os::Clock::now();
  while (!over_) {
    const os::SignalSet came = signals_->wait_until(std::min(reload, told));
    if (over_) return;
    const os::TimePoint now = os::Clock::now();
    if (now >= told) {
      manager_->tell("WATCHDOG=1");
      told = now + watchdog_interval_;
    }
    if (came.hang_up) runtime_.settings().log->reopen();
    if (came.hang_up || now >= reload) {
      reload_.begin();
      reload = next_time(reload_interval_);
    }
    if (came.terminate || came.interrupt) end_orb();
  }
}

// A thread in ORB::run() completes the shutdown; without one, this thread does.
void Upkeep::Work::end_orb() {
  if (over_) return;
  const auto orb = runtime_.parts().references.orb();  // until the shutdown is over, in which servants end
  try {
    runtime_.server().await_run(200ms);
    runtime_.shut_down(false);
  } catch (const std::exception& failure) {
    runtime_.settings().warnings.say(std::string("a signal that ends the ORB: ") + failure.what());
  }
}

}  // namespace takt::orb

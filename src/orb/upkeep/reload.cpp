#include "orb/upkeep/reload.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <utility>

#include <takt/cdr/exception.h>
#include <takt/orb/orb.h>

#include "config/option_values.h"
#include "orb/runtime/runtime.h"
#include "orb/wiring/tls_setup.h"
#include "os/error_text.h"
#include "threads/locks/priority_condition.h"
#include "threads/thread.h"

namespace takt::orb {

void Reload::say(std::string_view text) const {
  runtime_.settings().warnings.say("reload: " + std::string(text));
}

void Reload::certificates() {
  try {
    reload_certificates(runtime_.parts().references);
  } catch (const CORBA::SystemException& refused) {
    say(refused.detail());
  } catch (const std::exception& failure) {
    say(std::string("certificates: ") + failure.what());
  }
}

[[gnu::cold]] void Reload::settings() try {
  if (last_.settings.runtime.config.empty()) return;
  EffectiveSettings now;
  try {
    now = read_again(last_.sources);
  } catch (const CORBA::SystemException& refused) {
    return say(std::string(refused.detail()) + "; the settings stay as they were");
  }
  now.settings.runtime.id = last_.settings.runtime.id;  // the argument of ORB_init is not among the sources
  for (const Option& option : options()) {
    const auto before = texts_of(option, last_.settings), present = texts_of(option, now.settings);
    if (before == present) continue;
    const auto taken = change(option, before, present);
    if (taken == present) continue;
    clear_list(option, now.settings);
    for (const std::string& text : taken) (void)add_item(option, text, now.settings);
  }
  last_ = std::move(now);
} catch (const std::exception& failure) {  // no memory
  say(std::string("settings: ") + failure.what());
}

// A fixed option is reported once: it has its new value when the ORB is started again.
std::vector<std::string> Reload::change(const Option& option, const std::vector<std::string>& before,
                                        const std::vector<std::string>& now) {
  if (option.live.how == Live::How::add) return add_items(option, before, now);
  const bool taken = takes(option, joined(option, now));
  return taken || option.live.how == Live::How::fixed ? now : before;
}

std::vector<std::string> Reload::add_items(const Option& option, const std::vector<std::string>& before,
                                           const std::vector<std::string>& now) {
  std::vector<std::string> taken;
  for (const std::string& item : now)
    if (std::ranges::count(before, item) != 0 || takes(option, item)) taken.push_back(item);
  for (const std::string& item : before)
    if (std::ranges::count(now, item) == 0)
      say(std::string(option.name) + ": '" + item + "' stays until the ORB is started again");
  return taken;
}

bool Reload::takes(const Option& option, const std::string& value) try {
  if (ended_) return false;
  LiveOptions& live = runtime_.options();
  if (option.live.how == Live::How::add)
    live.add(runtime_, option.name, value);
  else
    live.set(runtime_, option.name, value);
  return true;
} catch (const CORBA::SystemException& refused) {
  say(refused.detail());
  return false;
} catch (const std::exception& failure) {
  say(std::string(option.name) + ": " + failure.what());
  return false;
}

struct ReloadThread::State {
  State(Runtime& of, const EffectiveSettings& as_read) : runtime(of), reload(of, as_read) {}

  // Reloads again if begin() was called meanwhile.
  void run() {
    std::unique_lock lock(mutex);
    for (; again && !reload.has_ended(); lock.lock()) {
      again = false;
      lock.unlock();
      reload.certificates();
      reload.settings();
    }
    running = false;
    idle.notify_all();
  }

  Runtime& runtime;
  Reload reload;
  os::PriorityMutex mutex;
  os::PriorityCondition idle;
  bool running = false, again = false;  // guarded by mutex
};

ReloadThread::ReloadThread(Runtime& runtime, const EffectiveSettings& as_read)
    : state_(std::make_shared<State>(runtime, as_read)) {}

ReloadThread::~ReloadThread() {
  constexpr std::chrono::seconds patience{1};
  std::unique_lock lock(state_->mutex);
  state_->reload.end();
  state_->idle.wait_for(lock, patience, [this] { return !state_->running; });
}

void ReloadThread::begin() {
  const auto orb = state_->runtime.parts().references.orb();  // null if it is being destroyed
  const std::lock_guard lock(state_->mutex);
  state_->again = true;
  if (!orb || std::exchange(state_->running, true)) return;
  auto started = os::Thread::start({.name = "takt-reload"}, [state = state_, orb] { state->run(); });
  if (started) return started->detach();
  state_->running = false;
  state_->runtime.settings().warnings.say("reload: no thread: " + os::error_text(started.error()));
}

}  // namespace takt::orb

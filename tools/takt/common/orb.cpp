#include "common/orb.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <string_view>
#include <utility>

#include <takt/os/clock.h>

#include "orb/startup/read_settings.h"

namespace takt::command {
namespace {

// The options as main() gets them.
struct Arguments {
  explicit Arguments(const std::vector<std::string>& options) {
    words.insert(words.end(), options.begin(), options.end());
    for (std::string& word : words) pointers.push_back(word.data());
    count = static_cast<int>(pointers.size());
    pointers.push_back(nullptr);
  }

  std::vector<std::string> words{"takt"};
  std::vector<char*> pointers;
  int count = 0;
};

// Options that are for a server, with the values by which an ORB does without.
constexpr std::pair<std::string_view, std::string_view> of_servers[] = {
    {"-ORBAdmin", "off"},        {"-ORBConnectAtStart", ""}, {"-ORBLockMemory", "off"},
    {"-ORBRecorder", "0"},       {"-ORBRecorderDumpOn", ""}, {"-ORBRecorderFile", ""},
    {"-ORBReloadInterval", "0"}, {"-ORBRunRecord", ""},      {"-ORBServiceNotify", "off"},
    {"-ORBSignals", ""},         {"-ORBTimeProbes", ""},     {"-ORBTraceFile", ""},
};

}  // namespace

CORBA::object_reference<CORBA::ORB> orb_of(const std::vector<std::string>& options, const std::string& id) {
  Arguments arguments(options);
  CORBA::object_reference<CORBA::ORB> orb;
  try {
    orb = CORBA::ORB_init(arguments.count, arguments.pointers.data(), id);
  } catch (const CORBA::SystemException& failure) {
    fail(failure.what());
  }
  if (arguments.count > 1)
    fail(std::string("unknown argument '") + arguments.pointers[1] + "'; `takt options` lists the options");
  return orb;
}

CORBA::object_reference<CORBA::ORB> client_orb_of(std::vector<std::string> options, const std::string& id) {
  for (const auto& [option, without] : of_servers) {
    if (std::ranges::find(options, option) != options.end()) continue;
    options.emplace_back(option);
    options.emplace_back(without);
  }
  return orb_of(options, id);
}

orb::EffectiveSettings effective_settings(const std::vector<std::string>& options) {
  Arguments arguments(options);
  return orb::read_effective(arguments.count, arguments.pointers.data(), orb::process_environment());
}

void take_orb_options(const Command& command, std::vector<std::string>& options, const std::string& example,
                      const std::string& further) {
  command.take_prefixed("-ORB", options);
  command.set_footer("Also takes options of the ORB, such as " + example + "." +
                     (further.empty() ? "" : " ") + further);
}

AwaitedSignals::AwaitedSignals(std::initializer_list<int> signals) {
  sigemptyset(&signals_);
  for (const int each : signals) sigaddset(&signals_, each);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
}

int AwaitedSignals::wait() const {
  int signal = 0;
  while (sigwait(&signals_, &signal) != 0) {
  }
  return signal;
}

void AwaitedSignals::release() const { pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr); }

bool AwaitedSignals::wait_for(std::chrono::nanoseconds time) const {
  const auto end = os::Clock::now() + time;
  while (true) {
    const std::chrono::nanoseconds left = os::remaining(end, os::Clock::now());
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec at_most{whole.count(), (left - whole).count()};
    if (sigtimedwait(&signals_, nullptr, &at_most) > 0) return true;
    if (errno != EINTR) return false;
  }
}

}  // namespace takt::command

// takt top: shows the state of an ORB, again and again.
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <optional>

#include "admin/source.h"
#include "admin/view.h"
#include "common/command.h"
#include "common/interrupt.h"
#include "common/orb.h"

namespace takt::command {
namespace {

using Clock = std::chrono::steady_clock;

struct TopSettings {
  std::string orb;
  std::uint64_t count = 0;
  std::chrono::nanoseconds interval = std::chrono::seconds(2), timeout = std::chrono::seconds(2);
  std::vector<std::string> orb_options;
  bool as_json = false;
};

// Standard output: a terminal that is drawn anew, or a stream to which each look is appended.
class Screen {
 public:
  explicit Screen(bool redraws) : redraws_(redraws) {}
  bool redraws() const { return redraws_; }
  void show(const View& view) {
    winsize size{};
    if (redraws_) (void)::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    put(text_of(view, size.ws_col, size.ws_row));
  }
  // In a terminal, the cursor goes home, each line's rest is erased, and what is below.
  void put(const std::string& text) {
    if (!redraws_) {
      std::cout << (first_ ? "" : "\n") << text << std::flush;
    } else {
      std::string drawn = first_ ? "\x1b[2J\x1b[H" : "\x1b[H";
      for (const char c : text) drawn += c == '\n' ? std::string("\x1b[K\n") : std::string(1, c);
      std::cout << drawn << "\x1b[J" << std::flush;
    }
    first_ = false;
  }

 private:
  const bool redraws_;
  bool first_ = true;
};

void run(const TopSettings& settings) {
  Screen screen(!settings.as_json && ::isatty(STDOUT_FILENO) == 1);
  const std::uint64_t looks = settings.count == 0 && !screen.redraws() ? 1 : settings.count;
  const ClientOrb orb(settings.timeout, settings.orb_options);
  const AdminSource source(orb, settings.orb);
  end_at_interrupt();
  std::optional<Takt::Admin::State> before;
  bool answered = false;
  auto next = Clock::now();
  for (std::uint64_t look = 0; !interrupted && (looks == 0 || look < looks); ++look) {
    if (look != 0) wait_until(next);
    if (interrupted) break;
    next = std::max(next + settings.interval, Clock::now());
    try {
      Takt::Admin::State now = source.look();
      const View view = view_of(before, now);
      settings.as_json
          ? void(std::cout << json_of(view).dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl)
          : screen.show(view);
      before = std::move(now);
      answered = true;
    } catch (const CORBA::SystemException& failure) {
      if (!screen.redraws()) fail(source.name() + ": " + failure.what(), negative);
      screen.put(source.name() + " does not answer: " + failure.what() + "\n");
      answered = false;
    }
  }
  if (!answered && !interrupted) throw Answer{negative};
}

}  // namespace

void add_top(const Command& program) {
  const auto settings = std::make_shared<TopSettings>();
  const Command top =
      program.add_command("top", "Shows the state of an ORB with -ORBAdmin: queues, calls, durations.");
  top.add(
      "orb", settings->orb,
      "an admin endpoint, such as unix:/run/server/admin; or a reference. Without it iiop://localhost:2810");
  top.add("-i,--interval", settings->interval, "time from one look to the next",
          {std::chrono::milliseconds(50), longest_interval})
      .show_default();
  top.add("-c,--count", settings->count, "number of looks; 0: until Ctrl-C in a terminal, and one elsewhere")
      .show_default();
  top.add("--timeout", settings->timeout, "time to wait for a connection, and for an answer", call_times)
      .show_default();
  top.add_flag("--json", settings->as_json, "print each look as one line of JSON");
  take_orb_options(top, "-ORBTLSAuthorities authority.pem");
  top.on_chosen([settings, top] {
    settings->orb_options = top.prefixed();
    run(*settings);
  });
}

}  // namespace takt::command

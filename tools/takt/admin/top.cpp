// takt top: shows the state of an ORB, again and again.
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "admin/services_view.h"
#include "admin/source.h"
#include "admin/view.h"
#include "common/command.h"
#include "common/interrupt.h"
#include "common/orb.h"
#include "common/side_by_side.h"

namespace takt::command {
namespace {

using Clock = std::chrono::steady_clock;

struct TopSettings {
  std::string orb;
  ServiceTargets targets;
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
  // Columns and lines; 0 without a terminal.
  std::pair<std::size_t, std::size_t> size() const {
    winsize size{};
    if (redraws_) (void)::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    return {size.ws_col, size.ws_row};
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

// The ORB, the services, or both that are looked at. Those that do not answer do not hide the others.
class Viewed {
 public:
  Viewed(const ClientOrb& orb, const TopSettings& settings)
      : services_(viewed_services(orb, settings.targets)), failures_(services_.size()) {
    if (services_.empty() || !settings.orb.empty()) source_.emplace(orb, settings.orb);
  }
  void look() {
    const std::size_t orbs = source_ ? 1 : 0;
    side_by_side(orbs + services_.size(), [this, orbs](std::size_t i) {
      if (i < orbs) return look_at_orb();
      ViewedService& service = *services_[i - orbs];
      failures_[i - orbs] = failure_of(service.target(), [&] { service.look(); });
    });
  }
  bool all_answered() const { return failures().empty(); }
  bool none_answered() const { return failures().size() == services_.size() + (source_ ? 1 : 0); }
  // One text for each target that does not answer, with the reason.
  std::vector<std::string> failures() const {
    std::vector<std::string> all = failures_;
    all.push_back(failure_);
    std::erase(all, "");
    return all;
  }
  // The services have up to half of the lines.
  std::string text(std::size_t columns, std::size_t most_lines) const {
    Lines lines(columns);
    const std::size_t for_services = source_ ? most_lines / 2 : most_lines;
    for (std::size_t i = 0; i < services_.size(); ++i) {
      if (i != 0) lines.add("");
      if (failures_[i].empty())
        services_[i]->add_to(lines, for_services * (i + 1) / services_.size());
      else
        lines.add_wrapped(failures_[i]);
    }
    if (!source_) return lines.text();
    const std::size_t left = most_lines == 0 ? 0 : most_lines - std::min(most_lines - 1, lines.count() + 1);
    return text_of_orb(columns, left) + (services_.empty() ? "" : "\n" + lines.text());
  }
  Json json() const {
    Json json = !source_           ? Json::object()
                : failure_.empty() ? json_of(*view_)
                                   : silent(source_->name(), failure_);
    for (std::size_t i = 0; i < services_.size(); ++i)
      json["services"].push_back(failures_[i].empty() ? services_[i]->json()
                                                      : silent(services_[i]->target(), failures_[i]));
    return json;
  }

 private:
  void look_at_orb() {
    failure_ = failure_of(
        source_->name(),
        [this] {
          auto now = source_->look();
          view_ = view_of(before_, now);
          before_ = std::move(now);
        },
        why_no_state);
  }
  // Empty if there was an answer.
  template <class Ask>
  static std::string failure_of(const std::string& whom, const Ask& ask,
                                std::string (*why)(const CORBA::SystemException&) = plain_text) {
    try {
      ask();
      return {};
    } catch (const CORBA::SystemException& failure) {
      return whom + ": does not answer: " + why(failure);
    }
  }
  static std::string plain_text(const CORBA::SystemException& failure) { return failure.what(); }
  static Json silent(const std::string& target, const std::string& failure) {
    return {{"target", target}, {"failure", failure}};
  }
  std::string text_of_orb(std::size_t columns, std::size_t most_lines) const {
    if (failure_.empty()) return text_of(*view_, columns, most_lines);
    Lines lines(columns);
    lines.add_wrapped(failure_);
    return lines.text();
  }

  std::optional<AdminSource> source_;
  const std::vector<std::unique_ptr<ViewedService>> services_;
  std::optional<Takt::Admin::State> before_;
  std::optional<View> view_;
  std::string failure_;                // names the ORB; empty if it has answered
  std::vector<std::string> failures_;  // the same of each service
};

void run(const TopSettings& settings) {
  Screen screen(!settings.as_json && ::isatty(STDOUT_FILENO) == 1);
  const std::uint64_t looks = settings.count == 0 && !screen.redraws() ? 1 : settings.count;
  const ClientOrb orb(settings.timeout, settings.orb_options);
  Viewed viewed(orb, settings);
  end_at_interrupt();
  bool answered = false;
  auto next = Clock::now();
  for (std::uint64_t look = 0; !interrupted && (looks == 0 || look < looks); ++look) {
    if (look != 0) wait_until(next);
    if (interrupted) break;
    next = std::max(next + settings.interval, Clock::now());
    viewed.look();
    answered = viewed.all_answered();
    // A script that has named no target that answers is told at once.
    if (look == 0 && viewed.none_answered() && !screen.redraws()) fail(viewed.failures().front(), negative);
    const auto [columns, lines] = screen.size();
    if (settings.as_json)
      std::cout << viewed.json().dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
    else
      screen.put(viewed.text(columns, lines));
  }
  if (!answered && !interrupted) throw Answer{negative};
}

}  // namespace

void add_top(const Command& program) {
  const auto settings = std::make_shared<TopSettings>();
  const Command top =
      program.add_command("top", "Shows the state of an ORB with -ORBAdmin: queues, calls, durations.");
  top.add("orb", settings->orb,
          "an admin endpoint, such as unix:/run/server/admin; or a reference. Without it and without "
          "services iiop://localhost:2810");
  top.add("--streams", settings->targets.devices,
          "devices of takt stream receive too, such as corbaloc::localhost:2814/TaktStreams")
      .one_at_a_time();
  top.add("--trading", settings->targets.traders,
          "traders of takt trade serve too, such as corbaloc::localhost:2813/TaktTrading")
      .one_at_a_time();
  top.add("--imr", settings->targets.repositories,
          "repositories of takt imr serve too, such as corbaloc::localhost:2812/TaktImr")
      .one_at_a_time();
  top.add("--rt-events", settings->targets.channels,
          "channels of takt events rt too, such as corbaloc::localhost:11170/TaktRtEvents")
      .one_at_a_time();
  top.add("--naming", settings->targets.naming,
          "services of takt naming too, such as corbaloc::localhost/TaktNaming")
      .one_at_a_time();
  top.add("-i,--interval", settings->interval, "time from one look to the next",
          {std::chrono::milliseconds(50), longest_interval})
      .show_default();
  top.add("-c,--count", settings->count, "number of looks; 0: until Ctrl-C in a terminal, and one elsewhere")
      .show_default();
  top.add("--timeout", settings->timeout, "time to wait for a connection, and for an answer", call_times)
      .show_default();
  top.add_flag("--json", settings->as_json, "print each look as one line of JSON");
  take_orb_options(top, settings->orb_options, "-ORBTLSAuthorities authority.pem");
  top.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command

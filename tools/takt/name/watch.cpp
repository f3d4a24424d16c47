#include "name/watch.h"

#include <ctime>

#include "name/client.h"

namespace takt::command {

void Watch::keep_below(const std::string& context) {
  const std::string before = context + '/';
  for (auto at = known_.lower_bound(before); at != known_.end() && at->first.starts_with(before); ++at)
    at->second.seen = round_;
}

std::vector<Watch::Event> Watch::compared(const std::vector<Entry>& entries,
                                          const std::vector<Liveness>& answers, Time now) {
  std::vector<Event> events;
  ++round_;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    const std::string name = shown(entry.name);
    const auto [at, is_new] = known_.try_emplace(name);
    Known& known = at->second;
    known.seen = round_;
    if (entry.is_context && !entry.fault.empty()) keep_below(name);
    if (is_new)
      events.push_back({.what = "bound", .name = name, .when = now});
    else if (known.reference != entry.reference && !entry.reference.empty())
      events.push_back({.what = "rebound", .name = name, .when = now});
    if (!entry.reference.empty()) known.reference = entry.reference;
    if (i >= answers.size() || known.silent == !answers[i].answers) continue;
    known.silent = !answers[i].answers;
    if (known.silent) {
      known.since = now;
      events.push_back({.what = "silent", .name = name, .when = now, .since = now, .why = answers[i].why});
    } else {
      events.push_back({.what = "answers", .name = name, .when = now, .since = known.since});
    }
  }
  for (auto at = known_.begin(); at != known_.end();) {
    if (at->second.seen == round_) {
      ++at;
      continue;
    }
    events.push_back({.what = "unbound", .name = at->first, .when = now});
    at = known_.erase(at);
  }
  return events;
}

std::string time_text(Watch::Time time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace takt::command

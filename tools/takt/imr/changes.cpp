#include "imr/changes.h"

#include <algorithm>
#include <utility>

#include "imr/server_json.h"

namespace takt::command {
namespace {

using Takt::Activation::Process;
using RegisteredServer = Takt::Activation::Server;

bool has(const RegisteredServer& server, const Process& process) {
  return std::ranges::any_of(server.processes(), [&process](const Process& each) {
    return each.phase() == process.phase() && each.pid() == process.pid() &&
           each.address() == process.address();
  });
}

bool has_pid(const RegisteredServer& server, std::int32_t pid) {
  return std::ranges::any_of(server.processes(), [pid](const Process& each) { return each.pid() == pid; });
}

std::uint64_t grown(std::uint64_t before, std::uint64_t now) { return now >= before ? now - before : now; }

class Comparison {
 public:
  Comparison(const RegisteredServer* before, const RegisteredServer& now, std::vector<ServerChange>& changes)
      : before_(before), now_(now), changes_(changes) {}

  void add_all() {
    if (before_) {
      add_counted("failure", grown(before_->failures(), now_.failures()), now_.last_failure());
      add_ended();
    }
    for (const Process& each : now_.processes())
      if (!before_ || !has(*before_, each))
        changes_.push_back({.what = word_for(each.phase()),
                            .server = now_.name(),
                            .pid = each.pid(),
                            .address = each.address()});
    const bool was_empty = before_ && before_->processes().empty();
    if (now_.processes().empty() && (!was_empty || before_->phase() != now_.phase()))
      changes_.push_back({.what = word_for(now_.phase()), .server = now_.name()});
    if (before_) add_counted("refused", grown(before_->refused(), now_.refused()), now_.last_refusal());
  }

 private:
  void add_counted(const char* what, std::uint64_t count, const std::string& why) {
    if (count != 0) changes_.push_back({.what = what, .server = now_.name(), .count = count, .why = why});
  }
  void add_ended() {
    for (const Process& each : before_->processes())
      if (!has_pid(now_, each.pid()))
        changes_.push_back({.what = "ended", .server = now_.name(), .pid = each.pid()});
  }

  const RegisteredServer* const before_;
  const RegisteredServer& now_;
  std::vector<ServerChange>& changes_;
};

}  // namespace

std::vector<ServerChange> ServerChanges::compared(const Takt::Activation::ServerList& servers) {
  std::vector<ServerChange> changes;
  std::map<std::string, RegisteredServer> present;
  for (const RegisteredServer& each : servers) {
    const auto found = known_.find(each.name());
    Comparison(found == known_.end() ? nullptr : &found->second, each, changes).add_all();
    present.emplace(each.name(), each);
  }
  for (const auto& [name, server] : known_)
    if (!present.contains(name)) changes.push_back({.what = "removed", .server = name});
  known_ = std::move(present);
  return changes;
}

}  // namespace takt::command

#include "server_attack.h"

#include <algorithm>
#include <deque>
#include <thread>

#include "link.h"

namespace takt::fuzz::live {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

constexpr std::size_t round_size = 48;  // conversations between two checks
constexpr std::size_t most_open = 12;   // connections at a time
// For the answer to an honest client; every wait in a server is shorter.
constexpr auto patience = 5s;
constexpr int most_failures = 3;

}  // namespace

ServerAttack::ServerAttack(const Surroundings& surroundings, const Captures& captures, Report& report,
                           std::string_view architecture, std::vector<Carrier> carriers)
    : surroundings_(surroundings),
      captures_(captures),
      report_(report),
      architecture_(architecture),
      carriers_(std::move(carriers)) {
  start();
}

void ServerAttack::start() {
  watcher_.reset();
  server_.reset();
  server_ = std::make_unique<Server>(surroundings_, architecture_);
  // A first request, so that allocations made once are done.
  for (const Carrier carrier : carriers_) server_->ask(carrier, 5s);
  watcher_ = std::make_unique<Watcher>(server_->process());
}

std::string ServerAttack::target(std::span<const Conversation> conversations) const {
  std::string text = "--server " + architecture_;
  if (conversations.size() == 1 || carriers_.size() < std::size(carrier_names)) {
    text += " --carrier ";
    for (const Carrier carrier : carriers_)
      text += std::string(carrier == carriers_.front() ? "" : ",") +
              std::string(carrier_names[static_cast<std::size_t>(carrier)]);
  }
  return text;
}

std::uint64_t ServerAttack::run(std::uint64_t seed, std::uint64_t count, steady_clock::time_point until) {
  std::uint64_t held = 0;
  while (held < count && steady_clock::now() < until) {
    std::vector<Conversation> round;
    for (; round.size() < round_size && held < count; ++held)
      round.push_back(make_conversation(seed + held, carriers_, server_->keys(), captures_));
    hold(round);
  }
  return held;
}

void ServerAttack::replay(std::span<const Conversation> conversations) { hold(conversations); }

void ServerAttack::hold(std::span<const Conversation> conversations) {
  const auto complaint = attack(conversations);
  if (!complaint) return;
  if (conversations.size() == 1) {
    report_.finding(*complaint, target(conversations), conversations);
  } else {
    confirm(*complaint, conversations);
  }
  start();
}

void ServerAttack::confirm(const Complaint& complaint, std::span<const Conversation> conversations) {
  start();
  for (const Conversation& conversation : conversations) {
    const std::span<const Conversation> one(&conversation, 1);
    if (const auto again = attack(one)) return report_.finding(*again, target(one), one);
  }
  report_.finding(complaint, target(conversations), conversations);
}

// Asks as an honest client; returns what went wrong, if anything. On a busy machine, either side may be kept
// from its processor for longer than the other waits. A missing answer therefore counts only when three
// clients got none while the server was idle, or when the server has used much processor time.
std::string ServerAttack::ask() {
  const Carrier carrier = carriers_[checks_++ % carriers_.size()];
  Process& server = server_->process();
  const auto before = server.processor_time();
  for (int failures = 0;;) {
    std::string silence = server_->ask(carrier, patience);
    if (silence.empty() || !server.alive() || server.processor_time() - before > 2 * patience) return silence;
    if (!server.runs() && ++failures == most_failures) return silence;
    std::this_thread::sleep_for(100ms);
  }
}

std::optional<Complaint> ServerAttack::open_up(std::span<const Conversation> conversations) {
  std::deque<std::pair<Link, std::size_t>> links;  // and the index of the next step
  std::size_t held = 0;
  for (const Conversation& conversation : conversations) {
    auto stream = server_->connect(conversation.carrier, 3s);
    if (!stream) break;  // ask() will find out what that means
    if (links.size() == most_open) {
      held -= links.front().second;
      links.pop_front();
    }
    const std::size_t octets = conversation.octets();
    Link& link = links
                     .emplace_back(std::piecewise_construct,
                                   std::forward_as_tuple(std::move(stream), conversation.deaf),
                                   std::forward_as_tuple(octets))
                     .first;
    held += octets;
    octets_ += octets;
    for (const Step& step : conversation.steps) link.say(step);
    for (auto& [other, sent] : links) other.hear();
    if (auto complaint = watcher_->growth_during(held)) return complaint;
  }
  if (auto complaint = watcher_->death()) return complaint;
  if (auto complaint = watcher_->unrest(held)) return complaint;
  for (auto& [link, sent] : links) link.hear();
  if (auto complaint = watcher_->growth_during(held)) return complaint;
  const std::string silence = ask();
  if (auto complaint = watcher_->death()) return complaint;
  if (!silence.empty()) return Complaint{"hang", "while others have connections open, " + silence};
  return std::nullopt;
}

std::optional<Complaint> ServerAttack::attack(std::span<const Conversation> conversations) {
  if (auto complaint = open_up(conversations)) return complaint;
  std::size_t octets = 0;
  for (const Conversation& conversation : conversations) octets += conversation.octets();
  if (auto complaint = watcher_->unrest(octets)) return complaint;
  if (auto complaint = watcher_->growth_after()) return complaint;
  return watcher_->death();
}

}  // namespace takt::fuzz::live

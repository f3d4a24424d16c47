#include "client_attack.h"

#include <algorithm>
#include <deque>
#include <map>

#include "hostile_server.h"
#include "replies.h"

namespace takt::fuzz::live {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

constexpr std::size_t round_size = 48;
constexpr auto patience = 20s;  // for both threads to make progress; all timeouts of the client are shorter

}  // namespace

struct ClientAttack::Parts {
  Parts(const Surroundings& around, const Captures& recorded, Report& to, std::string_view name,
        std::vector<Carrier> by)
      : surroundings(around),
        captures(recorded),
        report(to),
        strategy(name),
        carriers(std::move(by)),
        server(around, carriers) {
    start();
  }

  void start() {
    watcher.reset();
    client.reset();
    server.close_all();
    std::vector<std::string> command = {surroundings.client_program};
    for (const std::string& reference : server.references()) command.push_back(reference);
    command.insert(
        command.end(),
        {"-ORBClientConnections", strategy,    "-ORBRoundTripTimeout", "500ms",
         "-ORBConnectTimeout",    "1s",        "-ORBSendTimeout",      "1s",
         "-ORBMessageTimeout",    "1s",        "-ORBMaxMessageSize",   "64MiB",
         "-ORBMessaging",         "giop-lite", "-ORBCompression",      "on",
         "-ORBLogLevel",          "off",       "-ORBTLSAuthorities",   surroundings.authority.file()});
    client = std::make_unique<Process>(command, surroundings.folder + "/client.log");
    if (!both_go_on()) throw std::runtime_error("the client does not call\n" + client->last_words());
    watcher = std::make_unique<Watcher>(*client);
  }

  // Whether a call of each thread succeeds with an honest server.
  bool both_go_on() {
    client->said();
    bool first = false, second = false;
    for (OwnTime time(*client); time.passed() < patience && client->alive();) {
      server.serve([](const Question&) { return std::nullopt; });
      const std::string said = client->said();
      first = first || said.find('+') != std::string::npos;
      second = second || said.find('*') != std::string::npos;
      if (first && second) return true;
    }
    return false;
  }

  std::optional<Complaint> check(std::size_t octets) {
    if (auto complaint = watcher->death()) return complaint;
    if (auto complaint = watcher->growth_during(octets)) return complaint;
    if (auto complaint = watcher->unrest(octets)) return complaint;
    const bool going_on = both_go_on();
    if (auto complaint = watcher->death()) return complaint;
    if (!going_on)
      return Complaint{"hang", "a thread's calls do not return any more, though its server is honest again"};
    if (auto complaint = watcher->growth_after()) return complaint;
    return std::nullopt;
  }

  // Gives the next `size` answers.
  std::optional<Complaint> round(std::uint64_t begin, std::size_t size) {
    const std::size_t before = server.octets();
    given.clear();
    const auto end = steady_clock::now() + 10s;
    while (given.size() < size && steady_clock::now() < end && client->alive()) {
      server.serve([&](const Question& question) { return next(question, begin); });
      client->said();  // keeps the pipe from filling up, which would block the client
      if (auto complaint = watcher->growth_during(server.octets() - before)) return complaint;
    }
    return check(server.octets() - before);
  }

  std::optional<Conversation> next(const Question& question, std::uint64_t begin) {
    const auto found = std::ranges::find(called_operations, question.operation);
    if (found == std::end(called_operations)) return std::nullopt;
    const auto remainder = static_cast<std::uint64_t>(found - std::begin(called_operations));
    std::uint64_t& seed = cursors.try_emplace({remainder, question.minor}, begin).first->second;
    while (seed % std::size(called_operations) != remainder || minor_of(seed) != question.minor) ++seed;
    given.push_back(make_answer(seed++, question.carrier, captures));
    return given.back();
  }

  // Gives one answer when its request comes, then checks the client. Empty: no such request came.
  std::optional<Complaint> give(const Conversation& answer) {
    const std::size_t before = server.octets();
    bool was_given = false;
    for (const auto end = steady_clock::now() + 5s;
         !was_given && steady_clock::now() < end && client->alive();) {
      server.serve([&](const Question& question) -> std::optional<Conversation> {
        if (was_given || question.operation != operation_of(answer.seed) ||
            question.minor != minor_of(answer.seed) || question.carrier != answer.carrier)
          return std::nullopt;
        was_given = true;
        return answer;
      });
      client->said();
    }
    return check(server.octets() - before);
  }

  void confirm(const Complaint& complaint) {
    const std::vector<Conversation> suspects = given;
    start();
    for (auto suspect = suspects.rbegin(); suspect != suspects.rend();
         ++suspect)  // the last ones are the most likely
      if (const auto again = give(*suspect)) return found(*again, {&*suspect, 1});
    found(complaint, suspects);
  }

  void found(const Complaint& complaint, std::span<const Conversation> conversations) {
    std::string target = "--client " + strategy;
    if (conversations.size() == 1)
      target +=
          " --carrier " + std::string(carrier_names[static_cast<std::size_t>(conversations[0].carrier)]);
    report.finding(complaint, target, conversations);
  }

  const Surroundings& surroundings;
  const Captures& captures;
  Report& report;
  const std::string strategy;
  const std::vector<Carrier> carriers;
  HostileServer server;
  std::unique_ptr<Process> client;
  std::unique_ptr<Watcher> watcher;
  std::vector<Conversation> given;                                          // in this round
  std::map<std::pair<std::uint64_t, std::uint8_t>, std::uint64_t> cursors;  // the next seeds
};

ClientAttack::ClientAttack(const Surroundings& surroundings, const Captures& captures, Report& report,
                           std::string_view strategy, std::vector<Carrier> carriers)
    : parts_(std::make_unique<Parts>(surroundings, captures, report, strategy, std::move(carriers))) {}

ClientAttack::~ClientAttack() = default;

std::size_t ClientAttack::octets() const { return parts_->server.octets(); }

std::uint64_t ClientAttack::run(std::uint64_t seed, std::uint64_t count, steady_clock::time_point until) {
  std::uint64_t held = 0;
  if (count == 1) {  // repeating a finding
    const Conversation answer = make_answer(seed, parts_->carriers.front(), parts_->captures);
    replay({&answer, 1});
    return 1;
  }
  while (held < count && steady_clock::now() < until) {
    const auto complaint = parts_->round(seed, std::min<std::uint64_t>(round_size, count - held));
    held += parts_->given.size();
    if (!complaint) continue;
    parts_->confirm(*complaint);
    parts_->start();
    break;
  }
  return held;
}

void ClientAttack::replay(std::span<const Conversation> conversations) {
  for (const Conversation& answer : conversations) {
    const auto complaint = parts_->give(answer);
    if (!complaint) continue;
    parts_->found(*complaint, {&answer, 1});
    parts_->start();
  }
}

}  // namespace takt::fuzz::live

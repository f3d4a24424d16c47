#include "schedulability/model/declaration.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "schedulability/model/fingerprint.h"
#include "schedulability/model/words.h"

namespace takt::scheduling {
namespace {

constexpr std::int64_t most = 1'000'000'000;

constexpr std::pair<std::string_view, std::int32_t Requirements::*> counts[] = {
    {"threads", &Requirements::threads}, {"processor", &Requirements::processor}};

constexpr std::pair<std::string_view, std::string Requirements::*> names[] = {
    {"transaction", &Requirements::transaction},
    {"lane", &Requirements::lane},
    {"reservation", &Requirements::reservation}};

std::uint32_t bit_of(std::string_view key) {
  auto place = std::ranges::find(declaration_keys, key) - declaration_keys.begin();
  if (place == std::ssize(declaration_keys))
    place += std::ranges::find(system_keys, key) - system_keys.begin();
  return std::uint32_t{1} << place;
}

using Declared = std::expected<void, std::string>;

// `text` is no time.
std::string fault_in_time(std::string_view text) {
  const std::string not_this = ", not '" + std::string(text) + "'";
  const auto point = text.find('.');
  const auto unit = point == text.npos ? point : text.find_first_not_of("0123456789", point + 1);
  if (unit != text.npos && time_of(std::string(text.substr(0, point)).append(text.substr(unit))))
    return "must be whole nanoseconds" + not_this;
  return "must be a time in s, ms, us or ns, such as \"20 ms\"" + not_this;
}

Declared declare_time(Time& time, const DeclaredValue& value) {
  const auto* text = std::get_if<std::string_view>(&value);
  if (!text) return std::unexpected("must be a string with a time, such as \"20 ms\"");
  const auto read = time_of(*text);
  if (!read) return std::unexpected(fault_in_time(*text));
  time = *read;
  return {};
}

Declared declare_name(std::string& name, const DeclaredValue& value) {
  const auto* text = std::get_if<std::string_view>(&value);
  if (!text || text->empty()) return std::unexpected("must be a name, such as \"control\"");
  name = *text;
  return {};
}

template <class Level>
Declared declare_level(Level& level, const DeclaredValue& value) {
  const auto* text = std::get_if<std::string_view>(&value);
  const auto place = text ? place_of(*text, level_names) : std::nullopt;
  if (!place)
    return std::unexpected("must be very low, low, medium, high or very high" +
                           (text ? ", not '" + std::string(*text) + "'" : ""));
  level = static_cast<Level>(*place);
  return {};
}

Declared declare_count(std::int32_t& count, const DeclaredValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  if (!number || *number < 0 || *number > most)
    return std::unexpected("must be a number from 0 to " + std::to_string(most));
  count = static_cast<std::int32_t>(*number);
  return {};
}

Declared declare_priority(std::int32_t& priority, const DeclaredValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  if (!number || *number < 1 || *number > most)
    return std::unexpected("must be a number from 1 to " + std::to_string(most));
  priority = static_cast<std::int32_t>(*number);
  return {};
}

Declared take(Requirements& needs, std::string_view key, const DeclaredValue& value) {
  for (const auto& [name, member] : declared_times)
    if (key == name) return declare_time(needs.*member, value);
  for (const auto& [name, member] : system_times)
    if (key == name) return declare_time(needs.*member, value);
  for (const auto& [name, member] : counts)
    if (key == name) return declare_count(needs.*member, value);
  for (const auto& [name, member] : names)
    if (key == name) return declare_name(needs.*member, value);
  if (key == "burst") return declare_count(needs.burst, value);
  if (key == "criticality") return declare_level(needs.criticality, value);
  if (key == "importance") return declare_level(needs.importance, value);
  if (key == "priority") return declare_priority(needs.declared_priority, value);
  return std::unexpected("is not a key of an operation");
}

void overlay(Declaration& below, const Declaration& above) {
  for (const auto& [name, member] : declared_times)
    if (above.says(name)) below.needs.*member = above.needs.*member;
  for (const auto& [name, member] : counts)
    if (above.says(name)) below.needs.*member = above.needs.*member;
  if (above.says("criticality")) below.needs.criticality = above.needs.criticality;
  if (above.says("importance")) below.needs.importance = above.needs.importance;
  if (above.says("priority")) below.needs.declared_priority = above.needs.declared_priority;
  for (const auto& [name, member] : system_times)
    if (above.says(name)) below.needs.*member = above.needs.*member;
  for (const auto& [name, member] : names)
    if (above.says(name)) below.needs.*member = above.needs.*member;
  if (above.says("burst")) below.needs.burst = above.needs.burst;
  if (above.says("locks")) below.needs.locks = above.needs.locks;
  if (above.says("calls")) below.calls = above.calls;
  below.said |= above.said;
}

// A quoted string with the escapes that TOML 1.0 requires.
std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string toml_of(const DeclaredCall& call) {
  if (call.times == 1 && call.type == DependencyType::two_way) return in_quotes(call.operation);
  std::string text = "{ operation = " + in_quotes(call.operation);
  if (call.times != 1) text += ", times = " + std::to_string(call.times);
  if (call.type == DependencyType::one_way) text += ", type = " + in_quotes(word_of(call.type));
  return text + " }";
}

std::string toml_of(const LockUse& lock) {
  return "{ name = " + in_quotes(lock.name) + ", held = " + in_quotes(text_of(lock.held)) + " }";
}

class Completion {
 public:
  void add(const Declaration& declaration) {
    const auto [known, is_new] = places_.try_emplace(declaration.name, all_.size());
    if (!is_new) return overlay(all_[known->second], declaration);
    all_.push_back(declaration);
    result_.fingerprints.push_back(fingerprint(declaration));
  }

  void add(const DeclaredReservation& made) {
    const auto same = [&](const DeclaredReservation& each) {
      return each.reservation.name == made.reservation.name;
    };
    const auto known = std::ranges::find_if(reservations_, same);
    known != reservations_.end() ? * known = made : reservations_.emplace_back(made);
  }

  void add(const DeclaredChain& chain) {
    const auto known = std::ranges::find(chains_, chain.name, &DeclaredChain::name);
    known != chains_.end() ? * known = chain : chains_.emplace_back(chain);
  }

  std::expected<DeclaredOperations, std::string> result() {
    for (const Declaration& each : all_)
      if (auto wrong = create(each)) return std::unexpected(std::move(*wrong));
    for (const Declaration& each : all_)
      if (auto wrong = connect(each)) return std::unexpected(std::move(*wrong));
    for (const DeclaredReservation& each : reservations_)
      if (const auto added = result_.repository.add_reservation(each.reservation); !added)
        return std::unexpected(each.where + ": " + added.error().text);
    for (const DeclaredChain& each : chains_)
      if (auto wrong = join(each)) return std::unexpected(std::move(*wrong));
    return std::move(result_);
  }

 private:
  using Wrong = std::optional<std::string>;

  Wrong create(const Declaration& each) {
    if (!each.says("wcet"))
      return each.where + ": operation '" + each.name + "' has no wcet, its worst-case execution time";
    const auto handle = result_.repository.create(each.name);
    if (!handle) return each.where + ": " + handle.error().text;
    if (const auto set = result_.repository.set(*handle, each.needs); !set)
      return each.where + ": " + set.error().text;
    return std::nullopt;
  }
  Wrong connect(const Declaration& each) {
    Repository& repository = result_.repository;
    const auto handle = repository.lookup(each.name);
    for (const DeclaredCall& call : each.calls) {
      const auto callee = repository.lookup(call.operation);
      if (!callee) return call.where + ": " + callee.error().text;
      const auto added = repository.add_dependency(*handle, *callee, call.times, call.type);
      if (!added) return call.where + ": " + added.error().text;
    }
    return std::nullopt;
  }

  Wrong join(const DeclaredChain& declared) {
    Chain chain{.name = declared.name, .steps = {}, .age = declared.age, .reaction = declared.reaction};
    for (const DeclaredChain::Step& step : declared.steps) {
      const auto operation = result_.repository.lookup(step.operation);
      if (!operation) return step.where + ": " + operation.error().text;
      chain.steps.push_back({*operation, step.delay});
    }
    const auto added = result_.repository.add_chain(std::move(chain));
    return added ? std::nullopt : Wrong(declared.where + ": " + added.error().text);
  }

  std::map<std::string, std::size_t, std::less<>> places_;
  std::vector<DeclaredChain> chains_;
  std::vector<DeclaredReservation> reservations_;
  std::vector<Declaration> all_;
  DeclaredOperations result_;
};

}  // namespace

bool is_key(std::string_view key) {
  return std::ranges::find(declaration_keys, key) != declaration_keys.end() ||
         std::ranges::find(system_keys, key) != system_keys.end();
}
bool Declaration::says(std::string_view key) const { return (said & bit_of(key)) != 0; }
void Declaration::note(std::string_view key) { said |= bit_of(key); }

std::expected<void, std::string> declare(Declaration& declaration, std::string_view key,
                                         DeclaredValue value) {
  auto taken = take(declaration.needs, key, value);
  if (taken) declaration.note(key);
  return taken;
}

std::int64_t units_up(Time time) { return (time.count() + 99) / 100; }
std::int64_t units_down(Time time) { return time.count() / 100; }

std::uint64_t fingerprint(const Declaration& declaration) {
  Fingerprint all;
  Requirements needs = declaration.needs;
  if (needs.typical_execution_time == Time(0)) needs.typical_execution_time = needs.worstcase_execution_time;
  all.add(declaration.name);
  for (const auto& [name, member] : declared_times) {
    const bool less_is_safe = name == "period" || name == "deadline";
    all.add(std::to_string(less_is_safe ? units_down(needs.*member) : units_up(needs.*member)));
  }
  for (const auto& [name, member] : counts) all.add(std::to_string(needs.*member));
  all.add(word_of(needs.criticality));
  all.add(word_of(needs.importance));
  if (!needs.transaction.empty())
    all.add("transaction " + needs.transaction + " " + std::to_string(needs.offset.count()));
  if (needs.burst != 1)
    all.add("burst " + std::to_string(needs.burst) + " " + std::to_string(needs.distance.count()));
  if (!needs.reservation.empty()) all.add("reservation " + needs.reservation);
  if (!needs.lane.empty()) all.add("lane " + needs.lane);
  for (const LockUse& lock : needs.locks) all.add("lock " + toml_of(lock));
  for (const DeclaredCall& call : declaration.calls) {
    all.add(call.operation);
    all.add(std::to_string(call.times));
    all.add(word_of(call.type));
  }
  return all.number();
}

namespace {

// Notes the keys whose values differ from their defaults.
void note_given(Declaration& made, const RtInfo& info) {
  // A typical time equal to the worst case is the default, so it is not declared.
  const bool is_typical_usual = info.typical_execution_time == info.worstcase_execution_time;
  if (is_typical_usual) made.needs.typical_execution_time = Time(0);
  for (const std::string_view key : declaration_keys)
    if (!(key == "wcet" && info.worstcase_execution_time == Time(0)) &&
        !(key == "typical" && is_typical_usual))
      made.note(key);
  if (info.declared_priority != 0) made.note("priority");
  for (const auto& [name, member] : names)
    if (!(info.*member).empty()) made.note(name);
  if (!info.locks.empty()) made.note("locks");
  if (info.burst != 1) made.note("burst");
  for (const auto& [name, member] : system_times)
    if (info.*member != Time(0)) made.note(name);
}

}  // namespace

std::vector<Declaration> declarations_of(const Repository& repository, const std::string& where) {
  std::vector<Declaration> all;
  for (const RtInfo& info : repository.infos()) {
    Declaration& made = all.emplace_back();
    made.name = info.entry_point;
    made.where = where;
    made.needs = info;
    note_given(made, info);
    for (const DependencyInfo& each : info.dependencies)
      made.calls.push_back({repository[each.rt_info].entry_point, each.number_of_calls, each.type, where});
  }
  return all;
}

std::expected<DeclaredOperations, std::string> complete(std::span<const std::vector<Declaration>> files,
                                                        const DeclaredSystem& system) {
  Completion completion;
  for (const auto& file : files)
    for (const Declaration& each : file) completion.add(each);
  for (const DeclaredReservation& each : system.reservations) completion.add(each);
  for (const DeclaredChain& each : system.chains) completion.add(each);
  return completion.result();
}

std::string toml_of(std::span<const Declaration> declarations) {
  std::string text;
  for (const Declaration& each : declarations) {
    text += "\n[[operation]]\nname = " + in_quotes(each.name) + '\n';
    const auto line = [&](std::string_view key, const std::string& value) {
      if (each.says(key)) text += std::string(key) + " = " + value + '\n';
    };
    for (const auto& [name, member] : declared_times) line(name, in_quotes(text_of(each.needs.*member)));
    for (const auto& [name, member] : counts) line(name, std::to_string(each.needs.*member));
    line("criticality", in_quotes(word_of(each.needs.criticality)));
    line("importance", in_quotes(word_of(each.needs.importance)));
    line("priority", std::to_string(each.needs.declared_priority));
    for (const auto& [name, member] : names) line(name, in_quotes(each.needs.*member));
    for (const auto& [name, member] : system_times) line(name, in_quotes(text_of(each.needs.*member)));
    line("burst", std::to_string(each.needs.burst));
    std::string locks;
    for (const LockUse& lock : each.needs.locks) locks += (locks.empty() ? "" : ", ") + toml_of(lock);
    line("locks", "[" + locks + "]");
    std::string calls;
    for (const DeclaredCall& call : each.calls) calls += (calls.empty() ? "" : ", ") + toml_of(call);
    line("calls", "[" + calls + "]");
  }
  return text;
}

}  // namespace takt::scheduling

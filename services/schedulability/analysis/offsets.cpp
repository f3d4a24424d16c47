#include "schedulability/analysis/offsets.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "schedulability/analysis/no_time.h"
#include "schedulability/model/checked.h"

namespace takt::scheduling {
namespace {

// A thread as others see it. Nanoseconds.
struct Member {
  std::size_t thread;
  std::int64_t execution, period, offset, jitter;
};

// The nominal release of `member` that follows the end of the jitter of `first`'s release; 1 to the period.
std::int64_t phase_after(const Member& first, const Member& member) {
  const std::int64_t behind = (first.offset + first.jitter % first.period - member.offset) % first.period;
  return first.period - (behind < 0 ? behind + first.period : behind);
}

// The jobs that are released at the beginning of the window because they are late.
std::int64_t late_jobs(const Member& member, std::int64_t phase) {
  return (member.jitter + phase) / member.period;
}

std::int64_t all_jobs(const Member& member, std::int64_t phase, std::int64_t window) {
  return late_jobs(member, phase) + (window > phase ? divide_up(window - phase, member.period) : 0);
}

class Offsets {
 public:
  Offsets(std::span<const Thread> threads, std::span<const Reservation> reservations, HolisticResult& result)
      : threads_(threads), reservations_(reservations), result_(result), waits_(threads.size(), false) {
    for (std::size_t i = 0; i < threads.size(); ++i) {
      if (threads[i].reservation == 0) processors_[threads[i].processor].push_back(i);
      if (is_call(threads_[i])) waits_[threads[i].trigger->thread] = true;
    }
  }

  // Each round begins with responses that are bounds, so it ends with bounds.
  void run() {
    constexpr int most_rounds = 16;
    for (int round = 0; round < most_rounds; ++round) {
      find_groups();
      for (std::size_t i = 0; i < threads_.size(); ++i) tighten(i);
      if (!pass_on()) return;
    }
  }

 private:
  // Passes responses on as jitter. Returns whether anything changed.
  bool pass_on() {
    bool changed = false;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (!threads_[i].trigger || is_call(threads_[i])) continue;
      Load& load = result_.loads[i];
      const std::int64_t before =
          std::exchange(load.jitter, result_.responses[threads_[i].trigger->thread].worst);
      changed |= load.jitter != before;
      if (!waits_[i]) load.taken_jitter = load.jitter;
    }
    return changed;
  }

  // Finds the groups of threads without transactions that delay in the same way.
  void find_groups() {
    groups_.clear();
    group_of_.assign(threads_.size() + reservations_.size(), 0);
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> numbers;
    for (std::size_t i = 0; i < group_of_.size(); ++i) {
      const auto member =
          i < threads_.size() ? member_of(i) : member_of(reservations_[i - threads_.size()], i);
      if (!member) continue;
      const auto [known, is_new] = numbers.try_emplace({member->period, member->jitter}, groups_.size());
      if (is_new) groups_.push_back({i, 0, member->period, 0, member->jitter});
      group_of_[i] = known->second;
    }
  }

  static std::optional<Member> member_of(const Reservation& reservation, std::size_t number) {
    const Load load = load_of(reservation);
    return Member{number, load.execution, load.period, 0, load.jitter};
  }

  // Empty if there is no bound for its lateness.
  std::optional<Member> member_of(std::size_t i) const {
    const Load& load = result_.loads[i];
    const bool anywhere = is_call(threads_[i]) || waits_[i];
    const std::int64_t jitter =
        anywhere ? result_.responses[priority_holder(threads_, i)].worst : load.jitter;
    if (jitter > longest_time.count() * 64) return std::nullopt;
    return Member{i, load.execution, load.period, threads_[i].offset.count(), jitter};
  }

  // Finds the threads that can delay thread `i`. Returns whether that can be analysed.
  bool collect(std::size_t i) {
    own_.clear();
    single_.clear();
    others_.clear();
    std::map<std::size_t, std::vector<Member>> transactions;
    for (const std::size_t k : processors_[threads_[i].processor]) {
      if (k == i || !delays(result_.loads[k], result_.loads[i])) continue;
      const auto member = member_of(k);
      if (!member) return false;
      if (threads_[k].transaction == 0)
        single_.push_back(*member);
      else
        transactions[threads_[k].transaction].push_back(*member);
    }
    for (std::size_t k = 0; k < reservations_.size(); ++k)
      if (reservations_[k].processor == threads_[i].processor) {
        single_.push_back(*member_of(reservations_[k], threads_.size() + k));
      }
    for (Member& each : groups_) each.execution = 0;
    for (const Member& each : single_) {
      std::int64_t& execution = groups_[group_of_[each.thread]].execution;
      execution = add(execution, each.execution);
    }
    spend(0, single_.size());
    for (auto& [number, members] : transactions)
      (number == threads_[i].transaction ? own_ : others_.emplace_back()) = std::move(members);
    return true;
  }

  std::int64_t spend(std::int64_t value, std::size_t steps) {
    steps_ -= static_cast<std::int64_t>(steps);
    return steps_ < 0 ? unbounded : value;
  }

  std::int64_t taken_by(std::span<const Member> members, const Member& first, std::int64_t window) {
    std::int64_t sum = 0;
    for (const Member& each : members)
      sum = add(sum, multiply(all_jobs(each, phase_after(first, each), window), each.execution));
    return spend(sum, members.size());
  }

  // The first of another transaction: the chosen one, or the one that makes it take most in the window.
  const Member& first_of(std::size_t other, std::int64_t window) {
    const auto& members = others_[other];
    if (!chosen_.empty()) return members[chosen_[other]];
    return *std::ranges::max_element(members, {},
                                     [&](const Member& first) { return taken_by(members, first, window); });
  }

  std::int64_t demand(const Member& first, std::int64_t window) {
    std::int64_t sum = taken_by(own_, first, window);
    for (const Member& each : groups_)
      if (each.execution > 0)
        sum = add(sum, multiply(divide_up(add(window, each.jitter), each.period), each.execution));
    for (std::size_t k = 0; k < others_.size(); ++k)
      sum = add(sum, taken_by(others_[k], first_of(k, window), window));
    return spend(sum, groups_.size());
  }

  std::int64_t window_of(const Member& first, std::int64_t own, std::int64_t from) {
    for (std::int64_t window = std::max<std::int64_t>(from, 1);;) {
      const std::int64_t next = add(own, demand(first, window));
      if (next <= window) return window;
      if (next == unbounded) return unbounded;
      window = next;
    }
  }

  // The slowest job of `thread` in the busy period that begins with `first`; worst is unbounded if unknown.
  Response slowest(const Member& thread, const Load& load, const Member& first) {
    const std::int64_t phase = phase_after(first, thread), late = late_jobs(thread, phase);
    const std::int64_t added = added_in_search(load.own);
    Response worst;
    std::int64_t window = 1;
    for (std::int64_t job = 1 - late;; ++job) {
      const std::int64_t done = job + late;
      window = window_of(first, add(add(load.blocking, multiply(done, load.own)), added), window);
      if (window == unbounded || done > most_jobs) return {unbounded, unbounded, 0, 0};
      window -= added;
      const std::int64_t response = window - (phase + (job - 1) * thread.period);
      if (response > worst.worst) worst = {response, window, done - 1, response};
      if (job >= 0 && window <= phase + job * thread.period) return worst;
    }
  }

  // The slowest response of all busy periods.
  struct Slowest {
    Response response;
    Member first;
    std::vector<std::size_t> chosen;
  };

  // Shortens the response if offsets allow.
  void tighten(std::size_t i) {
    Response& known = result_.responses[i];
    if (is_call(threads_[i]) || waits_[i] || threads_[i].burst > 1 || threads_[i].reservation > 0 ||
        known.worst == unbounded || !collect(i))
      return;
    const auto thread = member_of(i);
    if (!thread) return;
    Slowest worst{{}, *thread, {}};
    begin_choice();
    do {
      look_at(*thread, *thread, worst);
      for (const Member& first : own_) look_at(*thread, first, worst);
    } while (worst.response.worst < known.worst && choose_next());
    if (worst.response.worst >= known.worst) return;
    known = worst.response;
    result_.by_busy_period[i] = false;
    result_.shares[i].clear();
    if (known.worst > threads_[i].deadline.count()) share(i, worst);
  }
  void look_at(const Member& thread, const Member& first, Slowest& worst) {
    const Response found = slowest(thread, result_.loads[thread.thread], first);
    if (found.worst > worst.response.worst) worst = {found, first, chosen_};
  }

  // Chooses the firsts of the other transactions, if there are not too many ways to do so.
  void begin_choice() {
    std::int64_t ways = 1;
    for (const auto& members : others_) ways = multiply(ways, static_cast<std::int64_t>(members.size()));
    chosen_.assign(ways <= most_ways ? others_.size() : 0, 0);
  }
  // Returns false after the last choice.
  bool choose_next() {
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      if (++chosen_[k] < others_[k].size()) return true;
      chosen_[k] = 0;
    }
    return false;
  }

  // Notes how much of the window other threads take.
  void share(std::size_t i, const Slowest& worst) {
    const std::int64_t window = worst.response.window;
    chosen_ = worst.chosen;
    const auto note = [&](std::span<const Member> members, const auto& phase_of) {
      for (const Member& each : members)
        result_.shares[i].emplace_back(each.thread,
                                       multiply(all_jobs(each, phase_of(each), window), each.execution));
    };
    note(own_, [&](const Member& each) { return phase_after(worst.first, each); });
    note(single_, [](const Member& each) { return each.period - each.jitter % each.period; });
    for (std::size_t k = 0; k < others_.size(); ++k) {
      const Member& first = first_of(k, window);
      note(others_[k], [&](const Member& each) { return phase_after(first, each); });
    }
  }

  static constexpr std::int64_t most_ways = 64;
  static constexpr std::int64_t most_jobs = 10'000;

  std::span<const Thread> threads_;
  std::span<const Reservation> reservations_;
  HolisticResult& result_;
  std::vector<bool> waits_;
  std::map<std::int32_t, std::vector<std::size_t>> processors_;
  // The threads that can delay the one in hand: of its transaction, of none, and of each other transaction.
  std::vector<Member> own_, single_;
  std::vector<Member> groups_;         // members of single_ with equal period and jitter, added up
  std::vector<std::size_t> group_of_;  // by thread and then reservation
  std::vector<std::vector<Member>> others_;
  std::vector<std::size_t> chosen_;  // the first of each other transaction; empty: the worst in each window
  std::int64_t steps_ = usual_steps;
};

}  // namespace

void use_offsets(std::span<const Thread> threads, std::span<const Reservation> reservations,
                 HolisticResult& result) {
  result.shares.resize(threads.size());
  if (std::ranges::any_of(threads, [](const Thread& each) { return each.transaction != 0; }))
    Offsets(threads, reservations, result).run();
}

}  // namespace takt::scheduling

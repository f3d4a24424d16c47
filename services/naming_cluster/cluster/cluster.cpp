#include "naming_cluster/cluster/cluster.h"

#include <algorithm>
#include <new>
#include <shared_mutex>
#include <utility>

#include "octets/random.h"

namespace takt::naming {
namespace {

using std::chrono::milliseconds;
using Action = Change::Action;

constexpr milliseconds keep_interval{1000};
constexpr milliseconds lost_interval{200};  // while etcd does not answer
constexpr milliseconds retry_pause{5};
constexpr milliseconds lost_pause{50};  // before a transaction that etcd may have lost is sent again

// 63 bits, so that it is not drawn twice, also not after the context was destroyed. Small ids are not drawn.
ContextId random_context() { return octets::random_number() >> 1 | ContextId{1} << 62; }

milliseconds keep_interval_of(milliseconds staleness) {
  return staleness.count() == 0 ? keep_interval : std::clamp(staleness / 4, lost_interval, keep_interval);
}

Changes::Outcome failed(std::string text, bool maybe_done) {
  return std::unexpected(Changes::Failure(StoreFault{std::move(text), maybe_done}));
}

}  // namespace

Cluster::Cluster(Tree& tree, TreeMutex& mutex, std::unique_ptr<etcd::Http> http, ClusterOptions options)
    : tree_mutex_(mutex),
      tree_(tree),
      options_(std::move(options)),
      layout_(options_.prefix),
      client_(std::move(http), options_.urls, options_.credentials),
      replica_(tree, mutex, client_, layout_, options_.large_page_time) {}

Cluster::~Cluster() {
  client_.stop();
  replica_.stop();
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    ends_.notify_all();
  }
  if (keeper_.joinable()) keeper_.join();
}

std::expected<std::unique_ptr<Cluster>, std::string> Cluster::start(Tree& tree, TreeMutex& mutex,
                                                                    std::unique_ptr<etcd::Http> http,
                                                                    ClusterOptions options) {
  const auto now = Clock::now();
  const auto deadline = now + options.timeout;
  std::unique_ptr<Cluster> cluster(new Cluster(tree, mutex, std::move(http), std::move(options)));
  if (auto begun = cluster->begin(deadline); !begun) return std::unexpected(std::move(begun.error()));
  cluster->confirm(now);
  cluster->keeper_ = std::thread([&cluster = *cluster] { cluster.keep_current(); });
  return cluster;
}

// The key of the format is written by the first instance. That may be done twice.
std::expected<void, std::string> Cluster::begin(Clock::time_point deadline) {
  const std::string key = layout_.format();
  for (;;) {
    const auto format = client_.range({key}, 1, deadline);
    if (!format) return std::unexpected(format.error().text);
    if (!format->values.empty()) {
      if (format->values.front().value == cluster_format) break;
      return std::unexpected("etcd has no names of this version at " + options_.prefix +
                             "; give another prefix, or another version of takt");
    }
    const auto written =
        client_.transact({.compares = {{.what = etcd::Compare::What::revision, .range = {key}}},
                          .then = {{.what = etcd::Operation::What::put, .key = key, .value = cluster_format}},
                          .otherwise = {}},
                         deadline);
    if (!written && (!written.error().maybe_done || Clock::now() >= deadline))
      return std::unexpected(written.error().text);
    if (!written) std::this_thread::sleep_for(lost_pause);
  }
  return replica_.start();
}

bool Cluster::current_enough() {
  const auto age = Clock::now().time_since_epoch().count() - confirmed_;
  if (options_.staleness.count() != 0 && age <= Clock::duration(options_.staleness).count() && unseen_ == 0)
    return true;
  return renew_for_caller();
}

Changes::Renewal Cluster::renew() { return renew_for_caller() ? Renewal::renewed : Renewal::failed; }

// While etcd is lost, callers would only keep threads from those whom the tree can answer.
bool Cluster::renew_for_caller() { return !lost_ && renew_until(Clock::now() + options_.timeout); }

bool Cluster::renew_until(Clock::time_point deadline) {
  etcd::Revision unseen = unseen_;  // etcd has that change before it is asked
  const auto seen = looks_.answer(deadline, [&](Clock::time_point until) { return look(until); });
  if (!seen || !replica_.wait_for(seen->revision, deadline)) return false;
  {
    const std::lock_guard lock(mutex_);
    confirm(seen->asked);
    lost_ = false;
  }
  unseen_.compare_exchange_strong(unseen, 0);
  return true;
}

std::optional<Cluster::Seen> Cluster::look(Clock::time_point deadline) {
  try {
    return ask(deadline);
  } catch (const std::bad_alloc&) {
    const std::lock_guard lock(mutex_);
    last_fault_ = "out of memory";  // short enough to need none
    return std::nullopt;
  }
}

// Linearizable: a majority of etcd's members takes part.
std::optional<Cluster::Seen> Cluster::ask(Clock::time_point deadline) {
  const auto asked = Clock::now();
  const etcd::Revision known = replica_.revision();
  const auto answer = client_.range({layout_.last()}, 1, deadline);
  ++counts_.questions;
  if (!answer) ++counts_.failed_questions;
  {
    const std::lock_guard lock(mutex_);
    last_fault_ = answer ? std::string() : answer.error().text;
  }
  if (!answer) return std::nullopt;
  if (answer->revision < known) {  // revisions do not go back, so this is another etcd, or an old copy of it
    replica_.forget();
    return std::nullopt;
  }
  return Seen{asked, answer->values.empty() ? 0 : answer->values.front().mod_revision};
}

void Cluster::confirm(Clock::time_point asked) {
  const Clock::rep time = asked.time_since_epoch().count();
  Clock::rep known = confirmed_;
  while (known < time && !confirmed_.compare_exchange_weak(known, time)) {
  }
}

void Cluster::keep_current() {
  std::string reported;
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    bool current = false;
    try {
      current = renew_and_report(reported);
    } catch (const std::bad_alloc&) {  // the next time tells
    }
    lock.lock();
    const auto interval = current ? keep_interval_of(options_.staleness) : lost_interval;
    ends_.wait_for(lock, interval, [&] { return stopping_; });
  }
}

// `reported`: the reason that was reported last. Returns whether the tree is current, which it also is if a
// caller has renewed it meanwhile.
bool Cluster::renew_and_report(std::string& reported) {
  const auto begun = Clock::now();
  bool current = renew_until(begun + options_.timeout);
  std::string why_not;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return current;
    current = current || confirmed_ >= begun.time_since_epoch().count();
    lost_ = !current;
    if (!current) why_not = last_fault_.empty() ? "no watch of etcd delivers the changes" : last_fault_;
  }
  if (why_not.empty() != reported.empty() && options_.report) options_.report(why_not);
  reported = std::move(why_not);
  return current;
}

std::optional<Changes::SharedFigures> Cluster::figures() const {
  const Clock::duration age = Clock::now().time_since_epoch() - Clock::duration(confirmed_.load());
  return SharedFigures{.answers = !lost_,
                       .age = std::max(age, Clock::duration::zero()),
                       .revision = static_cast<std::uint64_t>(replica_.revision()),
                       .readings = replica_.readings(),
                       .questions = counts_.questions,
                       .failed_questions = counts_.failed_questions,
                       .changes = counts_.changes,
                       .repeated_changes = counts_.repeated_changes,
                       .failed_changes = counts_.failed_changes};
}

Cluster::Outcome Cluster::carry_out(Change change) {
  Outcome outcome = carry_out_in_time(change);
  if (outcome)
    ++counts_.changes;
  else if (std::holds_alternative<StoreFault>(outcome.error()))
    ++counts_.failed_changes;
  return outcome;
}

Cluster::Outcome Cluster::carry_out_in_time(Change& change) {
  if (lost_) {
    const std::lock_guard lock(mutex_);
    return failed("etcd does not answer: " + last_fault_, false);
  }
  const auto deadline = Clock::now() + options_.timeout;
  try {
    for (;;) {
      if (auto outcome = attempt(change, deadline)) return std::move(*outcome);
      ++counts_.repeated_changes;
      if (Clock::now() >= deadline) return failed("etcd did not carry out the change in time", false);
      std::this_thread::sleep_for(retry_pause);
    }
  } catch (const std::bad_alloc&) {
    return failed("out of memory", true);
  }
}

std::vector<Cluster::Outcome> Cluster::carry_out(std::vector<Change> changes) {
  std::vector<Outcome> outcomes;
  outcomes.reserve(changes.size());
  for (Change& change : changes) outcomes.push_back(carry_out(std::move(change)));
  return outcomes;
}

Cluster::Attempt Cluster::attempt(Change& change, Clock::time_point deadline) {
  ContextId made = 0;
  if (change.action == Action::create) made = change.context = random_context();
  if (change.creates) made = change.binding.context = random_context();
  const Replica::Awaited awaited(replica_, octets::random_token());
  Planned planned;
  {
    const std::shared_lock lock(tree_mutex_);
    planned = plan(change, tree_, options_.limits, layout_, replica_.fence(), awaited.mark());
  }
  if (planned.is_local) return std::unexpected(Failure(*planned.refusal));
  const auto answer = client_.transact(planned.transaction, deadline);
  if (!answer) {
    if (planned.refusal) return answer.error().maybe_done ? Attempt() : failed(answer.error().text, false);
    return settle(awaited, made, answer.error(), deadline);
  }
  if (!answer->succeeded)
    return settle_mismatch(awaited, made, planned.refusal.has_value(), *answer, deadline);
  if (planned.refusal) return std::unexpected(Failure(*planned.refusal));
  // It is durable, whether or not it can be seen here in time.
  if (!replica_.wait_for(answer->revision, deadline)) unseen_ = answer->revision;
  return made;
}

// A comparison has failed: the tree was out of date, or something on the way to etcd has sent the transaction
// twice, and it was carried out the first time. The tree has seen its mark then, because etcd's answer has
// the revision of the last change.
Cluster::Attempt Cluster::settle_mismatch(const Replica::Awaited& awaited, ContextId made, bool is_refusal,
                                          const etcd::TransactionAnswer& answer, Clock::time_point deadline) {
  etcd::Revision newest = 0;
  for (const etcd::KeyValue& each : answer.values) newest = std::max(newest, each.mod_revision);
  const bool seen = replica_.wait_for(newest, deadline);
  if (is_refusal) return std::nullopt;
  if (awaited.has_come()) return made;
  if (!seen || !awaited.is_certain()) return failed("etcd does not show whether the change was made", true);
  return std::nullopt;
}

// The transaction may have been carried out, or may be even later. After the fence has moved it cannot be any
// more, and if it was, the tree has seen it.
Cluster::Attempt Cluster::settle(const Replica::Awaited& awaited, ContextId made, const etcd::Fault& fault,
                                 Clock::time_point deadline) {
  if (!fault.maybe_done) return failed(fault.text, false);
  const bool fenced = fence_off(deadline);
  if (awaited.has_come()) return made;
  if (!fenced || !awaited.is_certain()) return failed(fault.text, true);
  return std::nullopt;
}

bool Cluster::fence_off(Clock::time_point deadline) {
  const etcd::Transaction moved{
      .compares = {},
      .then = {{.what = etcd::Operation::What::put, .key = layout_.fence(), .value = {}},
               {.what = etcd::Operation::What::put, .key = layout_.last(), .value = octets::random_token()}},
      .otherwise = {}};
  while (Clock::now() < deadline) {
    const auto answer = client_.transact(moved, deadline);
    if (answer) return replica_.wait_for(answer->revision, deadline);
    if (!answer.error().maybe_done) return false;
    std::this_thread::sleep_for(lost_pause);
  }
  return false;
}

}  // namespace takt::naming

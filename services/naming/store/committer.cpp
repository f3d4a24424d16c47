#include "naming/store/committer.h"

#include <mutex>
#include <new>
#include <utility>

namespace takt::naming {
namespace {

using Action = Change::Action;

constexpr std::size_t batch_changes = 4096;  // per transaction

}  // namespace

Committer::Committer(Tree& tree, TreeMutex& mutex, std::unique_ptr<Store> store, const Limits& limits,
                     Report report)
    : tree_(tree), tree_mutex_(mutex), store_(std::move(store)), limits_(limits), report_(std::move(report)) {
  batch_.reserve(batch_changes);
}

Committer::Outcome Committer::carry_out(Change change) {
  std::vector<Change> one;
  one.push_back(std::move(change));
  return std::move(carry_out(std::move(one)).front());
}

// Nothing is allocated between the insertion into the list and the end, but by commit().
std::vector<Committer::Outcome> Committer::carry_out(std::vector<Change> changes) {
  std::vector<Pending> own;
  std::vector<Pending*> listed;
  std::vector<Outcome> outcomes;
  own.reserve(changes.size());
  listed.reserve(changes.size());
  outcomes.reserve(changes.size());
  for (Change& change : changes) listed.push_back(&own.emplace_back(Pending{.change = std::move(change)}));
  std::unique_lock lock(mutex_);
  waiting_.insert(waiting_.end(), listed.begin(), listed.end());  // all, or none if there is no memory
  while (!own.empty() && !own.back().done) {                      // earlier ones are done before the last one
    if (committing_) {
      finished_.wait(lock);
      continue;
    }
    committing_ = true;
    take_batch();
    lock.unlock();
    commit(batch_);
    lock.lock();
    for (Pending* each : batch_) each->done = true;
    committing_ = false;
    finished_.notify_all();
  }
  for (Pending& each : own) outcomes.push_back(std::move(each.outcome));
  return outcomes;
}

bool Committer::Touched::adds(const Change& change) {
  if (change.action == Action::create) return true;  // no other change can refer to it yet
  if (destroyed.contains(change.context)) return false;
  if (change.action == Action::destroy)
    return !contexts.contains(change.context) && destroyed.insert(change.context).second;
  if (!keys.insert(std::to_string(change.context) + ':' + change.key).second) return false;
  contexts.insert(change.context);
  return true;
}

// Without memory the batch is short: a change alone depends on no other.
void Committer::take_batch() noexcept {
  batch_.clear();
  Touched touched;
  while (!waiting_.empty() && batch_.size() < batch_changes) {
    bool fits = false;
    try {
      fits = touched.adds(waiting_.front()->change);
    } catch (const std::bad_alloc&) {
      fits = batch_.empty();
    }
    if (!fits) return;
    batch_.push_back(waiting_.front());
    waiting_.pop_front();
  }
}

// Reads the tree without the lock, because only this thread changes it.
std::vector<Committer::Pending*> Committer::accepted(const std::vector<Pending*>& batch) {
  std::vector<Pending*> accepted;
  Additions more;
  for (Pending* each : batch) {
    Change& change = each->change;
    if (const auto refusal = tree_.refusal_of(change, limits_, more)) {
      each->outcome = std::unexpected(*refusal);
      continue;
    }
    const bool replaces = change.action == Action::rebind && tree_.find(change.context, change.key);
    if (change.action == Action::bind || change.action == Action::rebind) more.bindings += !replaces;
    more.bytes += tree_.growth(change);
    if (change.action == Action::create) each->outcome = change.context = tree_.new_id();
    if (change.creates) each->outcome = change.binding.context = tree_.new_id();
    more.contexts += change.action == Action::create || change.creates;
    accepted.push_back(each);
  }
  return accepted;
}

void Committer::commit(const std::vector<Pending*>& batch) {
  try {
    write(batch);
  } catch (const std::bad_alloc&) {
    for (Pending* each : batch) each->outcome = std::unexpected(StoreFault{"out of memory", true});
  }
}

void Committer::write(const std::vector<Pending*>& batch) {
  const std::vector<Pending*> accepted = this->accepted(batch);
  if (accepted.empty()) return;
  if (store_) {
    std::vector<const Change*> changes;
    changes.reserve(accepted.size());
    for (const Pending* each : accepted) changes.push_back(&each->change);
    const auto written = store_->write(changes);
    report(written ? std::string() : written.error().text);
    if (!written) {
      for (Pending* each : accepted) each->outcome = std::unexpected(written.error());
      return;
    }
  }
  std::unique_lock lock(tree_mutex_);
  for (Pending* each : accepted) tree_.apply(std::move(each->change));
}

void Committer::report(const std::string& why_not) {
  if (why_not == last_reported_) return;
  last_reported_ = why_not;
  if (report_) report_(why_not);
}

}  // namespace takt::naming

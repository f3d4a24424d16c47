// Writes the changes of all threads to a service's store.
#pragma once

#include <condition_variable>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace takt::sqlite {

// Thread-safe. One thread writes the changes of all waiting threads in one transaction (group commit).
// `Store` has write(std::span<const Change* const>), which returns a std::expected with an error as
// StoreFault. If it throws, the changes have such an error.
template <class Store, class Change>
class Journal {
 public:
  // Called in a caller's thread when writing starts to fail or to work again. `why_not` is the reason; empty:
  // it works.
  using Report = std::function<void(const std::string& why_not)>;
  using Outcome = decltype(std::declval<Store&>().write(std::span<const Change* const>()));

  // Without a store, changes are carried out at once.
  Journal(std::unique_ptr<Store> store, Report report)
      : store_(std::move(store)), report_(std::move(report)) {}

  // Blocks until the change is on disk, or cannot be written.
  Outcome write(const Change& change) { return write(std::span(&change, 1)); }
  // All of them, or none.
  Outcome write(std::span<const Change> changes) {
    if (!store_) return {};
    Pending own{.changes = changes};
    std::unique_lock lock(mutex_);
    waiting_.push_back(&own);
    own.wakes.wait(lock, [&] { return own.outcome || !writing_ || own.writes_next; });
    if (own.outcome) return *std::move(own.outcome);
    writing_ = true;
    const auto batch = std::exchange(waiting_, {});
    lock.unlock();
    commit(batch);
    lock.lock();
    // One of those that have come meanwhile writes for all of them; the others sleep on.
    writing_ = !waiting_.empty();
    if (writing_) {
      waiting_.front()->writes_next = true;
      waiting_.front()->wakes.notify_one();
    }
    return *std::move(own.outcome);
  }

 private:
  struct Pending {
    std::span<const Change> changes;
    std::optional<Outcome> outcome{};
    bool writes_next = false;
    std::condition_variable wakes{};
  };

  using Fault = typename Outcome::error_type;

  // Each of the batch gets an outcome, also if something throws, because its thread waits for one.
  void commit(const std::vector<Pending*>& batch) noexcept {
    const Outcome written = outcome_of(batch);
    report_change(written);
    const std::lock_guard lock(mutex_);
    for (Pending* each : batch) {
      try {
        each->outcome = written;
      } catch (...) {  // no memory for the text
        each->outcome = thrown();
      }
      each->wakes.notify_one();  // under the lock, because its owner may go then
    }
  }
  Outcome outcome_of(const std::vector<Pending*>& batch) noexcept {
    try {
      std::vector<const Change*> changes;
      for (const Pending* each : batch)
        for (const Change& change : each->changes) changes.push_back(&change);
      return store_->write(changes);
    } catch (...) {
      return thrown();
    }
  }
  static Outcome thrown() noexcept {
    Fault fault;
    fault.text = "out of memory";  // short enough to need none
    fault.maybe_done = true;
    return std::unexpected(std::move(fault));
  }
  void report_change(const Outcome& written) noexcept {
    if (!report_ || written.has_value() == works_) return;
    works_ = written.has_value();
    try {
      report_(works_ ? std::string() : written.error().text);
    } catch (...) {  // NOLINT(bugprone-empty-catch): the change's outcome does not depend on it
    }
  }

  const std::unique_ptr<Store> store_;
  const Report report_;
  bool works_ = true;  // as reported; used only by the thread that writes
  std::mutex mutex_;
  std::vector<Pending*> waiting_;
  bool writing_ = false;
};

}  // namespace takt::sqlite

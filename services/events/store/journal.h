// Writes the changes of all threads to the store.
#pragma once

#include <condition_variable>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "events/store/store.h"

namespace takt::events {

// Thread-safe. One thread writes the changes of all waiting threads in one transaction (group commit).
class Journal {
 public:
  // Called in a caller's thread when writing starts to fail or to work again. `why_not` is the reason; empty:
  // it works.
  using Told = std::function<void(const std::string& why_not)>;

  // Without a store, changes are carried out at once.
  Journal(std::unique_ptr<Store> store, Told told) : store_(std::move(store)), told_(std::move(told)) {}

  // Blocks until the change is on disk, or cannot be written.
  std::expected<void, StoreFault> write(const Change& change);

 private:
  struct Pending {
    const Change* change;
    std::optional<std::expected<void, StoreFault>> outcome{};
  };
  void commit(const std::vector<Pending*>& batch);

  const std::unique_ptr<Store> store_;
  const Told told_;
  std::string last_told_;  // used only by the thread that writes
  std::mutex mutex_;
  std::condition_variable finished_;
  std::vector<Pending*> waiting_;
  bool writing_ = false;
};

}  // namespace takt::events

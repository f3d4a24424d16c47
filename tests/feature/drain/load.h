// Clients that call a ledger continuously, each call with an id of its own, and the outcomes of the calls.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <takt/corba.h>

#include "../make_orb.h"
#include "ledgerC.h"

namespace feature {

using LedgerRef = IDL::traits<Ledgers::Ledger>::ref_type;

// A call that was certainly not begun is repeated with the same id; one that may have begun is not.
class Load {
 public:
  struct Outcome {
    std::vector<std::uint64_t> returned;
    std::size_t not_begun = 0;  // repeated
    std::size_t not_there = 0;  // part of not_begun: OBJECT_NOT_EXIST
    std::size_t maybe = 0;
    std::string first_maybe;
  };

  // `mixed`: some calls take long, and some have long arguments.
  Load(const Orb& orb, const std::string& ledger, unsigned threads, bool mixed = true) : mixed_(mixed) {
    const auto there = orb->string_to_object(ledger);
    for (unsigned i = 0; i < threads; ++i)
      threads_.emplace_back(
          [this, stub = takt::reference::make_stub<::Ledgers::Ledger>(there->_ref())] { call_on(stub); });
  }
  ~Load() { stop(); }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  std::size_t returned() const { return count_; }
  // False if some thread has not ended in time, and may hang.
  bool ends_within(std::chrono::seconds patience) {
    stopping_ = true;
    const auto until = std::chrono::steady_clock::now() + patience;
    while (ended_ < threads_.size() && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return ended_ == threads_.size();
  }
  Outcome stop() {
    stopping_ = true;
    for (auto& thread : threads_)
      if (thread.joinable()) thread.join();
    return outcome_;
  }

 private:
  void call_on(const LedgerRef& ledger) {
    static std::atomic<std::uint64_t> next_id{1};
    Outcome own;
    while (!stopping_) call(ledger, next_id++, own);
    {
      std::lock_guard lock(mutex_);
      outcome_.returned.insert(outcome_.returned.end(), own.returned.begin(), own.returned.end());
      outcome_.not_begun += own.not_begun;
      outcome_.not_there += own.not_there;
      outcome_.maybe += own.maybe;
      if (outcome_.first_maybe.empty()) outcome_.first_maybe = own.first_maybe;
    }
    ++ended_;
  }
  void call(const LedgerRef& ledger, std::uint64_t id, Outcome& own) {
    const Ledgers::Octets padding(mixed_ && id % 16 == 0 ? 300'000 : id % 50, 7);
    while (!stopping_) try {
        if (ledger->enter(id, mixed_ && id % 8 == 0 ? 2000 : 0, padding) == id) {
          own.returned.push_back(id);
          ++count_;
        }
        return;
      } catch (const CORBA::SystemException& failure) {
        if (failure.completed() != CORBA::COMPLETED_NO) {
          if (own.maybe++ == 0) own.first_maybe = failure.what();
          return;
        }
        ++own.not_begun;
        own.not_there += dynamic_cast<const CORBA::OBJECT_NOT_EXIST*>(&failure) != nullptr;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
  }

  const bool mixed_;
  std::atomic<bool> stopping_{false};
  std::atomic<std::size_t> count_{0}, ended_{0};
  std::mutex mutex_;
  Outcome outcome_;
  std::vector<std::thread> threads_;
};

}  // namespace feature

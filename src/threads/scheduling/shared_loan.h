// Priority that several lenders lend to the threads that work for all of them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "threads/locks/priority_mutex.h"
#include "threads/scheduling/priority_loan.h"

namespace takt::os {

// Each borrower runs at the priority of the most urgent lender at least. Any thread. Borrowers do not lock
// while there has been no lender.
class SharedLoan {
 public:
  SharedLoan() = default;
  SharedLoan(const SharedLoan&) = delete;
  SharedLoan& operator=(const SharedLoan&) = delete;

  // A lender changes what it lends; 0: nothing.
  void change(Urgency from, Urgency to) noexcept;

  // Makes the calling thread a borrower, until it destroys this object. The loan must live longer.
  class Borrowing {
   public:
    // Without `joins`, nothing is lent to the thread.
    explicit Borrowing(SharedLoan& loan, bool joins = true) noexcept;
    ~Borrowing();
    Borrowing(const Borrowing&) = delete;
    Borrowing& operator=(const Borrowing&) = delete;

    // The thread is about to wait for work. It keeps what it is lent until it begins, because a thread that
    // waits keeps no other from running, and may be woken for what is urgent.
    void wait() noexcept { note(true, 0); }
    // It begins work of that urgency, and runs at that at least until settle(), even if the lender is gone.
    void begin(Urgency urgency) noexcept { note(false, urgency); }
    // From now on it runs as the present lenders want.
    void settle() noexcept { note(false, 0); }

   private:
    friend class SharedLoan;
    void note(bool waits, Urgency of_work) noexcept;
    void adjust() noexcept;

    SharedLoan& shared_;
    // The following are guarded by the loan's mutex.
    PriorityLoan loan_;
    Urgency of_work_ = 0;
    bool waits_ = false;
    Borrowing* next_ = nullptr;
  };

  // Settles the calling thread, if it has begun urgent work: it has taken on the priority of that itself.
  static void settle_here() noexcept {
    if (working_) [[unlikely]]
      working_->settle();
  }

 private:
  static inline thread_local constinit Borrowing* working_ = nullptr;

  std::atomic<bool> used_{false};
  PriorityMutex mutex_;                                       // guards the next members
  std::array<std::uint32_t, highest_lent + 1> lenders_of_{};  // number of lenders of each urgency above 0
  Urgency most_ = 0;
  Borrowing* first_ = nullptr;
};

}  // namespace takt::os

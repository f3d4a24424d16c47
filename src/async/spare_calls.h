// Calls that are not used at present.
#pragma once

#include <atomic>
#include <cstdint>

namespace takt::async {

class AsyncCalls;
class Call;

// Any thread, without a lock. A call that was made here stays until this ends.
class SpareCalls {
 public:
  SpareCalls() = default;
  // No call may be in use.
  ~SpareCalls();
  SpareCalls(const SpareCalls&) = delete;
  SpareCalls& operator=(const SpareCalls&) = delete;

  // One that was given back; null if there is none.
  Call* take() noexcept;
  // Makes one more. May throw std::bad_alloc.
  Call& make(AsyncCalls& of);
  void give_back(Call& call) noexcept;

 private:
  // A stack. Its head is a pointer with a number in the upper bits that every change increases, so that a
  // thread that has looked at an older head does not take it for the present one.
  static constexpr int number_bits = 16, pointer_bits = 64 - number_bits;
  static Call* call_of(std::uint64_t head) {
    return reinterpret_cast<Call*>(head & ((std::uint64_t{1} << pointer_bits) - 1));
  }
  static std::uint64_t head_of(const Call* call, std::uint64_t replaced) {
    const std::uint64_t number = (replaced >> pointer_bits) + 1;
    return number << pointer_bits | reinterpret_cast<std::uintptr_t>(call);
  }

  std::atomic<std::uint64_t> head_{0};
  std::atomic<Call*> made_{nullptr};  // a list of all calls, the last first
};

}  // namespace takt::async

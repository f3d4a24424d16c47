// The limits of an ORB's asynchronous calls, and the threads that deliver their outcomes.
#pragma once

#include <cstddef>
#include <memory>

namespace takt {

namespace async {
class Call;
}

// The outcome of one asynchronous call, which operator() delivers to the call's handler. If it is destroyed
// without having been called, a thread of the ORB delivers the outcome. Movable, not copyable.
class Completion {
 public:
  explicit Completion(async::Call& call) : call_(&call) {}
  Completion(Completion&& from) noexcept : call_(from.call_) { from.call_ = nullptr; }
  Completion& operator=(Completion&&) = delete;
  ~Completion();

  // Runs the handler. Throws none of its exceptions. A second call has no effect.
  void operator()() noexcept;

 private:
  async::Call* call_;
};

// Runs completions in threads of the application. Any thread of the ORB calls post(), without a lock; post()
// should only queue the completion. If it throws, a thread of the ORB delivers the outcome.
class Executor {
 public:
  virtual ~Executor();
  virtual void post(Completion completion) = 0;
};

// Apply to calls that begin later, and to completions that are delivered later.
struct AsyncSettings {
  enum class Delivery : unsigned char {
    thread,          // threads of the ORB's own, one for each priority of calls
    reading_thread,  // the thread that reads the connection: quickest, but the handler delays other replies
    executor,
  };
  Delivery delivery = Delivery::thread;
  std::shared_ptr<Executor> executor = {};  // for Delivery::executor; null: as Delivery::thread
  // Limit of calls whose outcome is not delivered yet. The connections' own limits,
  // -ORBMaxOutstandingRequests and -ORBSendQueueSize, apply too.
  std::size_t most_calls = 16384;
  enum class WhenFull : unsigned char {
    // Waits for room until the call's deadline. In a handler it throws TRANSIENT, because room may depend on
    // that handler.
    wait,
    refuse,  // throws TRANSIENT
  };
  WhenFull when_full = WhenFull::wait;
};

}  // namespace takt

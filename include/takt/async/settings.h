// How the asynchronous calls of an ORB are bounded, and who delivers their outcomes.
#pragma once

#include <cstddef>
#include <memory>

namespace takt {

namespace async {
class Call;
}

// The outcome of one asynchronous call, to be delivered to its handler by operator(). If it is destroyed
// before that, a thread of the ORB delivers it. Moves only.
class Completion {
 public:
  explicit Completion(async::Call& call) : call_(&call) {}
  Completion(Completion&& from) noexcept : call_(from.call_) { from.call_ = nullptr; }
  Completion& operator=(Completion&&) = delete;
  ~Completion();

  // Runs the handler. Exceptions of the handler do not leave it. No effect the second time.
  void operator()() noexcept;

 private:
  async::Call* call_;
};

// Runs completions, in threads of the application. post() is called by any thread, which holds no lock of the
// ORB, and should only queue the completion. An exception is as if it had destroyed the completion.
class Executor {
 public:
  virtual ~Executor();
  virtual void post(Completion completion) = 0;
};

// A value. It applies to calls that start later, and to completions that are delivered later.
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
    wait,    // for room, as long as the call's time lasts; a handler gets TRANSIENT, since room may need it
    refuse,  // throw TRANSIENT
  };
  WhenFull when_full = WhenFull::wait;
};

}  // namespace takt

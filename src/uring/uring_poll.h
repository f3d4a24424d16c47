// Waits for many descriptors with one thread, by a ring.
#pragma once

#include <atomic>
#include <cstddef>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <takt/transport/stream_wrapper.h>

#include "os/poll/shared_poll.h"
#include "threads/locks/priority_mutex.h"
#include "uring/uring_reactor.h"

namespace takt::uring {

// For a lane, or the reader of a pool, that has one thread: wait(), take_ready(), rest() and leave() are for
// that thread alone, and so are add() and remove() of the streams that adopted() made. Sockets of these are
// in the ring. All other descriptors are watched by epoll, which the ring polls as one descriptor.
class UringPoll final : public os::SharedPoll {
 public:
  // Fails with an errno value if the kernel refuses a ring, or the process has run out of descriptors.
  static std::expected<std::unique_ptr<UringPoll>, int> create();
  ~UringPoll() override;

  bool add(int fd, os::Interest interest, void* token, Watching watching) override;
  bool again(int fd, os::Interest interest, void* token, Watching watching) override;
  void remove(int fd) override;
  std::optional<Ready> wait(std::chrono::nanoseconds timeout) override;
  std::size_t take_ready(std::span<Ready> into) override;
  // Whether wait() would return at once, for another descriptor than this one of the ring. Consumes nothing.
  bool has_others(int fd) {
    return !told_.empty() || others_are_ready_ || (reactor_->has_adopted(fd) && reactor_->has_others(fd));
  }
  void rest() override { reactor_->flush(); }
  // Afterwards other threads may use the streams.
  void leave() override;

  UringReactor& reactor() { return *reactor_; }

 private:
  // A descriptor in the ring.
  struct Watched final : os::EventHandler {
    void on_ready(os::Interest ready) noexcept override;
    UringPoll* poll = nullptr;
    int fd = -1;
    void* token = nullptr;
    Watching watching = Watching::once;
  };
  // All that epoll watches.
  struct Others final : os::EventHandler {
    explicit Others(UringPoll& of) : poll(of) {}
    void on_ready(os::Interest) noexcept override { poll.others_are_ready_ = true; }
    UringPoll& poll;
  };
  struct Told {
    int fd;
    Ready ready;
  };
  struct InRing {
    bool watched = false;
    bool posted = false;  // another thread has called again(), with `interest`
    os::Interest interest = os::Interest::none;
  };

  explicit UringPoll(std::unique_ptr<UringReactor> reactor) : reactor_(std::move(reactor)) {}
  bool is_waiter() const;
  void take_posted();

  const std::unique_ptr<UringReactor> reactor_;
  Others others_{*this};
  std::atomic<int> waiter_{0};                     // the thread that waits; 0: none yet, -1: it has left
  std::vector<std::unique_ptr<Watched>> watched_;  // indexed by descriptor
  std::vector<Told> told_;                         // by the reactor, and not yet by wait()
  bool others_are_ready_ = false;
  std::atomic<bool> has_posted_{false};
  os::PriorityMutex mutex_;      // guards the next members
  std::vector<InRing> in_ring_;  // indexed by descriptor; the thread that waits makes it longer
  std::vector<int> posted_;      // descriptors that are posted; has room for all
};

}  // namespace takt::uring

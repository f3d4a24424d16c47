// Implements the reactor with io_uring(7).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <takt/transport/stream_wrapper.h>

#include "os/reactor/epoll_reactor.h"
#include "os/reactor/reactor.h"
#include "os/reactor/timer_queue.h"
#include "os/shared_memory/shared_region.h"
#include "uring/ring.h"
#include "uring/uring_stream.h"

namespace takt::uring {

// One system call for a round: it hands over what handlers wrote, and waits. Descriptors are polled, but the
// streams that adopt() made receive without being asked each time, and their short answers leave with the
// next round; if another handler is called before, they leave before it. The thread that calls run_once()
// owns the ring. When another thread calls, the ring is made again there; after most_rings of these changes,
// or if no ring can be made, epoll serves. It is large because the ring, and epoll in its place, have
// members.
class UringReactor final : public os::Reactor {
 public:
  static constexpr unsigned most_rings = 16;

  // Fails with an errno value if the kernel refuses a ring, or the process has run out of descriptors.
  static std::expected<std::unique_ptr<UringReactor>, int> create();
  ~UringReactor() override;

  std::expected<void, os::ReactorError> add(int fd, os::Interest interest,
                                            os::EventHandler* handler) override;
  std::expected<void, os::ReactorError> modify(int fd, os::Interest interest) override;
  std::expected<void, os::ReactorError> remove(int fd) override;
  os::TimerId schedule(os::TimePoint when, os::TimerHandler* handler) override {
    return timers_.schedule(when, handler);
  }
  bool cancel(os::TimerId timer) override { return timers_.cancel(timer); }
  std::size_t run_once(std::chrono::nanoseconds timeout) override;
  void notify() noexcept override;
  void flush() override { push(); }
  bool has_others(int fd) override;

  // For an owner that works on an event after its handler has returned: like run_once(), but calls one
  // handler at most, without timers. What is written until the next call of run_one() may leave with that. By
  // epoll it may call several handlers.
  std::size_t run_one(std::chrono::nanoseconds timeout);
  // Does not call the handler again before modify(). The ring goes on receiving for it.
  void mute(int fd);
  bool has_adopted(int fd) const;
  struct Told {
    os::EventHandler* handler;
    os::Interest ready;
  };
  // Stores the handlers that would be called now, as many as fit, and returns their number. Further calls
  // begin with others, if there are more. They remain to be called. Nothing waits for run_one() afterwards.
  std::size_t look_at_ready(std::span<Told> into);
  // Removes all descriptors. Their streams then belong to any thread.
  void close();

  // Takes over a plain socket; any other stream stays as it is. Called like the functions of a reactor,
  // before the descriptor is added.
  std::unique_ptr<transport::Stream> adopt(std::unique_ptr<transport::Stream> stream);

  // For its streams:

  Ring* ring() { return ring_.get(); }
  // Takes note of what has come. Returns the number of completions.
  unsigned collect();
  // Keeps the octets for the next system call. False: they must be sent otherwise.
  bool defer(UringStream& stream, ByteView octets);
  bool has_deferred() const { return deferred_ != 0; }
  // Sends what was deferred.
  void push();
  // The stream is about to be destroyed.
  void forget(const UringStream& stream);

 private:
  enum class Kind : std::uint8_t { none, poll, receive, send, wake };
  enum class Receiving : std::uint8_t { off, on, ending };
  // The registration of a descriptor number.
  struct Watch {
    os::EventHandler* handler = nullptr;
    UringStream* stream = nullptr;  // null: any other descriptor
    os::Descriptor port_watch;      // polled in place of a port; see watch_port()
    std::uint32_t generation = 0;   // distinguishes registrations of the same number
    std::uint32_t poll_number = 0, receive_number = 0;
    std::uint32_t polled = 0;      // events of the poll that is under way; 0: none
    std::uint32_t open_polls = 0;  // polls whose completions have not come, cancelled ones included
    std::uint32_t seen = 0;        // events that a poll has reported and no handler has been told
    os::Interest interest = os::Interest::none;
    Receiving receiving = Receiving::off;
    bool listed = false;  // in ready_
    bool muted = false;   // until modify(), nothing is told
  };
  struct Ready {
    int fd;
    std::uint32_t generation;
  };

  UringReactor(std::unique_ptr<os::EpollReactor> epoll, int wake_fd);
  static std::uint64_t tag(Kind kind, int fd, std::uint32_t number);
  bool owns_ring() const;
  Watch* find(int fd);
  Watch& slot(int fd);
  bool has_ring();
  void make_ring();
  void leave_ring();
  void watch_wake_ups();
  void use_epoll();
  bool send_rests();
  static bool holds_news(const Watch& watch) { return watch.stream && watch.stream->holds_news(); }
  void settle(int fd, Watch& watch);
  void settle_polls(int fd, Watch& watch);
  void settle_here(int fd, Watch& watch);
  std::uint32_t wanted_polls(const Watch& watch) const;
  void poll(int fd, Watch& watch, std::uint32_t events);
  static os::Descriptor watch_port(int fd, os::Interest interest);
  static void tell_failure_only(io_uring_sqe* entry);
  void cancel_poll(int fd, Watch& watch);
  void receive(int fd, Watch& watch);
  void end_receiving(int fd, Watch& watch);
  void list(int fd, Watch& watch);
  void take(const io_uring_cqe& completion);
  void take_received(int fd, const io_uring_cqe& completion, std::uint32_t number);
  void take_sent(int fd, const io_uring_cqe& completion, std::uint32_t number);
  struct Fetched {
    bool is_over, notified;
  };
  Fetched fetch(std::chrono::nanoseconds timeout);
  template <class Call>
  std::size_t run(std::chrono::nanoseconds timeout, Call&& call);
  os::Interest ready_of(Watch& watch);
  bool begin(const Ready& ready);
  void finish();
  std::size_t dispatch_ready();
  bool begin_next();
  std::chrono::nanoseconds until_timer(std::chrono::nanoseconds timeout) const;
  std::size_t run_timers();
  std::size_t run_by_epoll(std::chrono::nanoseconds timeout);

  const std::unique_ptr<os::EpollReactor> epoll_;
  const int wake_fd_;
  std::atomic<bool> notified_{false};
  std::atomic<bool> by_epoll_{false};  // for the rest of its life
  std::unique_ptr<Ring> ring_;
  int owner_ = 0;  // thread that made the ring
  unsigned rings_ = 0;
  unsigned deferred_ = 0;           // messages whose completions have not come: one at most
  int deferred_fd_ = -1;            // and whose it is,
  std::size_t deferred_bytes_ = 0;  // with its length
  bool dispatching_ = false;        // a handler runs, or its owner works on
  std::optional<Ready> served_;     // the event that was told last, until its descriptor is settled
  bool sees_wake_ups_ = false;
  bool has_rests_ = false;      // by epoll: a stream may have a rest from the time of the ring
  std::vector<Watch> watches_;  // indexed by descriptor
  std::vector<Ready> ready_, round_;
  std::size_t next_in_round_ = 0;  // index of the next handler in round_
  os::TimerQueue timers_;
};

// Lets a reactor adopt streams. `reactor` must outlive it.
class UringStreams final : public transport::StreamWrapper {
 public:
  explicit UringStreams(UringReactor& reactor) : reactor_(reactor) {}
  std::unique_ptr<transport::Stream> wrap(std::unique_ptr<transport::Stream> stream,
                                          transport::OpenedBy) const override {
    return reactor_.adopt(std::move(stream));
  }

 private:
  UringReactor& reactor_;
};

}  // namespace takt::uring

// Hands shared buffers to readers, and notices when they are gone.
#pragma once

#include <poll.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "event_ring/handover/local_socket.h"

namespace takt::event_ring {

// The rings of a channel. Called by the server's thread.
class RingOwner {
 public:
  struct Ring {
    const Descriptor* memory;  // valid until leave()
    std::uint32_t bytes;
  };
  virtual ~RingOwner() = default;
  // A reader wants the ring of that level, which any number may be. The reason if it cannot have it.
  virtual std::expected<Ring, std::string> join(std::uint32_t level) = 0;
  // One of its readers is gone.
  virtual void leave(std::uint32_t level) noexcept = 0;
  // A reader of that level says that it has lost that many events since its last report.
  virtual void note_losses(std::uint32_t level, std::uint64_t events) noexcept = 0;
};

// A reader, by its own words.
struct ReaderFigures {
  std::uint64_t number = 0;  // since the start, from 1
  std::int32_t process = 0;  // id in the system; 0: unknown
  std::uint32_t level = 0;
  ReaderReport report{};
};

// A thread that accepts readers of this user. What they send after their greeting, except reports, ends their
// connection.
class ReaderServer {
 public:
  struct Counts {
    std::size_t readers = 0;  // now
    std::uint64_t refused = 0;
  };

  // Fails if the system has no socket or thread left. The owner must outlive it.
  static std::expected<std::unique_ptr<ReaderServer>, std::string> start(RingOwner& owner, std::string token,
                                                                         std::size_t most_readers);
  // All readers are gone for the owner.
  ~ReaderServer();
  ReaderServer(const ReaderServer&) = delete;
  ReaderServer& operator=(const ReaderServer&) = delete;

  const std::string& token() const { return token_; }
  Counts counts() const { return {readers_.load(), refused_.load()}; }
  // The readers that have a ring now. Allocates.
  std::vector<ReaderFigures> readers() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Reader {
    Descriptor socket;
    Clock::time_point since{};
    ReaderFigures figures{};
    bool joined = false;
    Clock::time_point heard_after;  // a report that comes earlier waits until then
  };

  ReaderServer(RingOwner& owner, std::string token, std::size_t most_readers, Descriptor listener,
               Descriptor stop);
  void run();
  void accept_readers();
  // Whether it stays.
  bool serve(Reader& reader, bool readable);
  bool join(Reader& reader);
  // False: the reader is gone, or says something else.
  bool take_report(Reader& reader);
  void show_readers();
  std::optional<RingOwner::Ring> ring_of(std::uint32_t level);

  RingOwner& owner_;
  const std::string token_;
  const std::size_t most_readers_;
  const Descriptor listener_, stop_;
  // The thread's:
  std::vector<Reader> all_;
  std::vector<pollfd> polled_;
  Clock::time_point accept_after_;
  std::uint64_t joined_ = 0;  // readers since the start
  bool has_changed_ = false;  // since shown_ was made

  mutable std::mutex shown_mutex_;
  std::vector<ReaderFigures> shown_;
  std::atomic<std::size_t> readers_{0};
  std::atomic<std::uint64_t> refused_{0};
  std::thread thread_;
};

}  // namespace takt::event_ring

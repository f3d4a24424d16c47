// Keeps the newest messages of an ORB in a file that is mapped into memory.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <takt/base/bytes.h>

#include "os/memory/mapped_file.h"
#include "recorder/recording_clock.h"
#include "recorder/recording_format.h"

namespace takt::recorder {

// Octets of one message that passed together.
struct Piece {
  std::int64_t time_ns;  // since 1970, UTC
  std::uint64_t stream_offset;
  std::uint32_t connection;
  std::uint32_t message_bytes, offset;
  Direction direction;
  PieceKind kind;
  std::uint16_t secret_bytes = 0;  // as in FirstBlock
  ByteView octets;
};

// Any thread. What is in the file survives the process, however it ends. A child made by fork() writes to the
// same ring.
class RecordingRing {
 public:
  struct Options {
    std::size_t bytes;          // size of the file; at least least_file_bytes
    std::size_t message_bytes;  // the octets that are kept of a message at most
  };
  enum class Problem : std::uint8_t { in_use, other };
  struct Error {
    Problem problem;
    std::string text;  // for people
  };
  // `path`: %p in it stands for the process's number. Replaces the recording of a process that has ended.
  static std::expected<std::unique_ptr<RecordingRing>, Error> create(const std::string& path,
                                                                     const Options& options,
                                                                     const os::FileOwner& owner);

  // Blocks that a writer has taken beforehand, so that threads seldom share a cache line. The numbers of a
  // writer's blocks rise. One thread at a time.
  class Run {
    friend class RecordingRing;
    std::uint64_t next_ = 0, end_ = 0;  // numbers of blocks
    std::uint64_t place_ = 0;           // place of the next block
    std::uint64_t taken_ = 0;           // the ring's next block when this was taken
    std::uint32_t size_ = 1;            // blocks to take at a time
  };
  // `run`: that of the piece's writer. Neither locks, allocates nor makes a system call. A piece is left out
  // and counted if other threads are still writing, a whole turn of the ring later, in two places for it.
  // ring_writing.h has it.
  void put(const Piece& piece, Run& run) noexcept;

  // The direction of a connection to which a writer's messages belong.
  struct StreamPlace {
    std::uint64_t stream_offset;  // octets of it before the next message
    std::uint32_t connection;
    Direction direction;
  };
  static constexpr std::size_t least_short_bytes = 16;
  static constexpr std::size_t most_short_bytes = FirstBlock::most_octets + NextBlock::most_octets;
  // The same for a message of these sizes that passed whole and is not secret, in few instructions. False:
  // nothing is there, because the run needs renew(), or a block is not free, which is for put().
  bool put_short(const StreamPlace& place, ByteView message, std::int64_t time_ns, Run& run) noexcept;
  // Takes blocks for such a message if the run has too few, or old ones. False: it had what put_short()
  // needs.
  bool renew(Run& run, std::size_t message_bytes) noexcept;
  // The present time for pieces. Neither locks nor allocates.
  std::int64_t now() noexcept { return clock_.now(); }

  // A connection's number, and its place in the table; `entry` is negative if the table is full.
  struct Connection {
    std::uint32_t number;
    std::int64_t entry;
  };
  // `text`: Stream::describe(). Neither locks nor allocates.
  Connection open(std::string_view text, bool accepted) noexcept;
  void close(const Connection& connection) noexcept;

  // Copies the present contents to a file of its own, which is read as a recording is. A block that is being
  // written is left out. `reason`: for people. Makes system calls, and takes as long as writing the file
  // does.
  std::optional<Error> copy_to(const std::string& path, std::string_view reason) const;

  // The octets that put() should get of a message at most.
  std::uint32_t message_bytes() const { return message_bytes_; }
  const std::string& path() const { return path_; }

 private:
  RecordingRing(std::string path, os::MappedFile file, const Options& options, const os::FileOwner& owner);
  RecordingHead& head() const { return *reinterpret_cast<RecordingHead*>(file_.data()); }
  bool is_old(const Run& run) const noexcept;
  void take(Run& run, std::uint64_t count) noexcept;
  static void prefetch(const std::uint8_t* at, const Run& run) noexcept;
  // False: the piece is not there, because a block of the run is not free.
  bool write(const Piece& piece, Run& run) noexcept;
  void put_elsewhere(const Piece& piece, Run& run) noexcept;
  template <std::uint64_t Blocks>
  bool put_in(const StreamPlace& place, ByteView message, std::int64_t time_ns, Run& run) noexcept;
  std::uint8_t* block_at(std::uint64_t place) const noexcept { return blocks_ + place * block_bytes; }
  static bool claim(std::uint8_t* at, std::uint64_t block) noexcept;
  static void publish(std::uint8_t* at, std::uint64_t block, BlockState state) noexcept;

  const std::string path_;
  const os::MappedFile file_;
  const RecordingLayout layout_;
  const std::uint32_t message_bytes_;
  const std::uint32_t most_run_;  // blocks that a run has at most
  const std::uint64_t most_age_;  // blocks that the ring may be ahead of a run
  RecordingClock clock_;
  ConnectionEntry* const connections_;
  std::uint8_t* const blocks_;
  static thread_local constinit std::uint32_t thread_;  // the calling thread's number; 0: not known yet
};

inline thread_local constinit std::uint32_t RecordingRing::thread_ = 0;

// A file for a ring that could not be made.
RecordingRing::Error error_of(const os::MappedFile::Error& error);

}  // namespace takt::recorder

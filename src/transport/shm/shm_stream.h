// A stream over memory shared by two processes of one machine.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include <takt/base/live_setting.h>
#include <takt/transport/stream.h>

#include "os/net/socket.h"
#include "os/shared_memory/doorbell.h"
#include "threads/locks/priority_mutex.h"
#include "transport/shm/connection_memory.h"
#include "transport/shm/shm_input.h"
#include "transport/shm/shm_output.h"
#include "transport/shm/shm_sleeper.h"
#include "transport/stream_ends.h"

namespace takt::transport {

// A read or write makes no system call unless it has to wake the other side or to wait: one each. The socket
// signals the end of the connection: the system closes it when a process dies.
class ShmStream final : public Stream, public ZeroCopy, public PeerIdentity {
 public:
  // Takes a connected socket. The client's end has its memory. A server's end receives it from the socket at
  // the first read or write, so that no thread waits for a client that does not send it.
  ShmStream(os::Socket socket, ConnectionMemory memory, StreamEnds ends, const StreamOptions& options);
  // `admits`: the server's end sends the octet `admitted` before anything else, once it has the memory. A
  // client that expects it takes it from the socket first.
  enum class Admits : std::uint8_t { no, yes };
  static constexpr std::uint8_t admitted = 6;
  ShmStream(os::Socket socket, StreamEnds ends, const StreamOptions& options, Admits admits = Admits::no);
  ~ShmStream() override;

  IoResult read(MutableBytes into) override {
    if (into.empty() || !attached_.load(std::memory_order_acquire)) [[unlikely]]
      return read_first(into);
    return input_.read(into);
  }
  IoResult write(ByteView octets) override {
    if (!attached_.load(std::memory_order_acquire)) [[unlikely]]
      return write_gather({&octets, 1});
    return output_.write(octets);
  }
  IoResult write_gather(std::span<const ByteView> pieces) override;
  OctetBuffer borrow(std::size_t bytes) override;
  HeldOctets read_in_place(std::size_t count) override {
    return attached_.load(std::memory_order_acquire) ? input_.read_in_place(count) : HeldOctets();
  }
  std::size_t available_in_place() override {
    return attached_.load(std::memory_order_acquire) ? input_.available_in_place() : 0;
  }
  bool has_room_for_small_write() override {
    return attached_.load(std::memory_order_acquire) && output_.has_room_for(few_octets);
  }
  void set_blocking(bool blocking) override;
  bool set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) override;
  bool set_write_timeout(std::chrono::nanoseconds write) override;
  bool set_silence_limit(std::chrono::nanoseconds silence) override;
  int native_handle() const override { return socket_.fd(); }
  void shut_down() override;
  void shut_down_reading() override;
  void shut_down_writing() override;
  std::string peer_address() const override { return ends_.peer(); }
  std::string describe() const override { return ends_.text(); }
  std::optional<os::ProcessIdentity> peer_process() const override { return peer_; }

 private:
  IoResult read_first(MutableBytes into);
  // `ok`, or the reason why there is no memory.
  IoResult attach();
  void attach_to(ConnectionMemory memory);

  os::Socket socket_;
  os::Doorbell bell_{socket_};
  const StreamEnds ends_;
  const std::optional<os::ProcessIdentity> peer_;
  os::PriorityMutex attaching_;
  std::atomic<bool> attached_{false};
  const int most_lent_;
  const bool admits_;
  bool blocking_ = true;
  LiveSetting<std::chrono::nanoseconds> write_timeout_ = std::chrono::nanoseconds(0);
  std::shared_ptr<const os::SharedRegion> region_;
  ShmSleeper sleeper_{socket_};
  ShmInput input_{socket_, bell_, sleeper_};
  ShmOutput output_{socket_, bell_, sleeper_};
};

}  // namespace takt::transport

// UNIX-domain stream sockets, named in the file system or in Linux's abstract namespace.
#pragma once

#include <sys/un.h>

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include <takt/os/clock.h>
#include <takt/os/process_identity.h>

#include "os/net/socket.h"

namespace takt::os {

// A path, or "@name" in the abstract namespace. A value type.
class UnixAddress {
 public:
  static constexpr std::size_t longest =
      sizeof(sockaddr_un{}.sun_path) - 1;  // octets of a path or of "@name"
  // Empty if the name is empty, longer than `longest`, or contains a zero octet.
  static std::optional<UnixAddress> parse(std::string_view name);

  bool is_abstract() const { return address_.sun_path[0] == '\0'; }
  // The form that parse() accepts.
  std::string text() const;
  const sockaddr* data() const { return reinterpret_cast<const sockaddr*>(&address_); }
  unsigned size() const { return size_; }

 private:
  sockaddr_un address_{};
  unsigned size_ = 0;
};

// Errors are errno values. Sockets are closed on exec.

// A connected, blocking socket. Waits for a server whose queue is full until the deadline: then ETIMEDOUT.
std::expected<Socket, int> connect_unix(const UnixAddress& to, TimePoint deadline, int send_buffer_bytes,
                                        int receive_buffer_bytes);

// The same without waiting: EAGAIN if the server's queue is full.
std::expected<Socket, int> connect_unix_at_once(const UnixAddress& to, int send_buffer_bytes,
                                                int receive_buffer_bytes);

// A non-blocking listening socket that owns its name. The destructor removes a file of that name.
//
// Takes over a socket file left by an earlier server, if no process listens there. Meanwhile it locks the
// file's folder (flock), if permitted, so that only one of two concurrent servers gets the name. Fails with
// EADDRINUSE if a process listens there, with EEXIST if the file is not a socket. Also removes files
// NAME.PROCESS.NUMBER left by killed servers of this user.
class UnixListener {
 public:
  // `mode`: permissions of the file. Users who may write to it may connect.
  static std::expected<UnixListener, int> listen(const UnixAddress& at, int backlog, std::uint32_t mode);
  // A fresh path for a listener without a configured name: takt-PROCESS-NUMBER in $XDG_RUNTIME_DIR, or else
  // in a private folder of the user in /tmp. Pass it to listen() next. Removes such files left by killed
  // servers of this user. Fails with EPERM if another user owns the folder.
  static std::expected<UnixAddress, int> free_address();

  UnixListener(UnixListener&& from) noexcept;
  UnixListener& operator=(UnixListener&&) = delete;
  ~UnixListener() { remove_file(); }

  Socket& socket() { return socket_; }
  const Socket& socket() const { return socket_; }
  const UnixAddress& address() const { return address_; }
  // Frees an abstract name, once the socket is shut down. The descriptor stays, without the socket, so that
  // its number is not reused; where no further descriptor can be had, it keeps the name. Any thread.
  void free_name();
  // Removes the file now instead of in the destructor. One thread at a time.
  void remove_file();

 private:
  UnixListener(Socket socket, const UnixAddress& address) : socket_(std::move(socket)), address_(address) {}

  Socket socket_;
  UnixAddress address_;
  bool owns_file_ = false;
  std::uint64_t device_ = 0, inode_ = 0;  // identify the file, so that another server's file is not removed
};

// The process that was at the other end when it connected or began to listen (SO_PEERCRED).
std::optional<ProcessIdentity> peer_of_unix_socket(const Socket& socket);

// The group with that name or number; nullopt: there is none. May ask name services, so it can block.
std::optional<std::uint32_t> find_group(const std::string& name);
// Whether that process was in the group when it connected or began to listen (SO_PEERGROUPS). `peer` is what
// the system says of it. One with more than 256 groups counts as in its effective group alone.
bool is_in_group(const Socket& socket, const ProcessIdentity& peer, std::uint32_t group);

// The effective user of this process.
std::uint32_t own_user();
// The id of this process.
std::int32_t own_process();
// This machine's name; empty if unknown.
std::string host_name();

}  // namespace takt::os

// UNIX-domain stream sockets: names in the file system or in Linux's abstract space, within one machine.
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

// A path, or "@name" for the abstract space. A value.
class UnixAddress {
 public:
  static constexpr std::size_t longest = sizeof(sockaddr_un{}.sun_path) - 1;  // octets of a path or "@name"
  // Nothing for an empty name, one longer than `longest`, or one with a zero octet.
  static std::optional<UnixAddress> parse(std::string_view name);

  bool is_abstract() const { return address_.sun_path[0] == '\0'; }
  // As it is parsed.
  std::string text() const;
  const sockaddr* data() const { return reinterpret_cast<const sockaddr*>(&address_); }
  unsigned size() const { return size_; }

 private:
  sockaddr_un address_{};
  unsigned size_ = 0;
};

// Errors are errno values. Sockets are closed on exec.

// Connected and blocking. A server whose queue is full is waited for, until the deadline: then ETIMEDOUT.
std::expected<Socket, int> connect_unix(const UnixAddress& to, TimePoint deadline, int send_buffer_bytes,
                                        int receive_buffer_bytes);

// A socket that listens, non-blocking, at a name that it owns until it goes: a file of that name is removed
// then.
//
// A file that an earlier server has left is taken over: nobody listens there. While this looks, it holds a
// lock on the file's folder (flock), if it may, so that of two servers that start at once one gets the name.
// EADDRINUSE where somebody listens, EEXIST for a file that is no socket. Sockets beside it,
// NAME.PROCESS.NUMBER, which servers of this user have left that were killed, are removed.
class UnixListener {
 public:
  // `mode`: of the file; who may write to it may connect.
  static std::expected<UnixListener, int> listen(const UnixAddress& at, int backlog, std::uint32_t mode);
  // Just made, for the next listen() without a name: a path of its own, in $XDG_RUNTIME_DIR or else in a
  // folder of the user's alone in /tmp: takt-PROCESS-NUMBER. Those there that servers of this user have left
  // which were killed are removed. EPERM where another user has taken that folder.
  static std::expected<UnixAddress, int> free_address();

  UnixListener(UnixListener&& from) noexcept;
  UnixListener& operator=(UnixListener&&) = delete;
  ~UnixListener() { remove_file(); }

  Socket& socket() { return socket_; }
  const Socket& socket() const { return socket_; }
  const UnixAddress& address() const { return address_; }
  // Now rather than at the end. One thread at a time.
  void remove_file();

 private:
  UnixListener(Socket socket, const UnixAddress& address) : socket_(std::move(socket)), address_(address) {}

  Socket socket_;
  UnixAddress address_;
  bool owns_file_ = false;
  std::uint64_t device_ = 0, inode_ = 0;  // of the file, so that one of another server's is left alone
};

// The process at the other end when it connected or began to listen (SO_PEERCRED).
std::optional<ProcessIdentity> peer_of_unix_socket(const Socket& socket);

// Of this process.
std::int32_t own_process();
// This machine's name; empty if the system does not tell.
std::string host_name();

}  // namespace takt::os

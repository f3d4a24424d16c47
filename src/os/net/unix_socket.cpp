#include "os/net/unix_socket.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "os/poll/interruption.h"
#include "os/private_folder.h"

namespace takt::os {
namespace {

using namespace std::chrono_literals;

std::expected<Socket, int> open_socket(bool blocking) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (blocking ? 0 : SOCK_NONBLOCK), 0);
  if (fd < 0) return std::unexpected(errno);
  return Socket(fd, blocking);
}

int bind(const Socket& socket, const UnixAddress& at) {
  return ::bind(socket.fd(), at.data(), at.size()) == 0 ? 0 : errno;
}

constexpr int most_removed = 1000;  // per call, of files left by killed servers

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

// Held while a name is checked and taken. Without effect if the folder cannot be opened, or another process
// holds the lock for a second.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder)
      : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    for (int tries = 0; fd_ >= 0 && ::flock(fd_, LOCK_EX | LOCK_NB) != 0 && tries < 100; ++tries)
      std::this_thread::sleep_for(10ms);
  }
  ~FolderLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  const int fd_;
};

// Removes a file if it is a socket on which no process listens. Returns 0 on success, or if there is no file.
int remove_stale(const UnixAddress& at) {
  const std::string path = at.text();
  struct stat file{};
  if (::lstat(path.c_str(), &file) != 0) return errno == ENOENT ? 0 : errno;
  if (!S_ISSOCK(file.st_mode)) return EEXIST;
  auto probe = open_socket(false);
  if (!probe) return probe.error();
  if (::connect(probe->fd(), at.data(), at.size()) == 0 || errno != ECONNREFUSED) return EADDRINUSE;
  return ::unlink(path.c_str()) == 0 || errno == ENOENT ? 0 : errno;
}

// Parses "1234-5", with `between` as the separator: a process id and a serial number. Empty if it is invalid.
std::optional<pid_t> process_in(std::string_view name, char between) {
  pid_t process = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
  const std::string_view rest = name.substr(static_cast<std::size_t>(end - name.data()));
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool sound = error == std::errc() && process > 0 && rest.size() > 1 && rest.front() == between &&
                     std::ranges::all_of(rest.substr(1), is_digit);
  return sound ? std::optional(process) : std::nullopt;
}

// Removes sockets left by killed servers of this user: files named `prefix`, process id and number, if the
// process does not exist and nothing listens there. The caller holds the folder's lock, so no file belongs to
// a server that is about to listen.
void remove_dead(const std::string& folder, std::string_view prefix, char between) {
  DIR* const entries = ::opendir(folder.c_str());
  if (!entries) return;
  int removed = 0;
  while (const dirent* const entry = removed < most_removed ? ::readdir(entries) : nullptr) {
    const std::string_view name = entry->d_name;
    if (!name.starts_with(prefix)) continue;
    const auto process = process_in(name.substr(prefix.size()), between);
    if (!process || ::kill(*process, 0) == 0 || errno != ESRCH) continue;
    const auto address = UnixAddress::parse(folder + std::string(name));
    struct stat file{};
    if (!address || ::lstat(address->text().c_str(), &file) != 0 || file.st_uid != ::geteuid()) continue;
    if (S_ISSOCK(file.st_mode) && remove_stale(*address) == 0) ++removed;
  }
  ::closedir(entries);
}

}  // namespace

std::optional<UnixAddress> UnixAddress::parse(std::string_view name) {
  if (name.empty() || name == "@" || name.size() > longest || name.find('\0') != name.npos)
    return std::nullopt;
  UnixAddress address;
  address.address_.sun_family = AF_UNIX;
  std::memcpy(address.address_.sun_path, name.data(), name.size());
  const bool abstract = name.front() == '@';
  if (abstract) address.address_.sun_path[0] = '\0';
  address.size_ = static_cast<unsigned>(offsetof(sockaddr_un, sun_path) + name.size() + (abstract ? 0 : 1));
  return address;
}

std::string UnixAddress::text() const {
  if (!is_abstract()) return address_.sun_path;
  return '@' + std::string(address_.sun_path + 1, size_ - offsetof(sockaddr_un, sun_path) - 1);
}

// A blocking connect waits for room in the queue like a send, so the send timeout bounds it.
namespace {

// Returns 0 or an errno value. `deadline` bounds the wait for room in the listener's queue, as Interruption
// does.
int connect_by(Socket& socket, const UnixAddress& to, TimePoint deadline) {
  const bool bounded = Interruption::next_look(deadline) != no_deadline;
  for (;;) {
    const auto left = bounded ? remaining(Interruption::next_look(deadline), Clock::now()) : 0ns;
    if (bounded && !socket.set_send_timeout(std::max<std::chrono::nanoseconds>(left, 1us))) return errno;
    if (::connect(socket.fd(), to.data(), to.size()) == 0) break;
    if (errno == EAGAIN && !bounded) return ETIMEDOUT;
    if (errno != EINTR && errno != EAGAIN) return errno;
    if (bounded && (Clock::now() >= deadline || Interruption::is_due())) return ETIMEDOUT;
  }
  return bounded && !socket.set_send_timeout(0ns) ? errno : 0;
}

}  // namespace

namespace {
std::expected<Socket, int> open_client(bool blocking, int send_buffer_bytes, int receive_buffer_bytes) {
  auto socket = open_socket(blocking);
  if (!socket) return socket;
  if (send_buffer_bytes > 0) socket->set_send_buffer_bytes(send_buffer_bytes);
  if (receive_buffer_bytes > 0) socket->set_receive_buffer_bytes(receive_buffer_bytes);
  return socket;
}
}  // namespace

std::expected<Socket, int> connect_unix(const UnixAddress& to, TimePoint deadline, int send_buffer_bytes,
                                        int receive_buffer_bytes) {
  auto socket = open_client(true, send_buffer_bytes, receive_buffer_bytes);
  if (!socket) return socket;
  if (const int error = connect_by(*socket, to, deadline); error != 0) return std::unexpected(error);
  return socket;
}

std::expected<Socket, int> connect_unix_at_once(const UnixAddress& to, int send_buffer_bytes,
                                                int receive_buffer_bytes) {
  auto socket = open_client(false, send_buffer_bytes, receive_buffer_bytes);
  if (!socket) return socket;
  if (::connect(socket->fd(), to.data(), to.size()) != 0 || !socket->set_blocking(true))
    return std::unexpected(errno);
  return socket;
}

std::expected<UnixListener, int> UnixListener::listen(const UnixAddress& at, int backlog,
                                                      std::uint32_t mode) {
  auto socket = open_socket(false);
  if (!socket) return std::unexpected(socket.error());
  UnixListener listener(std::move(*socket), at);
  const std::string path = at.text();
  std::optional<FolderLock> lock;
  if (!at.is_abstract()) {
    const std::string folder = folder_of(path);
    lock.emplace(folder);
    if (path.starts_with(folder)) remove_dead(folder, path.substr(folder.size()) + '.', '.');
  }
  int error = bind(listener.socket_, at);
  if (error == EADDRINUSE && !at.is_abstract()) {
    error = remove_stale(at);
    if (error == 0) error = bind(listener.socket_, at);
  }
  if (error != 0) return std::unexpected(error);
  if (!at.is_abstract()) {
    struct stat file{};
    if (::lstat(path.c_str(), &file) != 0) return std::unexpected(errno);
    listener.owns_file_ = true;
    listener.device_ = file.st_dev;
    listener.inode_ = file.st_ino;
    if (::chmod(path.c_str(), mode) != 0) return std::unexpected(errno);
  }
  if (::listen(listener.socket_.fd(), backlog) != 0) return std::unexpected(errno);
  return listener;
}

[[gnu::cold]] std::expected<UnixAddress, int> UnixListener::free_address() {
  static std::atomic<unsigned> count{0};
  const char* runtime = ::secure_getenv("XDG_RUNTIME_DIR");
  std::string folder = runtime && runtime[0] == '/' ? std::string(runtime) : std::string();
  if (folder.empty() || !is_ours_alone(folder)) {
    folder = make_own_folder("/tmp");
    if (folder.empty()) return std::unexpected(errno);
  }
  folder += '/';
  {
    const FolderLock lock(folder);
    remove_dead(folder, "takt-", '-');
  }
  const auto address = UnixAddress::parse(folder + "takt-" + std::to_string(::getpid()) + "-" +
                                          std::to_string(count.fetch_add(1)));
  if (!address) return std::unexpected(ENAMETOOLONG);
  return *address;
}

UnixListener::UnixListener(UnixListener&& from) noexcept
    : socket_(std::move(from.socket_)),
      address_(from.address_),
      owns_file_(std::exchange(from.owns_file_, false)),
      device_(from.device_),
      inode_(from.inode_) {}

void UnixListener::free_name() {
  if (const auto other = open_socket(false)) ::syscall(SYS_dup3, other->fd(), socket_.fd(), O_CLOEXEC);
}

void UnixListener::remove_file() {
  if (!std::exchange(owns_file_, false)) return;
  const std::string path = address_.text();
  const FolderLock lock(folder_of(path));
  struct stat file{};
  if (::lstat(path.c_str(), &file) == 0 && file.st_dev == device_ && file.st_ino == inode_)
    ::unlink(path.c_str());
}

std::optional<ProcessIdentity> peer_of_unix_socket(const Socket& socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket.fd(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || size != sizeof peer)
    return std::nullopt;
  return ProcessIdentity{peer.pid, peer.uid, peer.gid};
}

[[gnu::cold]] std::optional<std::uint32_t> find_group(const std::string& name) {
  std::uint32_t number = 0;
  const char* const end = name.data() + name.size();
  if (const auto [at, error] = std::from_chars(name.data(), end, number); error == std::errc() && at == end)
    return number;
  group entry{};
  group* found = nullptr;
  std::string texts(64 * 1024, '\0');
  if (::getgrnam_r(name.c_str(), &entry, texts.data(), texts.size(), &found) != 0 || !found)
    return std::nullopt;
  return found->gr_gid;
}

bool is_in_group(const Socket& socket, const ProcessIdentity& peer, std::uint32_t group) {
  gid_t groups[256];
  socklen_t bytes = sizeof groups;
  if (peer.group == group) return true;
  if (::getsockopt(socket.fd(), SOL_SOCKET, SO_PEERGROUPS, groups, &bytes) != 0) return false;
  const gid_t* const end = groups + bytes / sizeof *groups;
  return std::find(static_cast<const gid_t*>(groups), end, group) != end;
}

std::uint32_t own_user() { return ::geteuid(); }
std::int32_t own_process() { return ::getpid(); }

std::string host_name() {
  char name[256] = "";
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace takt::os

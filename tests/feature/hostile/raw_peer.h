// A client that sends and receives raw octets, as any client of a Takt server could.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace feature {

using Octets = std::vector<std::uint8_t>;
using namespace std::chrono_literals;

// The address and key of an object, from a stringified reference with an IIOP profile and an IPv4 address.
struct Place {
  explicit Place(const std::string& ior) {
    Octets octets;
    for (std::size_t i = 4; i + 1 < ior.size(); i += 2)
      octets.push_back(static_cast<std::uint8_t>(std::stoi(ior.substr(i, 2), nullptr, 16)));
    const std::string_view all(reinterpret_cast<const char*>(octets.data()), octets.size());
    std::size_t at = all.find(std::string_view("127.0.0.1\0", 10));
    if (at == all.npos) throw std::invalid_argument("no profile for 127.0.0.1 in " + ior);
    at += 10;
    at += at % 2;  // the profile begins at a multiple of four
    port = static_cast<std::uint16_t>(octets[at] | octets[at + 1] << 8);
    key = key_behind(port_of_first_iiop_profile(octets).value_or(at), octets);
  }
  // A corbaloc of the object, which says no code sets.
  std::string corbaloc() const {
    std::string url = "corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(port) + "/";
    for (const std::uint8_t octet : key) {
      constexpr char digits[] = "0123456789abcdef";
      url += {'%', digits[octet >> 4], digits[octet & 15]};
    }
    return url;
  }
  std::uint16_t port = 0;
  std::string path;  // a UNIX-domain socket to use instead; set by tests
  Octets key;

 private:
  static std::uint32_t u32_at(std::size_t at, const Octets& octets) {
    std::uint32_t value;
    if (at + 4 > octets.size()) throw std::invalid_argument("a reference that is cut off");
    std::memcpy(&value, &octets[at], 4);
    return value;
  }
  static std::size_t aligned(std::size_t at) { return (at + 3) / 4 * 4; }
  // Where the port stands, if the reference begins with an IIOP profile. The address that was found may stand
  // in one of its components, and no key is behind that.
  static std::optional<std::size_t> port_of_first_iiop_profile(const Octets& octets) {
    const std::size_t tag = aligned(8 + u32_at(4, octets)) + 4;
    if (u32_at(tag, octets) != 0) return std::nullopt;
    const std::size_t host = tag + 12;  // after tag, length, order and version
    const std::size_t behind = host + 4 + u32_at(host, octets);
    return behind + behind % 2;
  }
  static Octets key_behind(std::size_t port_at, const Octets& octets) {
    const std::size_t length_at = aligned(port_at + 2);
    const std::uint32_t length = u32_at(length_at, octets);
    if (length > octets.size() - length_at - 4) throw std::invalid_argument("a key that is cut off");
    const auto begin = octets.begin() + static_cast<std::ptrdiff_t>(length_at + 4);
    return {begin, begin + static_cast<std::ptrdiff_t>(length)};
  }
};

// Little-endian GIOP 1.2, field by field.
class MessageOctets {
 public:
  explicit MessageOctets(std::uint8_t type) : octets_{'G', 'I', 'O', 'P', 1, 2, 1, type, 0, 0, 0, 0} {}

  MessageOctets& u32(std::uint32_t value) {
    align(4);
    for (int shift = 0; shift < 32; shift += 8) octets_.push_back(static_cast<std::uint8_t>(value >> shift));
    return *this;
  }
  MessageOctets& raw(const Octets& some) {
    octets_.insert(octets_.end(), some.begin(), some.end());
    return *this;
  }
  MessageOctets& sequence(const Octets& some) {
    return u32(static_cast<std::uint32_t>(some.size())).raw(some);
  }
  MessageOctets& text(std::string_view some) {
    Octets with_nul(some.begin(), some.end());
    with_nul.push_back(0);
    return sequence(with_nul);
  }
  MessageOctets& align(std::size_t to) {
    while (octets_.size() % to != 0) octets_.push_back(0);
    return *this;
  }
  // The octets with the size in the header; `announced` may be larger than the actual size.
  Octets finish(std::size_t announced = 0) const {
    Octets finished = octets_;
    const auto size = static_cast<std::uint32_t>(octets_.size() - 12 + announced);
    std::memcpy(&finished[8], &size, 4);
    return finished;
  }

 private:
  Octets octets_;
};

// The head of a Request that expects a reply; append the body.
inline MessageOctets request(std::uint32_t id, const Octets& key, std::string_view operation,
                             const std::vector<std::pair<std::uint32_t, Octets>>& contexts = {},
                             bool has_body = false) {
  MessageOctets message(0);
  message.u32(id).raw({3, 0, 0, 0, 0, 0, 0, 0}).sequence(key).text(operation);
  message.u32(static_cast<std::uint32_t>(contexts.size()));
  for (const auto& [context, data] : contexts) message.u32(context).sequence(data);
  if (has_body) message.align(8);
  return message;
}

class RawPeer {
 public:
  explicit RawPeer(std::uint16_t port, std::uint32_t address_number = INADDR_LOOPBACK)
      : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(address_number);
    address.sin_port = htons(port);
    if (::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("no connection to the server");
  }
  // Connects by `path` if it is set.
  explicit RawPeer(const Place& place) : fd_(-1) {
    if (place.path.empty()) {
      RawPeer by_port(place.port);
      std::swap(fd_, by_port.fd_);
      return;
    }
    fd_ = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    place.path.copy(address.sun_path, sizeof address.sun_path - 1);
    if (::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("no connection to the server");
  }
  ~RawPeer() { ::close(fd_); }
  RawPeer(const RawPeer&) = delete;
  RawPeer& operator=(const RawPeer&) = delete;

  int fd() const { return fd_; }
  // False if the server has closed the connection.
  bool send(const Octets& octets) {
    std::size_t sent = 0;
    while (sent < octets.size()) {
      const ssize_t count = ::send(fd_, octets.data() + sent, octets.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return false;
      sent += static_cast<std::size_t>(count);
    }
    return true;
  }
  // Sends as much as possible without waiting longer than `patience` for progress.
  std::size_t send_while_it_takes(const Octets& octets, std::chrono::milliseconds patience) {
    std::size_t sent = 0;
    while (sent < octets.size() && ready(POLLOUT, patience)) {
      const ssize_t count =
          ::send(fd_, octets.data() + sent, octets.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count <= 0) break;
      sent += static_cast<std::size_t>(count);
    }
    return sent;
  }
  // A complete message with its header; or the octets received when the server closed or stopped sending.
  Octets receive_message(std::chrono::milliseconds patience = 10s) {
    Octets message = receive(12, patience);
    if (message.size() < 12) return message;
    std::uint32_t size;
    std::memcpy(&size, &message[8], 4);
    if ((message[6] & 1) == 0) size = __builtin_bswap32(size);
    const Octets rest = receive(size, patience);
    message.insert(message.end(), rest.begin(), rest.end());
    return message;
  }
  Octets receive(std::size_t count, std::chrono::milliseconds patience = 10s) {
    Octets octets(count);
    std::size_t got = 0;
    while (got < count && ready(POLLIN, patience)) {
      const ssize_t more = ::recv(fd_, octets.data() + got, count - got, 0);
      if (more <= 0) break;
      got += static_cast<std::size_t>(more);
    }
    octets.resize(got);
    return octets;
  }
  // Whether the server closes the connection, after sending anything.
  bool closes_within(std::chrono::milliseconds patience) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < until) {
      if (!ready(POLLIN, 20ms)) continue;
      std::uint8_t some[65536];
      if (::recv(fd_, some, sizeof some, 0) <= 0) return true;
    }
    return false;
  }
  // Whether the server has closed the connection, checked without reading earlier data.
  bool is_cut_within(std::chrono::milliseconds patience) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < until) {
      pollfd waiting{fd_, POLLRDHUP, 0};
      if (::poll(&waiting, 1, 20) > 0 && (waiting.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0)
        return true;
    }
    return false;
  }

 private:
  bool ready(short events, std::chrono::milliseconds patience) {
    pollfd waiting{fd_, events, 0};
    return ::poll(&waiting, 1, static_cast<int>(patience.count())) > 0;
  }
  int fd_;
};

inline int type_of(const Octets& message) { return message.size() < 12 ? -1 : message[7]; }
// The request's number in a GIOP 1.2 Reply of this machine's byte order; 0 if there is none.
inline std::uint32_t request_id_of(const Octets& reply) {
  std::uint32_t id = 0;
  if (reply.size() >= 24) std::memcpy(&id, &reply[12], 4);
  return id;
}
inline constexpr int reply_type = 1, close_type = 5, error_type = 6;

// The repository id of the system exception in a GIOP 1.2 Reply; empty if there is none.
inline std::string exception_of(const Octets& reply) {
  if (type_of(reply) != reply_type || reply.size() < 32 || reply[16] != 2) return {};
  std::uint32_t length;
  std::memcpy(&length, &reply[24], 4);
  return {reply.begin() + 28, reply.begin() + 28 + length - 1};
}

}  // namespace feature

#include "peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

namespace rows {
namespace {

using Octets = std::vector<std::uint8_t>;
constexpr std::uint8_t version[] = {1, 2};
constexpr std::size_t head_size = 12;
enum Type : std::uint8_t { request = 0, reply = 1, close_connection = 5 };

// CDR in little-endian order, from a multiple of four on.
class Writer {
 public:
  Writer& align(std::size_t size) {
    octets_.resize((octets_.size() + size - 1) / size * size);
    return *this;
  }
  Writer& u8(std::uint8_t value) {
    octets_.push_back(value);
    return *this;
  }
  Writer& u16(std::uint16_t value) {
    return align(2).u8(static_cast<std::uint8_t>(value)).u8(static_cast<std::uint8_t>(value >> 8));
  }
  Writer& u32(std::uint32_t value) {
    align(4);
    for (int shift = 0; shift != 32; shift += 8) u8(static_cast<std::uint8_t>(value >> shift));
    return *this;
  }
  Writer& sequence(const Octets& octets) {
    return u32(static_cast<std::uint32_t>(octets.size())).raw(octets);
  }
  Writer& string(std::string text) {
    text.push_back('\0');
    return sequence({text.begin(), text.end()});
  }
  Writer& raw(const Octets& octets) {
    octets_.insert(octets_.end(), octets.begin(), octets.end());
    return *this;
  }
  const Octets& octets() const { return octets_; }

 private:
  Octets octets_;
};

std::uint32_t u32_at(const Octets& octets, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | octets.at(at + i);
  return value;
}

// Clients of this machine are expected, which is little-endian.
Octets message(Type type, const Octets& body) {
  Writer out;
  out.raw({'G', 'I', 'O', 'P', version[0], version[1], 1, type});
  return out.sequence(body).octets();
}
// A status of GIOP and what follows it, after service contexts of which there are none.
Octets reply_to(const Octets& to, std::uint32_t status, const Octets& body) {
  return message(reply, Writer().u32(u32_at(to, head_size)).u32(status).u32(0).raw(body).octets());
}

Octets octets_in(const std::string& reference) {
  Octets octets;
  for (std::size_t at = 4; at + 1 < reference.size(); at += 2)
    octets.push_back(static_cast<std::uint8_t>(std::stoi(reference.substr(at, 2), nullptr, 16)));
  return octets;
}

void send_all(int fd, const Octets& octets) { (void)!::send(fd, octets.data(), octets.size(), MSG_NOSIGNAL); }

}  // namespace

Peer::Peer() {
  listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (listener_ < 0 || ::bind(listener_, generic, length) != 0 || ::listen(listener_, 16) != 0 ||
      ::getsockname(listener_, generic, &length) != 0 || ::pipe(stop_) != 0)
    throw std::runtime_error("no loopback listener");
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

Peer::~Peer() {
  ::close(stop_[1]);
  thread_.join();
  ::close(stop_[0]);
  ::close(listener_);
  for (const auto& connection : connections_) ::close(connection.first);
}

std::string Peer::reference() const {
  const Octets orb_type = Writer().u8(1).u32(0x12345678).octets();
  // ISO 8859-1 and UTF-16, without conversions.
  const Octets code_sets = Writer().u8(1).u32(0x00010001).u32(0).u32(0x00010109).u32(0).octets();
  Writer profile;
  profile.u8(1).u8(version[0]).u8(version[1]).string("127.0.0.1").u16(port_).sequence({'P', 'e', 'e', 'r'});
  profile.u32(2).u32(0).sequence(orb_type).u32(1).sequence(code_sets);
  Writer all;
  all.u8(1).string("IDL:Peer:1.0").u32(1).u32(0).sequence(profile.octets());
  std::string text = "IOR:";
  for (const std::uint8_t octet : all.octets())
    for (const int digit : {octet >> 4, octet & 15}) text += "0123456789abcdef"[digit];
  return text;
}

void Peer::begin(Answers next, const std::string& refuge) {
  Octets octets = octets_in(refuge);
  octets.erase(octets.begin(), octets.begin() + 4);  // the order, which is this machine's
  const std::lock_guard lock(mutex_);
  plain_ = false;
  next_ = next;
  refuge_ = octets;
}

void Peer::serve() {
  for (;;) {
    std::vector<pollfd> waiting{{stop_[0], POLLIN, 0}, {listener_, POLLIN, 0}};
    for (const auto& connection : connections_) waiting.push_back({connection.first, POLLIN, 0});
    if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;
    if (waiting[0].revents != 0) return;
    if (waiting[1].revents != 0)
      if (const int fd = ::accept(listener_, nullptr, nullptr); fd >= 0) connections_[fd];
    for (std::size_t i = 2; i != waiting.size(); ++i) {
      if (waiting[i].revents == 0 || read(waiting[i].fd)) continue;
      connections_.erase(waiting[i].fd);
      ::close(waiting[i].fd);
    }
  }
}

bool Peer::read(int fd) {
  std::uint8_t octets[4096];
  const ssize_t count = ::recv(fd, octets, sizeof octets, 0);
  if (count <= 0) return false;
  Octets& arrived = connections_[fd];
  arrived.insert(arrived.end(), octets, octets + count);
  while (arrived.size() >= head_size && arrived.size() >= head_size + u32_at(arrived, 8)) {
    const auto end = arrived.begin() + static_cast<std::ptrdiff_t>(head_size + u32_at(arrived, 8));
    const Octets one(arrived.begin(), end);
    arrived.erase(arrived.begin(), end);
    if (one[7] == request && !answer(fd, one)) return false;
  }
  return true;
}

bool Peer::answer(int fd, const Octets& to) {
  const std::lock_guard lock(mutex_);
  if (plain_) {
    send_all(fd, reply_to(to, 0, Writer().u32(6).octets()));
    return true;
  }
  plain_ = true;
  switch (next_) {
    case Answers::closes:
      send_all(fd, message(close_connection, {}));
      return false;
    case Answers::readdresses:
      send_all(fd, reply_to(to, 5, Writer().u16(1).octets()));
      return true;
    case Answers::moves:
      send_all(fd, reply_to(to, 4, refuge_));
      return true;
    case Answers::loses:
      break;
  }
  return false;
}

}  // namespace rows

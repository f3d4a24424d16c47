#include "event_ring/handover/local_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace takt::event_ring {
namespace {

constexpr std::array<std::uint8_t, 8> magic{'t', 'a', 'k', 't', 'r', 'i', 'n', 'g'};
constexpr std::array<std::uint8_t, 8> report_magic{'t', 'a', 'k', 't', 'r', 'e', 'a', 'd'};
constexpr std::uint32_t version = 2;
constexpr std::size_t token_digits = 32;

struct Address {
  sockaddr_un name{};
  socklen_t bytes = 0;
};

Address address_of(const std::string& token) {
  const std::string name = "takt-events-" + token;
  Address address;
  address.name.sun_family = AF_UNIX;
  std::memcpy(address.name.sun_path + 1, name.data(), name.size());  // after a zero: an abstract name
  address.bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return address;
}

// The id of the process at the other end; EACCES: it belongs to another user.
std::expected<std::int32_t, int> peer_of(const Descriptor& socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket.number(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != ::geteuid())
    return std::unexpected(EACCES);
  return peer.pid;
}

// Receives a message, and what comes with it in the space that `message` has for that. EPROTO: it has more.
template <class Message>
std::expected<Message, int> receive(const Descriptor& socket, msghdr& message) {
  std::array<std::uint8_t, Message::bytes + 1> octets;
  iovec space{octets.data(), octets.size()};
  message.msg_iov = &space;
  message.msg_iovlen = 1;
  const ssize_t count = ::recvmsg(socket.number(), &message, MSG_CMSG_CLOEXEC);
  if (count < 0) {
    message.msg_controllen = 0;
    return std::unexpected(errno);
  }
  if (count == 0) return std::unexpected(EPIPE);
  if ((message.msg_flags & MSG_CTRUNC) != 0) return std::unexpected(EPROTO);
  const auto received = Message::decode(ByteView(octets.data(), static_cast<std::size_t>(count)));
  if (!received) return std::unexpected(EPROTO);
  return *received;
}

}  // namespace

std::array<std::uint8_t, Greeting::bytes> Greeting::encode() const {
  std::array<std::uint8_t, bytes> octets{};
  std::ranges::copy(magic, octets.begin());
  std::memcpy(octets.data() + magic.size(), &version, sizeof version);
  std::memcpy(octets.data() + magic.size() + sizeof version, &number, sizeof number);
  return octets;
}

std::optional<Greeting> Greeting::decode(ByteView octets) {
  if (octets.size() != bytes) return {};
  Greeting greeting;
  std::memcpy(&greeting.number, octets.data() + magic.size() + sizeof version, sizeof greeting.number);
  if (!std::ranges::equal(octets, greeting.encode())) return {};
  return greeting;
}

std::array<std::uint8_t, ReaderReport::bytes> ReaderReport::encode() const {
  std::array<std::uint8_t, bytes> octets{};
  std::ranges::copy(report_magic, octets.begin());
  std::memcpy(octets.data() + report_magic.size(), &read, sizeof read);
  std::memcpy(octets.data() + report_magic.size() + sizeof read, &lost, sizeof lost);
  return octets;
}

std::optional<ReaderReport> ReaderReport::decode(ByteView octets) {
  if (octets.size() != bytes || !std::ranges::equal(octets.first(report_magic.size()), report_magic))
    return {};
  ReaderReport report;
  std::memcpy(&report.read, octets.data() + report_magic.size(), sizeof report.read);
  std::memcpy(&report.lost, octets.data() + report_magic.size() + sizeof report.read, sizeof report.lost);
  return report;
}

bool is_token(const std::string& token) {
  return token.size() == token_digits && token.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::expected<Descriptor, int> listen_at(const std::string& token) {
  constexpr int waiting = 64;
  Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const Address at = address_of(token);
  if (!socket.is_open() ||
      ::bind(socket.number(), reinterpret_cast<const sockaddr*>(&at.name), at.bytes) != 0 ||
      ::listen(socket.number(), waiting) != 0)
    return std::unexpected(errno);
  return socket;
}

std::expected<AcceptedReader, int> accept_reader(const Descriptor& listener) {
  Descriptor socket(::accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!socket.is_open()) return std::unexpected(errno);
  const auto process = peer_of(socket);
  if (!process) return std::unexpected(process.error());
  return AcceptedReader{std::move(socket), *process};
}

std::expected<Descriptor, int> connect_to(const std::string& token, std::chrono::milliseconds patience) {
  Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  const Address to = address_of(token);
  patience = std::max(patience, std::chrono::milliseconds(1));  // 0 would wait forever
  const auto whole = std::chrono::floor<std::chrono::seconds>(patience);
  const timeval limit{static_cast<time_t>(whole.count()),
                      static_cast<suseconds_t>(std::chrono::microseconds(patience - whole).count())};
  if (!socket.is_open() ||
      ::setsockopt(socket.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) != 0 ||
      ::setsockopt(socket.number(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0 ||
      ::connect(socket.number(), reinterpret_cast<const sockaddr*>(&to.name), to.bytes) != 0)
    return std::unexpected(errno);
  if (const auto process = peer_of(socket); !process) return std::unexpected(process.error());
  return socket;
}

int send_greeting(const Descriptor& socket, Greeting greeting, const Descriptor& memory) {
  auto octets = greeting.encode();
  const int descriptor = memory.number();
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
  iovec piece{octets.data(), octets.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  if (memory.is_open()) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(part), &descriptor, sizeof descriptor);
  }
  return ::sendmsg(socket.number(), &message, MSG_NOSIGNAL) < 0 ? errno : 0;
}

std::expected<Greeting, int> receive_greeting(const Descriptor& socket) {
  msghdr message{};  // without space for descriptors
  return receive<Greeting>(socket, message);
}

std::expected<ReaderReport, int> receive_report(const Descriptor& socket) {
  msghdr message{};  // without space for descriptors
  return receive<ReaderReport>(socket, message);
}

void send_report(const Descriptor& socket, ReaderReport report) {
  const auto octets = report.encode();
  [[maybe_unused]] const auto sent =
      ::send(socket.number(), octets.data(), octets.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

std::expected<OfferedMemory, int> receive_memory(const Descriptor& socket) {
  int number = -1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof number)];
  msghdr message{};
  message.msg_control = control;
  message.msg_controllen = CMSG_LEN(sizeof number);  // the padding behind it would take a second one
  const auto greeting = receive<Greeting>(socket, message);
  const cmsghdr* const part = CMSG_FIRSTHDR(&message);
  if (part && part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS)
    std::memcpy(&number, CMSG_DATA(part), sizeof number);
  Descriptor memory(number);
  if (!greeting) return std::unexpected(greeting.error());
  return OfferedMemory{*greeting, std::move(memory)};
}

bool has_closed(const Descriptor& socket) {
  pollfd polled{socket.number(), POLLRDHUP, 0};
  return ::poll(&polled, 1, 0) > 0 && (polled.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

}  // namespace takt::event_ring

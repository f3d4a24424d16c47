// bench_events_peers zmq-proxy IN OUT: a ZeroMQ proxy between publishers at the port IN and subscribers at
// OUT. bench_events_peers zmq IN OUT CONSUMERS OCTETS SECONDS PID: a ZeroMQ publisher and subscribers of a
// proxy. bench_events_peers nats PORT CONSUMERS OCTETS SECONDS PID: a publisher and subscribers of a NATS
// server, each with a connection, by NATS's protocol. PID is the process of the proxy or the server. Both
// print what bench::drive() says. Publishers get no acknowledgement. ZeroMQ and NATS send events together
// that wait for a subscriber.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zmq.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <list>

#include "parts.h"

namespace {

constexpr int receive_buffer = 64 * 1024;

// A subscriber's thread, and what it has received.
struct Subscriber {
  std::atomic<std::uint64_t> received{0};
  std::atomic<bool> greeted{false};
  std::jthread thread{};
};
using Subscribers = std::list<Subscriber>;

std::uint64_t least(const Subscribers& subscribers) {
  std::uint64_t least = ~std::uint64_t{0};
  for (const Subscriber& each : subscribers) least = std::min(least, each.received.load());
  return least;
}

void check(bool done, const char* what) {
  if (!done) throw std::runtime_error(std::string(what) + ": " + zmq_strerror(zmq_errno()));
}

std::string zmq_address(const char* port) { return std::string("tcp://127.0.0.1:") + port; }

// A socket that drops nothing: the publisher waits for the slowest subscriber itself.
void* unbounded_socket(void* context, int type) {
  const int none = 0;
  void* const socket = zmq_socket(context, type);
  zmq_setsockopt(socket, ZMQ_SNDHWM, &none, sizeof none);
  zmq_setsockopt(socket, ZMQ_RCVHWM, &none, sizeof none);
  return socket;
}

// Does not wait for messages that have not been sent.
void close_at_once(void* context, void* socket) {
  const int none = 0;
  zmq_setsockopt(socket, ZMQ_LINGER, &none, sizeof none);
  zmq_close(socket);
  zmq_ctx_term(context);
}

void zmq_proxy_between(const char* in, const char* out) {
  void* const context = zmq_ctx_new();
  void *const from = unbounded_socket(context, ZMQ_XSUB), *const to = unbounded_socket(context, ZMQ_XPUB);
  check(zmq_bind(from, zmq_address(in).c_str()) == 0 && zmq_bind(to, zmq_address(out).c_str()) == 0, "bind");
  std::cout << "ready" << std::endl;
  zmq_proxy(from, to, nullptr);
}

void zmq_run(char** arguments) {
  const std::size_t consumers = std::strtoul(arguments[2], nullptr, 10);
  const std::string data(std::strtoul(arguments[3], nullptr, 10), 'x');
  void* const context = zmq_ctx_new();
  Subscribers subscribers;
  std::atomic<bool> stops{false};
  for (std::size_t i = 0; i < consumers; ++i) {
    Subscriber& each = subscribers.emplace_back();
    each.thread = std::jthread([&each, &stops, arguments] {
      void* const own = zmq_ctx_new();
      void* const socket = unbounded_socket(own, ZMQ_SUB);
      const int patience = 200;
      zmq_setsockopt(socket, ZMQ_RCVTIMEO, &patience, sizeof patience);
      zmq_setsockopt(socket, ZMQ_SUBSCRIBE, "", 0);
      zmq_connect(socket, zmq_address(arguments[1]).c_str());
      std::vector<char> buffer(receive_buffer + 1);
      while (!stops) {
        const int size = zmq_recv(socket, buffer.data(), buffer.size(), 0);
        if (size == 1) each.greeted = true;
        if (size > 1) ++each.received;
      }
      close_at_once(own, socket);
    });
  }
  void* const socket = unbounded_socket(context, ZMQ_PUB);
  check(zmq_connect(socket, zmq_address(arguments[0]).c_str()) == 0, "connect");
  // A publisher drops what it sends before it has heard of its subscribers.
  for (int i = 0;
       i < 10'000 && !std::ranges::all_of(subscribers, [](auto& each) { return each.greeted.load(); }); ++i) {
    check(zmq_send(socket, "g", 1, 0) >= 0, "send");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  bench::drive([&] { check(zmq_send(socket, data.data(), data.size(), 0) >= 0, "send"); },
               [&] { return least(subscribers); }, consumers, std::atof(arguments[4]), arguments[5]);
  stops = true;
  subscribers.clear();
  close_at_once(context, socket);
}

// A connection to a NATS server after the greeting.
int nats_connection(const char* port, const std::string& words) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0), on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(port)));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("the NATS server does not answer");
  const std::string greeting = "CONNECT {\"verbose\":false}\r\n" + words + "PING\r\n";
  if (::send(socket, greeting.data(), greeting.size(), 0) < 0) throw std::runtime_error("send");
  std::string answer;
  char octet = 0;
  while (!answer.ends_with("PONG\r\n") && ::recv(socket, &octet, 1, 0) == 1) answer += octet;
  return socket;
}

void send_all(int socket, const std::string& octets) {
  for (std::size_t sent = 0; sent < octets.size();) {
    const auto count = ::send(socket, octets.data() + sent, octets.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) throw std::runtime_error("the NATS server has closed the connection");
    sent += static_cast<std::size_t>(count);
  }
}

void nats_run(char** arguments) {
  const std::size_t consumers = std::strtoul(arguments[1], nullptr, 10);
  const std::string octets = arguments[2], data(std::strtoul(arguments[2], nullptr, 10), 'x');
  const std::size_t frame = ("MSG bench 1 " + octets + "\r\n").size() + data.size() + 2;
  Subscribers subscribers;
  std::vector<int> sockets;
  for (std::size_t i = 0; i < consumers; ++i) {
    const int socket = nats_connection(arguments[0], "SUB bench 1\r\n");
    sockets.push_back(socket);
    Subscriber& each = subscribers.emplace_back();
    each.thread = std::jthread([&each, socket, frame] {
      std::vector<char> buffer(receive_buffer);
      std::uint64_t total = 0;
      for (ssize_t count = 0; (count = ::recv(socket, buffer.data(), buffer.size(), 0)) > 0;) {
        total += static_cast<std::uint64_t>(count);
        each.received = total / frame;
      }
    });
  }
  const int publisher = nats_connection(arguments[0], "");
  const std::string message = "PUB bench " + octets + "\r\n" + data + "\r\n";
  bench::drive([&] { send_all(publisher, message); }, [&] { return least(subscribers); }, consumers,
               std::atof(arguments[3]), arguments[4]);
  for (const int socket : sockets) ::shutdown(socket, SHUT_RDWR);
  subscribers.clear();
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string kind = argc > 1 ? argv[1] : "";
  if (kind == "zmq-proxy" && argc == 4)
    zmq_proxy_between(argv[2], argv[3]);
  else if (kind == "zmq" && argc == 8)
    zmq_run(argv + 2);
  else if (kind == "nats" && argc == 7)
    nats_run(argv + 2);
  else
    throw std::runtime_error("the comment at its head says what to give");
} catch (const std::exception& failure) {
  std::cerr << "bench_events_peers: " << failure.what() << '\n';
  return 1;
}

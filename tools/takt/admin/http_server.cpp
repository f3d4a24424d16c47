#include "admin/http_server.h"

#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "admin/libmicrohttpd.h"
#include "common/command.h"

namespace takt::command {

namespace {

constexpr unsigned most_connections = 32, most_for_an_address = 4, spare = 8;

// The open connections. Only the server's thread calls it.
class Clients {
 public:
  // Ends the oldest connection, of the same address if that has too many.
  void opened(int descriptor, std::string address) {
    const auto is_of_address = [&](const Client& one) { return one.address == address; };
    if (std::ranges::count_if(clients_, is_of_address) >= most_for_an_address)
      end(std::ranges::find_if(clients_, is_of_address));
    else if (clients_.size() >= most_connections)
      end(clients_.begin());
    clients_.push_back({descriptor, std::move(address)});
  }
  void closed(int descriptor) {
    std::erase_if(clients_, [&](const Client& one) { return one.descriptor == descriptor; });
  }

 private:
  struct Client {
    int descriptor;
    std::string address;
  };
  void end(std::vector<Client>::iterator one) {
    ::shutdown(one->descriptor, SHUT_RDWR);  // the library closes it
    clients_.erase(one);
  }

  std::vector<Client> clients_;  // oldest first
};

std::string address_of(const sockaddr* address) {
  char host[NI_MAXHOST] = "";
  const socklen_t size = address->sa_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
  ::getnameinfo(address, size, host, sizeof host, nullptr, 0, NI_NUMERICHOST);
  return host;
}

}  // namespace

struct HttpServer::Running {
  std::function<std::string()> page;
  Clients clients;
  MHD_Daemon* daemon = nullptr;
  ~Running() {
    if (daemon) libmicrohttpd().stop_daemon(daemon);
  }
};

namespace {

constexpr const char* text_type = "text/plain; version=0.0.4; charset=utf-8";

MHD_Result answer(MHD_Connection* connection, unsigned status, const std::string& text,
                  const char* allowed = nullptr) {
  MHD_Response* const response = libmicrohttpd().create_response_from_buffer(
      text.size(), const_cast<char*>(text.data()), MHD_RESPMEM_MUST_COPY);
  if (!response) return MHD_NO;
  libmicrohttpd().add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, text_type);
  if (allowed) libmicrohttpd().add_response_header(response, MHD_HTTP_HEADER_ALLOW, allowed);
  const MHD_Result queued = libmicrohttpd().queue_response(connection, status, response);
  libmicrohttpd().destroy_response(response);
  return queued;
}

// A body is not read: the first call already answers.
MHD_Result handle(void* cls, MHD_Connection* connection, const char* url, const char* method, const char*,
                  const char*, size_t*, void**) {
  const auto* const page = static_cast<const std::function<std::string()>*>(cls);
  try {
    const std::string_view how = method;
    if (how != "GET" && how != "HEAD")
      return answer(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD\n", "GET, HEAD");
    const std::string_view path = url;
    if (path == "/") return answer(connection, MHD_HTTP_OK, "The metrics are at /metrics.\n");
    if (path != "/metrics") return answer(connection, MHD_HTTP_NOT_FOUND, "only /metrics\n");
    return answer(connection, MHD_HTTP_OK, (*page)());
  } catch (...) {  // out of memory
    return MHD_NO;
  }
}

void notice(void* cls, MHD_Connection* connection, void**, MHD_ConnectionNotificationCode code) {
  // The next question may overwrite the answer.
  const auto info = [&](MHD_ConnectionInfoType type) {
    return libmicrohttpd().get_connection_info(connection, type);
  };
  const MHD_ConnectionInfo* const connected = info(MHD_CONNECTION_INFO_CONNECTION_FD);
  if (!connected) return;
  const int descriptor = connected->connect_fd;
  auto& clients = *static_cast<Clients*>(cls);
  if (code != MHD_CONNECTION_NOTIFY_STARTED)
    clients.closed(descriptor);
  else if (const MHD_ConnectionInfo* const address = info(MHD_CONNECTION_INFO_CLIENT_ADDRESS))
    clients.opened(descriptor, address_of(address->client_addr));
}

struct Address {
  addrinfo* found = nullptr;
  ~Address() {
    if (found) ::freeaddrinfo(found);
  }
};

// Null, with errno, if the system refuses. The wildcard address of IPv6 is that of IPv4 too.
MHD_Daemon* daemon_at(const addrinfo& at, std::uint16_t port, std::function<std::string()>& page,
                      Clients& clients) {
  unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_EPOLL;
  if (at.ai_family == AF_INET6) flags |= MHD_USE_DUAL_STACK;
  constexpr unsigned patience_seconds = 10;
  constexpr size_t memory = 32 * 1024;
  return libmicrohttpd().start_daemon(flags, port, nullptr, nullptr, handle, &page, MHD_OPTION_SOCK_ADDR,
                                      at.ai_addr, MHD_OPTION_CONNECTION_LIMIT, most_connections + spare,
                                      MHD_OPTION_PER_IP_CONNECTION_LIMIT, most_for_an_address + spare,
                                      MHD_OPTION_NOTIFY_CONNECTION, notice, &clients,
                                      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
                                      MHD_OPTION_CONNECTION_TIMEOUT, patience_seconds, MHD_OPTION_END);
}

}  // namespace

HttpServer::HttpServer(const std::string& host, std::uint16_t port, std::function<std::string()> page)
    : running_(std::make_unique<Running>()) {
  running_->page = std::move(page);
  addrinfo hints{};
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  Address address;
  const int error = ::getaddrinfo(host.empty() ? nullptr : host.c_str(), std::to_string(port).c_str(), &hints,
                                  &address.found);
  if (error != 0) fail("--listen " + host + ": " + ::gai_strerror(error));
  // A name such as localhost usually means its IPv4 address; all addresses are those of both families.
  const int preferred = host.empty() ? AF_INET6 : AF_INET;
  std::vector<const addrinfo*> all;
  for (const addrinfo* each = address.found; each; each = each->ai_next) all.push_back(each);
  std::ranges::stable_partition(all, [&](const addrinfo* each) { return each->ai_family == preferred; });
  for (const addrinfo* const each : all) {
    running_->daemon = daemon_at(*each, port, running_->page, running_->clients);
    if (running_->daemon || errno == EADDRINUSE) break;
  }
  if (!running_->daemon)
    fail("--listen " + host + ":" + std::to_string(port) + ": " + std::strerror(errno) +
         (errno == EADDRINUSE ? "; stop the process that listens there, or choose another port"
          : errno == EACCES   ? "; ports below 1024 need a privilege: choose a higher one"
                              : ""));
}

HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const {
  const MHD_DaemonInfo* const info =
      libmicrohttpd().get_daemon_info(running_->daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

}  // namespace takt::command

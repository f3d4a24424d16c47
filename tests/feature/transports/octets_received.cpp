#include "octets_received.h"

#include <linux/tcp.h>  // the tcp_info there is longer than that of <netinet/tcp.h>, with which it conflicts
#include <netinet/in.h>
#include <sys/socket.h>

namespace feature {

std::uint64_t octets_received(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  return ::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_bytes_received : 0;
}

}  // namespace feature

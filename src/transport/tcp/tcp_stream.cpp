#include "transport/tcp/tcp_stream.h"

namespace takt::transport {

bool TcpStream::set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) {
  const bool read_set = socket_.set_receive_timeout(read);
  return socket_.set_send_timeout(write) && read_set;
}

std::string TcpStream::describe() const { return "tcp " + local_.text() + " -> " + peer_.text(); }

void apply(const StreamOptions& options, os::Socket& socket) {
  if (options.no_delay) socket.set_no_delay(true);
  if (options.keep_alive)
    socket.set_keep_alive(options.keep_alive_idle, options.keep_alive_interval, options.keep_alive_probes);
}

void apply_before_handshake(const StreamOptions& options, os::Socket& socket) {
  if (options.send_buffer_bytes > 0) socket.set_send_buffer_bytes(options.send_buffer_bytes);
  if (options.receive_buffer_bytes > 0) socket.set_receive_buffer_bytes(options.receive_buffer_bytes);
}

}  // namespace takt::transport

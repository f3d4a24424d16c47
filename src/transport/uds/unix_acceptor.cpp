#include "transport/uds/unix_acceptor.h"

namespace takt::transport {

AcceptResult UnixAcceptor::accept() {
  for (;;) {
    auto accepted = accepting_.accept();
    if (!accepted) return std::unexpected(accepted.error());
    auto stream = serve_(std::move(accepted->socket), listener_.address().text(), options_);
    if (stream) return stream;
  }
}

// The file stays until the destructor. A server that starts meanwhile then notices the takeover, and no other
// thread removes its file.
void UnixAcceptor::close() {
  accepting_.close();
  accepting_.reject_waiting();
}

}  // namespace takt::transport

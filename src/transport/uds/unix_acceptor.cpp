#include "transport/uds/unix_acceptor.h"

namespace takt::transport {

// After some refusals the caller gets its turn at other work; the handle stays ready.
AcceptResult UnixAcceptor::accept() {
  constexpr int most_refusals = 16;
  for (int refusals = 0; refusals < most_refusals; ++refusals) {
    auto accepted = accepting_.accept();
    if (!accepted) return std::unexpected(accepted.error());
    auto stream = serve_(std::move(accepted->socket), listener_.address().text(), options_);
    if (stream) return stream;
  }
  return std::unexpected(AcceptError::would_block);
}

// The file stays until the destructor. A server that starts meanwhile then notices the takeover, and no other
// thread removes its file.
void UnixAcceptor::close() {
  accepting_.close();
  accepting_.reject_waiting();
}

}  // namespace takt::transport

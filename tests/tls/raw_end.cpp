#include "raw_end.h"

#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>

#include <stdexcept>

namespace takt::test {

struct RawTlsEnd::Parts {
  Parts(int socket, const Credentials* own)
      : fd(socket), context(SSL_CTX_new(own ? TLS_server_method() : TLS_client_method())) {
    if (own && (SSL_CTX_use_certificate_chain_file(context, own->certificate_file.c_str()) != 1 ||
                SSL_CTX_use_PrivateKey_file(context, own->key_file.c_str(), SSL_FILETYPE_PEM) != 1))
      throw std::runtime_error("a test's certificate cannot be read");
    end = SSL_new(context);
    SSL_set_bio(end, in, out);
    own ? SSL_set_accept_state(end) : SSL_set_connect_state(end);
  }
  ~Parts() {
    SSL_free(end);  // also frees both BIOs
    SSL_CTX_free(context);
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  std::vector<std::uint8_t> said() const {
    std::vector<std::uint8_t> octets(BIO_ctrl_pending(out));
    if (!octets.empty()) BIO_read(out, octets.data(), static_cast<int>(octets.size()));
    return octets;
  }
  // False if the peer has closed the connection or is silent.
  bool take_in() const {
    pollfd waiting{fd, POLLIN, 0};
    std::uint8_t octets[16384];
    const ssize_t count = ::poll(&waiting, 1, 10'000) == 1 ? ::recv(fd, octets, sizeof octets, 0) : -1;
    return count > 0 && BIO_write(in, octets, static_cast<int>(count)) == count;
  }

  const int fd;
  SSL_CTX* const context;
  BIO *const in = BIO_new(BIO_s_mem()), *const out = BIO_new(BIO_s_mem());
  SSL* end = nullptr;
};

RawTlsEnd::RawTlsEnd(int fd, const Credentials* own) : parts_(std::make_unique<Parts>(fd, own)) {
  for (bool done = false; !done;) {
    done = SSL_do_handshake(parts_->end) == 1;
    if (!send(parts_->said()) || (!done && !parts_->take_in()))
      throw std::runtime_error("a test's TLS handshake fails");
  }
}

RawTlsEnd::~RawTlsEnd() = default;
RawTlsEnd::RawTlsEnd(RawTlsEnd&&) noexcept = default;

std::vector<std::uint8_t> RawTlsEnd::record_of(std::span<const std::uint8_t> octets) {
  if (SSL_write(parts_->end, octets.data(), static_cast<int>(octets.size())) <= 0)
    throw std::runtime_error("a test's octets cannot be encrypted");
  return parts_->said();
}

bool RawTlsEnd::send(std::span<const std::uint8_t> octets) const {
  while (!octets.empty()) {
    const ssize_t count = ::send(parts_->fd, octets.data(), octets.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    octets = octets.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

std::vector<std::uint8_t> RawTlsEnd::receive(std::size_t count) {
  std::vector<std::uint8_t> octets(count);
  std::size_t got = 0;
  while (got < count) {
    const int more = SSL_read(parts_->end, octets.data() + got, static_cast<int>(count - got));
    if (more > 0)
      got += static_cast<std::size_t>(more);
    else if (SSL_get_error(parts_->end, more) != SSL_ERROR_WANT_READ || !parts_->take_in())
      break;
  }
  octets.resize(got);
  return octets;
}

}  // namespace takt::test

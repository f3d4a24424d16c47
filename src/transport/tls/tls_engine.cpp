#include "transport/tls/tls_engine.h"

#include <openssl/x509_vfy.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace takt::transport {

namespace {

constexpr std::size_t header_bytes = 5;
constexpr std::size_t most_of_a_record = 16384;  // of our octets
constexpr std::size_t most_at_once = 64 * 1024;

BIO* memory() {
  BIO* const bio = BIO_new(BIO_s_mem());
  if (!bio) throw std::bad_alloc();
  BIO_set_mem_eof_return(bio, -1);  // empty: more will come
  return bio;
}

bool is_about_certificates(int alert) {
  switch (alert) {
    case SSL_AD_BAD_CERTIFICATE:
    case SSL_AD_UNSUPPORTED_CERTIFICATE:
    case SSL_AD_CERTIFICATE_REVOKED:
    case SSL_AD_CERTIFICATE_EXPIRED:
    case SSL_AD_CERTIFICATE_UNKNOWN:
    case SSL_AD_UNKNOWN_CA:
    case SSL_AD_ACCESS_DENIED:
    case 116:  // certificate_required (RFC 8446, 6)
      return true;
    default:
      return false;
  }
}

std::string advice_for_verification(long error) {
  switch (error) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return "; it must be renewed, unless this machine's clock is wrong";
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return "; is one of the two clocks wrong?";
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return "; it must name the host as the reference does (subjectAltName), or -ORBTLSHostCheck be off";
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      return "; if it is to be trusted, -ORBTLSAuthorities must hold the certificate of who signed it";
    case X509_V_ERR_CERT_REVOKED:
      return "; its authority has withdrawn it (-ORBTLSRevoked)";
    case X509_V_ERR_UNABLE_TO_GET_CRL:
    case X509_V_ERR_CRL_HAS_EXPIRED:
      return "; -ORBTLSRevoked needs a list of its authority that has not expired";
    default:
      return {};
  }
}

std::string text_of_verification(long error) {
  return "the peer's certificate is refused: " + std::string(X509_verify_cert_error_string(error)) +
         advice_for_verification(error);
}

std::string text_of_error(const OpenSslError& error) {
  switch (ERR_GET_REASON(error.code)) {
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_PACKET_LENGTH_TOO_LONG:
    case SSL_R_RECORD_LENGTH_MISMATCH:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_UNEXPECTED_MESSAGE:
      return "the peer does not speak TLS on this port (" + error.text + ")";
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
      return "the peer has shown no certificate, and -ORBTLSClientCertificates wants one";
    case SSL_R_NO_SHARED_CIPHER:
      return "no cipher suits both ends: is there a -ORBTLSCertificate, and what does -ORBTLSCiphers leave?";
    case SSL_R_UNSUPPORTED_PROTOCOL:
    case SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
      return "no version of TLS suits both ends (-ORBTLSVersion): " + error.text;
    default:
      return error.text.empty() ? "the handshake failed" : error.text;
  }
}

}  // namespace

TlsEngine::TlsEngine(Owned<SSL> end)
    : end_(std::move(end)), input_(memory()), output_(memory()), received_(longest_record) {
  SSL_set_bio(end_.get(), input_, output_);
}

MutableBytes TlsEngine::input_space() {
  if (from_ != 0) {
    std::memmove(received_.data(), received_.data() + from_, to_ - from_);
    to_ -= from_;
    from_ = 0;
  }
  return MutableBytes(received_).subspan(to_);
}

void TlsEngine::input_arrived(std::size_t octets) { to_ += octets; }

// How long the record is that has begun, or its head as long as that is not all there. What does not look
// like a record is for OpenSSL to refuse.
std::size_t TlsEngine::announced_size() const {
  const ByteView there = ByteView(received_).subspan(from_, to_ - from_);
  const bool known =
      there.empty() || (there[0] >= 20 && there[0] <= 24 && (there.size() < 2 || there[1] == 3));
  if (!known) return there.size();
  if (there.size() < header_bytes) return header_bytes;
  const std::size_t size = header_bytes + (std::size_t{there[3]} << 8 | there[4]);
  return size > longest_record ? there.size() : size;
}

// Of the first record that is there as a whole; 0: none.
std::size_t TlsEngine::record_size() const {
  const std::size_t size = announced_size();
  return size <= to_ - from_ ? size : 0;
}

MutableBytes TlsEngine::handshake_space() {
  const MutableBytes space = input_space();
  return space.first(std::min(space.size(), announced_size() - (to_ - from_)));
}

bool TlsEngine::give_record() {
  const std::size_t size = record_size();
  if (size == 0) return false;
  BIO_write(input_, received_.data() + from_, static_cast<int>(size));
  from_ += size;
  return true;
}

TlsEngine::Step TlsEngine::handshake() {
  if (failed_) return Step::failed;
  for (;;) {
    ERR_clear_error();
    const int result = SSL_do_handshake(end_.get());
    if (result == 1) return Step::done;
    const Step step = after(result);
    if (step != Step::wants_input) return Step::failed;
    const std::size_t before = from_;
    if (!give_record()) return Step::wants_input;
    handshake_octets_ += from_ - before;
    if (handshake_octets_ > longest_handshake) {
      failed_ = true;
      reason_ = "the peer's handshake is longer than any needs to be";
      return Step::failed;
    }
  }
}

TlsEngine::Moved TlsEngine::read(MutableBytes into) {
  if (failed_) return {Step::failed};
  if (closed_) return {Step::closed};
  for (;;) {
    if (SSL_has_pending(end_.get()) == 0 && !give_record()) return {Step::wants_input};
    ERR_clear_error();
    const std::size_t before = BIO_ctrl_pending(output_);
    std::size_t octets = 0;
    const int result = SSL_read_ex(end_.get(), into.data(), into.size(), &octets);
    answered_ += BIO_ctrl_pending(output_) - before;
    if (result == 1) return {Step::done, octets};
    if (const Step step = after(result); step != Step::wants_input) return {step};
  }
}

TlsEngine::Step TlsEngine::after(int result) {
  switch (SSL_get_error(end_.get(), result)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
      return Step::wants_input;
    case SSL_ERROR_ZERO_RETURN:
      closed_ = true;
      return Step::closed;
    default:
      note_failure();
      return Step::failed;
  }
}

void TlsEngine::note_failure() {
  failed_ = true;
  const OpenSslError error = take_openssl_error();
  const int reason = ERR_GET_REASON(error.code);
  const long verified = SSL_get_verify_result(end_.get());
  if (reason == SSL_R_CERTIFICATE_VERIFY_FAILED && verified != X509_V_OK) {
    distrusted_ = true;
    reason_ = text_of_verification(verified);
  } else if (reason >= SSL_AD_REASON_OFFSET) {
    const int alert = reason - SSL_AD_REASON_OFFSET;
    distrusted_ = is_about_certificates(alert);
    reason_ = "the peer refuses: " + error.text;
    if (distrusted_) reason_ += "; it finds fault with this end's certificate (-ORBTLSCertificate)";
  } else {
    distrusted_ = reason == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE;
    reason_ = text_of_error(error);
  }
}

// Small pieces share a record; a large one has its own.
ByteView TlsEngine::next_record(std::span<const ByteView> pieces) {
  const ByteView first = pieces.front();
  if (first.size() >= most_of_a_record) return first.first(most_of_a_record);
  if (pieces.size() == 1) return first;
  gathered_.clear();
  for (const ByteView piece : pieces) {
    const ByteView more = piece.first(std::min(piece.size(), most_of_a_record - gathered_.size()));
    gathered_.insert(gathered_.end(), more.begin(), more.end());
    if (gathered_.size() == most_of_a_record) break;
  }
  return gathered_;
}

TlsEngine::Moved TlsEngine::write(std::span<const ByteView> pieces, std::size_t skip) {
  if (failed_) return {Step::failed};
  answered_ = 0;
  std::size_t total = 0, offset = skip;
  while (total < most_at_once) {
    while (!pieces.empty() && offset >= pieces.front().size()) {
      offset -= pieces.front().size();
      pieces = pieces.subspan(1);
    }
    if (pieces.empty()) break;
    // The rest of a piece that was begun goes alone, so that the pieces stay as they are.
    const ByteView rest = pieces.front().subspan(offset);
    const ByteView record = offset == 0 ? next_record(pieces) : next_record({&rest, 1});
    const Moved moved = encrypt(record);
    if (moved.step != Step::done) return total > 0 ? Moved{Step::done, total} : moved;
    total += moved.octets;
    offset += moved.octets;
  }
  return {Step::done, total};
}

TlsEngine::Moved TlsEngine::encrypt(ByteView octets) {
  ERR_clear_error();
  std::size_t taken = 0;
  const int result = SSL_write_ex(end_.get(), octets.data(), octets.size(), &taken);
  if (result == 1) return {Step::done, taken};
  return {after(result)};
}

void TlsEngine::close() {
  ERR_clear_error();
  if (!failed_ && SSL_is_init_finished(end_.get())) SSL_shutdown(end_.get());
  ERR_clear_error();
}

std::optional<CertificateNames> TlsEngine::peer() const {
  const Owned<X509> shown(SSL_get1_peer_certificate(end_.get()));
  if (!shown || SSL_get_verify_mode(end_.get()) == SSL_VERIFY_NONE) return std::nullopt;
  return names_of(*shown);
}

void TlsEngine::take_output(std::vector<std::uint8_t>& octets) {
  char* there = nullptr;
  const long size = BIO_get_mem_data(output_, &there);
  if (size <= 0) return;
  octets.insert(octets.end(), there, there + size);
  BIO_reset(output_);
}

}  // namespace takt::transport

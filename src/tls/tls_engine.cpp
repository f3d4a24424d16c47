#include "tls/tls_engine.h"

#include <openssl/x509_vfy.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace takt::transport {

namespace {

constexpr std::size_t header_bytes = 5;
constexpr std::size_t most_of_a_record = 16384;  // limit of plaintext octets
constexpr std::size_t most_at_once = 64 * 1024;
// Limit of consecutive records without data, such as tickets, new keys or empty records.
constexpr int most_records_without_data = 256;

// Whether a record can begin with these octets: type, version, length (RFC 8446, 5.1 and 5.2; RFC 5246, 6.2).
// A header that is still incomplete may continue with anything.
bool may_begin_record(ByteView octets) {
  if (!octets.empty() && (octets[0] < 20 || octets[0] > 24)) return false;
  if (octets.size() > 1 && octets[1] != 3) return false;
  if (octets.size() > 2 && octets[2] > 4) return false;
  const std::size_t longest = TlsEngine::longest_record - header_bytes;
  if (octets.size() > 3 && octets[3] > longest >> 8) return false;
  return octets.size() < header_bytes || (std::size_t{octets[3]} << 8 | octets[4]) <= longest;
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
      return "; if it is to be trusted, -ORBTLSAuthorities must hold its issuer's certificate (in a folder: "
             "after `openssl rehash`)";
    case X509_V_ERR_CERT_REVOKED:
      return "; its authority has withdrawn it (-ORBTLSRevoked)";
    case X509_V_ERR_UNABLE_TO_GET_CRL:
    case X509_V_ERR_CRL_HAS_EXPIRED:
      return "; -ORBTLSRevoked needs a list of its authority that has not expired";
    default:
      return {};
  }
}

std::string_view fault_of_own_certificate(int alert) {
  switch (alert) {
    case SSL_AD_UNKNOWN_CA:
      return "; it does not trust the issuer of this end's certificate: give the peer that authority "
             "(-ORBTLSAuthorities), or this end's -ORBTLSCertificate the whole chain";
    case SSL_AD_BAD_CERTIFICATE:
      return "; it finds fault with this end's certificate (-ORBTLSCertificate): does the certificate name "
             "the host of the reference?";
    default:
      return "; it finds fault with this end's certificate (-ORBTLSCertificate)";
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
      return "the peer does not speak TLS on this port (" + error.text +
             "): clients of a TLS port use its server's references, or corbaloc:ssliop:1.2@HOST:PORT/KEY";
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

// The BIO through which OpenSSL reads and writes records in the engine's memory instead of a socket.
struct TlsEngine::Records {
  // Never freed: connections may outlast static objects.
  static BIO_METHOD* method() {
    static BIO_METHOD* const made = [] {
      BIO_METHOD* const records =
          BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "records of a connection");
      if (!records || BIO_meth_set_read_ex(records, read) != 1 ||
          BIO_meth_set_write_ex(records, write) != 1 || BIO_meth_set_ctrl(records, control) != 1)
        throw std::bad_alloc();
      return records;
    }();
    return made;
  }

  static TlsEngine& engine(BIO* bio) { return *static_cast<TlsEngine*>(BIO_get_data(bio)); }
  static int read(BIO* bio, char* into, std::size_t room, std::size_t* octets) {
    TlsEngine& self = engine(bio);
    *octets = std::min(room, self.given_.size() - self.taken_);
    BIO_clear_retry_flags(bio);
    if (*octets == 0) {
      BIO_set_retry_read(bio);
      return 0;
    }
    std::memcpy(into, self.given_.data() + self.taken_, *octets);
    self.taken_ += *octets;
    return 1;
  }
  static int write(BIO* bio, const char* octets, std::size_t count, std::size_t* written) try {
    std::vector<std::uint8_t>& output = engine(bio).output_;
    output.insert(output.end(), octets, octets + count);
    *written = count;
    return 1;
  } catch (const std::bad_alloc&) {
    return 0;  // fails the connection
  }
  static long control(BIO*, int what, long, void*) { return what == BIO_CTRL_FLUSH ? 1 : 0; }
};

TlsEngine::TlsEngine(Owned<SSL> end) : end_(std::move(end)), received_(longest_record) {
  BIO* const records = BIO_new(Records::method());
  if (!records) throw std::bad_alloc();
  BIO_set_data(records, this);
  BIO_set_init(records, 1);
  SSL_set_bio(end_.get(), records, records);
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

bool TlsEngine::is_out_of_step() const { return !may_begin_record(waiting()); }

// Size of the first record, or of its header if that is incomplete. If the octets cannot begin a record, all
// of them: during the handshake OpenSSL refuses them.
std::size_t TlsEngine::announced_size() const {
  const ByteView there = waiting();
  if (is_out_of_step()) return there.size();
  if (there.size() < header_bytes) return header_bytes;
  return header_bytes + (std::size_t{there[3]} << 8 | there[4]);
}

// Size of the first record if it is complete, else 0.
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
  if (taken_ == given_.size()) {
    given_.clear();
    taken_ = 0;
  }
  const std::uint8_t* const record = received_.data() + from_;
  given_.insert(given_.end(), record, record + size);
  from_ += size;
  return true;
}

TlsEngine::Step TlsEngine::handshake() {
  if (failed_) return Step::failed;
  for (;;) {
    clear_openssl_errors();
    const int result = SSL_do_handshake(end_.get());
    if (result == 1) return Step::done;
    const Step step = after(result);
    if (step == Step::closed) return fail("the peer has closed the connection in the handshake");
    if (step != Step::wants_input) return Step::failed;
    const std::size_t before = from_;
    if (!give_record()) return Step::wants_input;
    handshake_octets_ += from_ - before;
    if (handshake_octets_ > longest_handshake)
      return fail("the peer's handshake is longer than any needs to be");
  }
}

// Each iteration but the first consumes one record. SSL_has_pending() cannot tell whether OpenSSL can
// continue: it is also true for a partial record.
TlsEngine::Moved TlsEngine::read(MutableBytes into) {
  if (failed_) return {Step::failed};
  if (closed_) return {Step::closed};
  bool has_given = SSL_pending(end_.get()) != 0 || taken_ != given_.size();
  for (;; has_given = false) {
    if (!has_given && is_out_of_step()) return {fail("the peer has sent octets that are no record of TLS")};
    if (!has_given && !give_record()) return {Step::wants_input};
    clear_openssl_errors();
    const std::size_t before = output_.size();
    std::size_t octets = 0;
    const int result = SSL_read_ex(end_.get(), into.data(), into.size(), &octets);
    answered_ += output_.size() - before;
    if (result == 1) {
      records_without_data_ = 0;
      return {Step::done, octets};
    }
    if (const Step step = after(result); step != Step::wants_input) return {step};
    if (++records_without_data_ > most_records_without_data)
      return {fail("the peer sends record after record without data")};
  }
}

TlsEngine::Step TlsEngine::fail(const char* reason) {
  failed_ = true;
  reason_ = reason;
  return Step::failed;
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
    if (distrusted_ && SSL_get_certificate(end_.get()))
      reason_ += fault_of_own_certificate(alert);
    else if (distrusted_)
      reason_ += "; this end has no certificate to show, so give it one (-ORBTLSCertificate)";
  } else {
    distrusted_ = reason == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE;
    reason_ = text_of_error(error);
  }
}

// Small pieces share a record. A large piece gets its own.
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

TlsEngine::Moved TlsEngine::write(std::span<const ByteView> pieces) {
  if (failed_) return {Step::failed};
  answered_ = 0;
  std::size_t total = 0, offset = 0;
  while (total < most_at_once) {
    while (!pieces.empty() && offset >= pieces.front().size()) {
      offset -= pieces.front().size();
      pieces = pieces.subspan(1);
    }
    if (pieces.empty()) break;
    // The rest of a partly written piece gets its own record, so that pieces[0] need not be replaced.
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
  clear_openssl_errors();
  std::size_t taken = 0;
  const int result = SSL_write_ex(end_.get(), octets.data(), octets.size(), &taken);
  if (result == 1) return {Step::done, taken};
  return {after(result)};
}

void TlsEngine::close() {
  clear_openssl_errors();
  if (!failed_ && SSL_is_init_finished(end_.get())) SSL_shutdown(end_.get());
  clear_openssl_errors();
}

std::optional<CertificateNames> TlsEngine::peer() const {
  const Owned<X509> shown(SSL_get1_peer_certificate(end_.get()));
  if (!shown || SSL_get_verify_mode(end_.get()) == SSL_VERIFY_NONE) return std::nullopt;
  return names_of(*shown);
}

void TlsEngine::take_output(std::vector<std::uint8_t>& octets) {
  if (octets.empty()) {
    octets.swap(output_);
  } else {
    octets.insert(octets.end(), output_.begin(), output_.end());
    output_.clear();
  }
}

}  // namespace takt::transport

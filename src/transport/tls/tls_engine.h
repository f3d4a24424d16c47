// TLS between octets and octets: no socket, no clock, no lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <takt/base/bytes.h>

#include <takt/transport/stream.h>
#include "transport/tls/openssl.h"

namespace takt::transport {

// One end of one connection. What comes from the peer is put into input_space(); take_output() gives what is
// for the peer. The engine sees whole records only, so that holds() is exact.
//
// One thread at a time, except that one other may be between input_space() and input_arrived().
class TlsEngine {
 public:
  // A record is at most so long (RFC 5246, 6.2.3), with its head.
  static constexpr std::size_t longest_record = 5 + 16384 + 2048;
  // What a handshake may take of the peer's octets.
  static constexpr std::size_t longest_handshake = 160 * 1024;

  enum class Step : std::uint8_t {
    done,         // of the handshake; or octets were moved
    wants_input,  // there is nothing to go on with
    closed,       // the peer said that it sends no more
    failed,       // reason() says why; there may be an alert for the peer
  };
  struct Moved {
    Step step;
    std::size_t octets = 0;  // where step is done
  };

  explicit TlsEngine(Owned<SSL> end);

  MutableBytes input_space();
  // No more than the record that has begun, so that nothing behind the handshake is taken from where it
  // waits.
  MutableBytes handshake_space();
  void input_arrived(std::size_t octets);

  Step handshake();
  // Octets that can begin no record are a failure at once, however few they are.
  Moved read(MutableBytes into);
  // read() gives octets, or an end, or takes whole records that have none, before further input. The part of
  // a record does not count.
  bool holds() const { return SSL_pending(end_.get()) != 0 || record_size() != 0; }
  // Up to 64 KiB are encrypted at once; not the first `skip` octets.
  Moved write(std::span<const ByteView> pieces, std::size_t skip);
  // Says to the peer that nothing follows.
  void close();

  // Puts it behind what is there.
  void take_output(std::vector<std::uint8_t>& octets);
  // Octets that read() has made for the peer since write() was last called: what a peer that asks and asks
  // makes of us.
  std::size_t answered() const { return answered_; }

  // The handshake went on with an earlier connection's session.
  bool resumed() const { return SSL_session_reused(end_.get()) != 0; }
  // Once the handshake is done. Nothing: the peer has shown none, or it was not checked.
  std::optional<CertificateNames> peer() const;
  // Why it failed, and whether that was for the certificates: the peer's, or ours in the peer's eyes.
  const std::string& reason() const { return reason_; }
  bool distrusted() const { return distrusted_; }

 private:
  struct Records;

  ByteView waiting() const { return ByteView(received_).subspan(from_, to_ - from_); }
  bool is_out_of_step() const;
  std::size_t announced_size() const;
  std::size_t record_size() const;
  bool give_record();
  Step after(int result);
  Step fail(const char* reason);
  void note_failure();
  ByteView next_record(std::span<const ByteView> pieces);
  Moved encrypt(ByteView octets);

  const Owned<SSL> end_;
  std::vector<std::uint8_t> received_;
  std::size_t from_ = 0, to_ = 0;    // of what has been received and not been given
  std::vector<std::uint8_t> given_;  // to the end, as far as
  std::size_t taken_ = 0;            // it has taken it
  std::vector<std::uint8_t> output_;
  std::size_t handshake_octets_ = 0;
  int records_without_data_ = 0;  // in a row
  std::size_t answered_ = 0;
  std::vector<std::uint8_t> gathered_;
  bool closed_ = false;  // by the peer
  bool failed_ = false;
  bool distrusted_ = false;
  std::string reason_;
};

}  // namespace takt::transport

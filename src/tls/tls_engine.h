// TLS as a transformation of octets: no socket, no clock, no lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <takt/base/bytes.h>

#include <takt/transport/stream.h>
#include "tls/openssl.h"

namespace takt::transport {

// One end of one connection. Put octets from the peer into input_space(); take_output() returns octets for
// the peer. The engine processes whole records only, which makes holds() exact.
//
// One thread at a time, except that one other thread may be between input_space() and input_arrived().
class TlsEngine {
 public:
  // Longest record, header included (RFC 5246, 6.2.3).
  static constexpr std::size_t longest_record = 5 + 16384 + 2048;
  // Limit of the peer's octets in a handshake.
  static constexpr std::size_t longest_handshake = 160 * 1024;

  enum class Step : std::uint8_t {
    done,         // the handshake is complete, or octets were moved
    wants_input,  // no progress without more input
    closed,       // the peer has announced that it sends no more
    failed,       // reason() states why; there may be an alert for the peer
  };
  struct Moved {
    Step step;
    std::size_t octets = 0;  // valid if step is done
  };

  explicit TlsEngine(Owned<SSL> end);

  MutableBytes input_space();
  // At most the rest of the record that has begun, so that no octets behind the handshake are taken from the
  // socket.
  MutableBytes handshake_space();
  void input_arrived(std::size_t octets);

  Step handshake();
  // Octets that cannot begin a record fail at once, even when the header is incomplete.
  Moved read(MutableBytes into);
  // Whether read() can continue without further input: with octets, the end, or whole records without data. A
  // partial record does not count.
  bool holds() const { return SSL_pending(end_.get()) != 0 || record_size() != 0; }
  // Encrypts up to 64 KiB at once.
  Moved write(std::span<const ByteView> pieces);
  // Announces to the peer that nothing follows (close_notify).
  void close();

  // Appends it to `octets`.
  void take_output(std::vector<std::uint8_t>& octets);
  // Octets that read() has produced for the peer since the last write(): bounds how much a peer can make this
  // end answer.
  std::size_t answered() const { return answered_; }

  // Whether the handshake resumed an earlier session.
  bool resumed() const { return SSL_session_reused(end_.get()) != 0; }
  // Call after the handshake. nullopt if the peer showed no certificate or it was not verified.
  std::optional<CertificateNames> peer() const;
  // The reason of a failure, and whether a certificate caused it: this end's or the peer's was rejected.
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
  std::size_t from_ = 0, to_ = 0;    // octets received but not yet given to OpenSSL
  std::vector<std::uint8_t> given_;  // records given to OpenSSL,
  std::size_t taken_ = 0;            // which has read them up to here
  std::vector<std::uint8_t> output_;
  std::size_t handshake_octets_ = 0;
  int records_without_data_ = 0;  // consecutive
  std::size_t answered_ = 0;
  std::vector<std::uint8_t> gathered_;
  bool closed_ = false;  // by the peer
  bool failed_ = false;
  bool distrusted_ = false;
  std::string reason_;
};

}  // namespace takt::transport

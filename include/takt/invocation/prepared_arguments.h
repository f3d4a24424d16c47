// Encoded arguments that are kept for reuse.
#pragma once

#include <atomic>
#include <cstddef>

#include <takt/base/bytes.h>
#include <takt/cdr/encoder.h>

namespace takt::invocation {

// The encoded arguments of one operation. In GIOP 1.2 and GIOPlite, bodies are aligned to 8, so their octets
// depend only on the values and the connection's code sets. They are encoded once per pair of code sets, with
// the first request that needs them, and kept. Before GIOP 1.2, bodies have no fixed alignment, so the
// arguments are encoded with each request. The same holds for the other byte order, and for servers that get
// long doubles or values in another form than the standard's.
//
// Any thread. Finding an existing encoding neither locks nor allocates.
class PreparedArguments {
 public:
  PreparedArguments() = default;
  PreparedArguments(const PreparedArguments&) = delete;
  PreparedArguments& operator=(const PreparedArguments&) = delete;
  // No call that uses it may be in progress.
  virtual ~PreparedArguments();

  // Appends them to a request header. Long ones are borrowed until the request has been sent.
  void put(cdr::Encoder& request) const;
  // Their octets behind a request header of this format, for as long as this lives; empty if they must be
  // encoded with each request. The first call for a pair of code sets encodes them.
  ByteView octets_for(const cdr::Format& format) const;

 private:
  // Encodes the values. Must write the same octets each time, from any thread.
  virtual void write(cdr::Encoder& encoder) const = 0;

  struct Encoding;
  // At most this many pairs of code sets are kept. Few programs use two.
  static constexpr std::size_t max_encodings = 4;
  // Null if these arguments are encoded with each request of the format.
  const Encoding* find(const cdr::Format& format) const;
  const Encoding* add(const cdr::Format& format) const;

  mutable std::atomic<const Encoding*> encodings_{
      nullptr};  // a list, newest first; elements are never removed
};

}  // namespace takt::invocation

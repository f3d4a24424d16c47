// Encoded arguments that are kept.
#pragma once

#include <atomic>
#include <cstddef>

#include <takt/cdr/encoder.h>

namespace takt::invocation {

// What the requests of one operation carry behind their heads. In GIOP 1.2 and GIOPlite bodies begin at a
// multiple of 8, so that their octets depend on the values and the connection's code sets alone: they are
// written once for each pair of those, at the first request that needs them, and kept. Before GIOP 1.2 a body
// begins anywhere, and in the other byte order there are none of ours: these are written with each request.
//
// Any thread. Finding what is there takes no lock and no memory.
class PreparedArguments {
 public:
  PreparedArguments() = default;
  PreparedArguments(const PreparedArguments&) = delete;
  PreparedArguments& operator=(const PreparedArguments&) = delete;
  // Once no call that uses it is in progress.
  virtual ~PreparedArguments();

  // Puts them behind a request's head. Long ones are borrowed until the request has been sent.
  void put(cdr::Encoder& request) const;

 private:
  // Writes the values. The same each time, from any thread.
  virtual void write(cdr::Encoder& encoder) const = 0;

  struct Encoding;
  // More pairs of code sets than that are not kept. Few programs meet two.
  static constexpr std::size_t max_encodings = 4;
  const Encoding* add(const cdr::Format& format) const;

  mutable std::atomic<const Encoding*> encodings_{nullptr};  // the last that was added; none goes
};

}  // namespace takt::invocation

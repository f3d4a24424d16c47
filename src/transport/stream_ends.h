// The two ends of a stream as text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace takt::transport {

class StreamEnds {
 public:
  // Addresses are as the transport writes them, such as "127.0.0.1:5678"; "process 1234" for an end without
  // one.
  StreamEnds(std::string_view protocol, std::string_view own, std::string_view peer);

  // "tcp 127.0.0.1:5678 -> 127.0.0.1:2809", for Stream::describe().
  const std::string& text() const { return text_; }
  std::string peer() const;

 private:
  std::string text_;
  std::size_t peer_at_;
};

}  // namespace takt::transport

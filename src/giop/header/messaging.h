// The kinds of messages that a connection may carry.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace takt::giop {

// A short text that copies without allocation.
class MethodNames {
 public:
  static constexpr std::size_t longest = 63;
  MethodNames() = default;
  explicit MethodNames(std::string_view text) : size_(static_cast<std::uint8_t>(text.size())) {
    std::memcpy(text_.data(), text.data(), text.size());
  }
  std::string_view text() const { return {text_.data(), size_}; }
  friend bool operator==(const MethodNames& one, const MethodNames& other) = default;

 private:
  std::uint8_t size_ = 0;
  std::array<char, longest> text_{};
};

// GIOP, and the extensions that both ends agree on.
struct Messaging {
  bool short_heads = false;  // GIOPlite
  bool compression = false;  // compresses long messages
  MethodNames methods = {};  // comma-separated, in order of preference; empty: the ORB's default
  static const Messaging giop, lite;
  friend bool operator==(const Messaging&, const Messaging&) = default;
};
inline constexpr Messaging Messaging::giop{};
inline constexpr Messaging Messaging::lite{.short_heads = true};

// A text that tells messagings apart, for names of connections.
inline std::string to_text(const Messaging& messaging) {
  std::string text = messaging.short_heads ? " lite" : "";
  if (messaging.compression) text.append(" compressed ").append(messaging.methods.text());
  return text;
}

}  // namespace takt::giop

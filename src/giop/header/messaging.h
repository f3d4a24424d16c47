// Which messages a connection may carry.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace takt::giop {

// A text that is short, and copied as an integer is.
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

// GIOP, and what both ends agree on besides.
struct Messaging {
  bool short_heads = false;  // GIOPlite's
  bool compression = false;  // of long messages
  MethodNames methods =
      {};  // by which, the most wanted first, divided by commas; empty: as the ORB's options say
  static const Messaging giop, lite;
  friend bool operator==(const Messaging&, const Messaging&) = default;
};
inline constexpr Messaging Messaging::giop{};
inline constexpr Messaging Messaging::lite{.short_heads = true};

// What distinguishes it, for names of connections.
inline std::string to_text(const Messaging& messaging) {
  std::string text = messaging.short_heads ? " lite" : "";
  if (messaging.compression) text.append(" compressed ").append(messaging.methods.text());
  return text;
}

}  // namespace takt::giop

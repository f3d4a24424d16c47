// The peer's address as text.
#pragma once

#include <string>
#include <string_view>

namespace takt::transport {

// The peer in the text of Stream::describe(): "127.0.0.1:5678".
inline std::string peer_in(std::string_view description) {
  constexpr std::string_view arrow = " -> ";
  const auto at = description.rfind(arrow);
  return std::string(at == std::string_view::npos ? description : description.substr(at + arrow.size()));
}

}  // namespace takt::transport

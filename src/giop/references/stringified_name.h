// Names of the naming service as text: a/b.kind/c (CosNaming, "Stringified Names").
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace takt::giop {

struct NameComponent {
  std::string id;
  std::string kind;
  friend bool operator==(const NameComponent&, const NameComponent&) = default;
};

// Each of these is the service's InvalidName.
enum class NameError : std::uint8_t { empty, empty_component, escape, second_dot, trailing_dot };

std::expected<std::vector<NameComponent>, NameError> parse_name(std::string_view text);
std::string name_to_text(const std::vector<NameComponent>& name);

}  // namespace takt::giop

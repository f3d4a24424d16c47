// Names of the naming service as text: a/b.kind/c (CosNaming, "Stringified Names").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace takt::reference {

struct NameComponent {
  std::string id;
  std::string kind;
  friend bool operator==(const NameComponent&, const NameComponent&) = default;
};

// Each of these is the naming service's InvalidName.
enum class NameError : std::uint8_t { empty, empty_component, escape, second_dot, trailing_dot };

// Parses `text` into `name`. On failure it returns the error and leaves `name` unchanged. Allocates; any
// thread.
std::optional<NameError> read_name(std::string_view text, std::vector<NameComponent>& name);
std::string name_to_text(const std::vector<NameComponent>& name);

// Whether the text can follow "corbaname:" and precede "#": addresses that name their hosts, or "rir:", and
// optionally a slash and an object key. The addresses of protocols that Takt does not know are not looked at.
bool is_object_location(std::string_view text);

}  // namespace takt::reference

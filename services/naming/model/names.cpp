#include "naming/model/names.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include <takt/reference/name_text.h>

#include "octets/hex.h"

namespace takt::naming {
namespace {

const char* text_of(reference::NameError error) {
  switch (error) {
    case reference::NameError::empty:
      return "a name has at least one component";
    case reference::NameError::empty_component:
      return "a component is empty";
    case reference::NameError::escape:
      return "a backslash precedes a character other than '/', '.' or '\\'";
    case reference::NameError::second_dot:
      return "a component has a second dot: write \\. for a dot that is part of it";
    case reference::NameError::trailing_dot:
      break;
  }
  return "a component ends with a dot: leave the dot out, or write \\. if it is part of the id";
}

bool stays_in_url(unsigned char c) {
  return std::isalnum(c) ||
         std::string_view(";/:?@&=+$,-_.!~*'()").find(static_cast<char>(c)) != std::string_view::npos;
}

}  // namespace

std::expected<CosNaming::Name, std::string> name_of(std::string_view text, const Limits& limits) {
  std::vector<reference::NameComponent> components;
  if (const auto error = reference::read_name(text, components)) return std::unexpected(text_of(*error));
  CosNaming::Name name;
  name.reserve(components.size());
  for (reference::NameComponent& component : components)
    name.emplace_back(std::move(component.id), std::move(component.kind));
  if (std::string fault = fault_of(name, limits); !fault.empty()) return std::unexpected(std::move(fault));
  return name;
}

std::string text_of(const CosNaming::Name& name) {
  std::vector<reference::NameComponent> components;
  components.reserve(name.size());
  for (const CosNaming::NameComponent& component : name)
    components.push_back({component.id(), component.kind()});
  return reference::name_to_text(components);
}

std::string fault_of(const CosNaming::Name& name, const Limits& limits) {
  if (name.empty()) return "a name has at least one component";
  if (name.size() > limits.components)
    return "the name has " + std::to_string(name.size()) + " components, of " +
           std::to_string(limits.components) + " that it may have";
  for (const CosNaming::NameComponent& component : name)
    if (component.id().size() + component.kind().size() > limits.component_bytes)
      return "a component has " + std::to_string(component.id().size() + component.kind().size()) +
             " octets, of " + std::to_string(limits.component_bytes) + " that it may have";
  return {};
}

std::expected<std::string, UrlFault> url_of(std::string_view address, std::string_view name,
                                            const Limits& limits) {
  if (!reference::is_object_location(address)) return std::unexpected(UrlFault::address);
  if (!name_of(name, limits)) return std::unexpected(UrlFault::name);
  std::string url = "corbaname:" + std::string(address) + "#";
  for (const char c : name) {
    if (stays_in_url(static_cast<unsigned char>(c)))
      url += c;
    else
      octets::append_hex(url += '%', {&c, 1});
  }
  return url;
}

std::string_view key_in(std::string& buffer, const CosNaming::NameComponent& component) {
  buffer.assign(component.id());
  buffer += '\0';
  buffer += component.kind();
  return buffer;
}

std::string key_of(const CosNaming::NameComponent& component) {
  std::string key;
  key_in(key, component);
  return key;
}

CosNaming::NameComponent component_of(std::string_view key) {
  const auto zero = key.find('\0');
  if (zero == std::string_view::npos) return {std::string(key), {}};
  return {std::string(key.substr(0, zero)), std::string(key.substr(zero + 1))};
}

}  // namespace takt::naming

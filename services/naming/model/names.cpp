#include "naming/model/names.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace takt::naming {
namespace {

bool may_be_escaped(char c) { return c == '/' || c == '.' || c == '\\'; }

void append_escaped(std::string& text, std::string_view part) {
  for (const char c : part) {
    if (may_be_escaped(c)) text += '\\';
    text += c;
  }
}

// Takes a name octet by octet. The functions give what is wrong, or nothing.
class NameReader {
 public:
  void put(char c) {
    something_ = true;
    (dot_ ? component_.kind() : component_.id()) += c;
  }
  const char* put_dot() {
    if (dot_) return "a component has a second dot: write \\. where a dot is part of it";
    something_ = dot_ = true;
    return nullptr;
  }
  const char* end_component() {
    if (!something_) return "a component is empty";
    if (dot_ && component_.kind().empty() && !component_.id().empty())
      return "a component ends with a dot: leave the dot out, or write \\. if it is part of the id";
    name_.push_back(std::exchange(component_, {}));
    dot_ = something_ = false;
    return nullptr;
  }
  CosNaming::Name take() { return std::move(name_); }

 private:
  CosNaming::Name name_;
  CosNaming::NameComponent component_;
  bool dot_ = false;
  bool something_ = false;  // in this component
};

bool stays_in_url(unsigned char c) {
  return std::isalnum(c) ||
         std::string_view(";/:?@&=+$,-_.!~*'()").find(static_cast<char>(c)) != std::string_view::npos;
}

// ":HOST[:PORT]", "iiop:[VERSION@]HOST[:PORT]", or another protocol's "NAME:REST".
bool is_address(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view protocol = text.substr(0, colon);
  if (!std::ranges::all_of(protocol, [](unsigned char c) { return std::isalnum(c) || c == '-'; }))
    return false;
  std::string_view rest = text.substr(colon + 1);
  if (const auto at = rest.find('@'); at != std::string_view::npos) {
    const std::string_view version = rest.substr(0, at);
    if (version.size() != 3 || version[1] != '.' || !std::isdigit(static_cast<unsigned char>(version[0])) ||
        !std::isdigit(static_cast<unsigned char>(version[2])))
      return false;
    rest = rest.substr(at + 1);
  }
  if (protocol == "rir") return false;  // that is no address
  if (protocol != "" && protocol != "iiop") return !rest.empty();
  const auto bracket = rest.rfind(']');
  const auto port = rest.find(':', bracket == std::string_view::npos ? 0 : bracket);
  const std::string_view host = rest.substr(0, port);
  if (host.empty()) return false;
  if (port == std::string_view::npos) return true;
  const std::string_view digits = rest.substr(port + 1);
  return !digits.empty() && digits.size() <= 5 &&
         std::ranges::all_of(digits, [](unsigned char c) { return std::isdigit(c); });
}

// Addresses with commas between them, and a key behind a slash.
bool are_addresses(std::string_view text) {
  if (text == "rir:" || text.starts_with("rir:/")) return true;
  text = text.substr(0, text.find('/'));
  while (true) {
    const auto comma = text.find(',');
    if (!is_address(text.substr(0, comma))) return false;
    if (comma == std::string_view::npos) return true;
    text = text.substr(comma + 1);
  }
}

}  // namespace

std::expected<CosNaming::Name, std::string> name_of(std::string_view text, const Limits& limits) {
  if (text.empty()) return std::unexpected("a name has at least one component");
  NameReader reader;
  const char* error = nullptr;
  for (std::size_t i = 0; i < text.size() && !error; ++i) {
    const char c = text[i];
    if (c == '/')
      error = reader.end_component();
    else if (c == '.')
      error = reader.put_dot();
    else if (c != '\\')
      reader.put(c);
    else if (++i < text.size() && may_be_escaped(text[i]))
      reader.put(text[i]);
    else
      error = "a backslash stands before something else than '/', '.' or '\\'";
  }
  if (!error) error = reader.end_component();
  if (error) return std::unexpected(error);
  CosNaming::Name name = reader.take();
  if (std::string fault = fault_of(name, limits); !fault.empty()) return std::unexpected(std::move(fault));
  return name;
}

std::string text_of(const CosNaming::Name& name) {
  std::string text;
  bool first = true;
  for (const CosNaming::NameComponent& component : name) {
    if (!std::exchange(first, false)) text += '/';
    append_escaped(text, component.id());
    if (!component.kind().empty() || component.id().empty()) text += '.';
    append_escaped(text, component.kind());
  }
  return text;
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
  if (!are_addresses(address)) return std::unexpected(UrlFault::address);
  if (!name_of(name, limits)) return std::unexpected(UrlFault::name);
  std::string url = "corbaname:" + std::string(address) + "#";
  constexpr char digits[] = "0123456789abcdef";
  for (const char c : name) {
    const auto octet = static_cast<unsigned char>(c);
    if (stays_in_url(octet))
      url += c;
    else
      url.append({'%', digits[octet >> 4], digits[octet & 15]});
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

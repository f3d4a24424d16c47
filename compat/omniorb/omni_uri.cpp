#include <omniORB4/omniURI.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include <takt/classic/present_orb.h>

namespace omni {

namespace {

using CORBA::UShort;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

char* copy(const std::string& text) { return CORBA::string_dup(text.c_str()); }

// Reads digits; false if there are none or the number is no port.
bool read_port(const char*& at, UShort& port) {
  if (!is_digit(*at)) return false;
  unsigned long value = 0;
  for (; is_digit(*at); ++at)
    if ((value = 10 * value + static_cast<unsigned long>(*at - '0')) > 65535) return false;
  port = static_cast<UShort>(value);
  return true;
}

// Reads HOST or [HOST]; `at` is then behind it. False if a bracket is missing.
bool read_host(const char*& at, std::string& host, const char* ends) {
  if (*at == '[') {
    const char* const end = std::strchr(at, ']');
    if (!end) return false;
    host.assign(at + 1, end);
    at = end + 1;
    return true;
  }
  const std::size_t length = std::strcspn(at, ends);
  host.assign(at, length);
  at += length;
  return true;
}

// Reads HOST: and a port, which may be absent at the end of the text.
bool read_host_and_port(const char*& at, std::string& host, UShort& port) {
  if (!at || !read_host(at, host, ":") || *at++ != ':') return false;
  if (*at != 0) return read_port(at, port);
  port = 0;
  return true;
}

// One address of a corbaloc URL: [iiop|ssliop]:[MAJOR.MINOR@]HOST[:[PORT]].
bool read_address(const char*& at, const char* ends) {
  const std::size_t protocol = std::strcspn(at, ":");
  const std::string name(at, protocol);
  if ((name != "iiop" && name != "ssliop" && !name.empty()) || at[protocol] == 0) return false;
  at += protocol + 1;
  const bool versioned = is_digit(at[0]) && at[1] == '.' && is_digit(at[2]) && at[3] == '@';
  if (versioned) at += 4;
  std::string host;
  if (!read_host(at, host, (std::string(":,") + ends).c_str()) || host.find('@') != std::string::npos ||
      (versioned && host.empty()))
    return false;
  UShort port = 0;
  return *at != ':' || !is_digit(*++at) || read_port(at, port);
}

// Reads the addresses of a corbaloc or corbaname URL up to the key or one of `ends`.
bool read_addresses(const char*& at, const char* ends) {
  if (std::strncmp(at, "rir:", 4) == 0) {
    at += 4;
    return *at == 0 || std::strchr(ends, *at);
  }
  while (read_address(at, ends)) {
    if (*at == 0 || std::strchr(ends, *at)) return true;
    if (*at++ != ',') return false;
  }
  return false;
}

bool valid_addresses(const char* at) { return at && read_addresses(at, "/"); }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Reads text of a URL, with escapes, up to `end` or the end.
bool read_escaped(const char*& at, char end, std::string& text) {
  for (; *at != 0 && *at != end; ++at) {
    const char c = *at;
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
                       std::strchr(";/:?@&=+$,-_.!~*'()", c);
    if (plain) {
      text += c;
      continue;
    }
    if (c != '%' || hex_digit(at[1]) < 0 || hex_digit(at[2]) < 0) return false;
    text += static_cast<char>(hex_digit(at[1]) * 16 + hex_digit(at[2]));
    at += 2;
  }
  return true;
}

bool valid_ior(const char* digits) {
  std::size_t count = 0;
  while (hex_digit(digits[count]) >= 0) ++count;
  return count > 0 && count % 2 == 0 && digits[count] == 0;
}

bool valid_corbaloc(const char* at) {
  std::string key;
  return read_addresses(at, "/") && *at == '/' && read_escaped(at, 0, key);
}

bool valid_corbaname(const char* at) {
  std::string key, name;
  if (!read_addresses(at, "/#")) return false;
  if (*at == '/' && !read_escaped(at, '#', key)) return false;
  if (*at == 0) return true;
  if (!read_escaped(++at, 0, name)) return false;
  try {
    const CosNaming::Name_var read = omniURI::stringToName(name.c_str());
    return true;
  } catch (const CosNaming::NamingContext::InvalidName&) {
    return false;
  }
}

// Appends the part of a name's component up to `.`, `/` or the end, without its escapes.
void read_part(const char*& at, std::string& part) {
  for (; *at != 0 && *at != '.' && *at != '/'; ++at) {
    if (*at == '\\' && (*++at == 0 || !std::strchr("./\\", *at)))
      throw CosNaming::NamingContext::InvalidName();
    part += *at;
  }
}

void write_part(std::string& out, const char* part) {
  for (; *part != 0; ++part) {
    if (std::strchr("./\\", *part)) out += '\\';
    out += *part;
  }
}

}  // namespace

char* omniURI::buildURI(const char* prefix, const char* host, CORBA::UShort port) {
  const bool v6 = std::strchr(host, ':') != nullptr;
  return copy(std::string(prefix) + (v6 ? ":[" : ":") + host + (v6 ? "]:" : ":") + std::to_string(port));
}

char* omniURI::extractHostPort(const char* address, CORBA::UShort& port, const char** rest) {
  std::string host;
  if (!read_host_and_port(address, host, port) || (!rest && *address != 0)) return nullptr;
  if (rest) *rest = address;
  return copy(host);
}

char* omniURI::extractHostPortRange(const char* address, CORBA::UShort& first, CORBA::UShort& last) {
  std::string host;
  UShort from = 0, to = 0;
  if (!read_host_and_port(address, host, from)) return nullptr;
  to = from;
  if (*address == '-' && !read_port(++address, to)) return nullptr;
  if (*address != 0 || to < from) return nullptr;
  first = from;
  last = to;
  return copy(host);
}

CORBA::Boolean omniURI::validHostPort(const char* address) {
  UShort port = 0;
  const CORBA::String_var host = extractHostPort(address, port);
  return host.in() != nullptr;
}

CORBA::Boolean omniURI::validHostPortRange(const char* address) {
  UShort first = 0, last = 0;
  const CORBA::String_var host = extractHostPortRange(address, first, last);
  return host.in() != nullptr;
}

CORBA::Boolean omniURI::uriSyntaxIsValid(const char* uri) {
  if (!uri) return false;
  if (std::strncmp(uri, "IOR:", 4) == 0 || std::strncmp(uri, "ior:", 4) == 0) return valid_ior(uri + 4);
  if (std::strncmp(uri, "corbaloc:", 9) == 0) return valid_corbaloc(uri + 9);
  return std::strncmp(uri, "corbaname:", 10) == 0 && valid_corbaname(uri + 10);
}

char* omniURI::objectToString(CORBA::Object_ptr object) {
  CORBA::ORB_var orb = CORBA::is_nil(object) ? takt::classic::present_orb() : object->_get_orb();
  return orb->object_to_string(object);
}

CORBA::Object_ptr omniURI::stringToObject(const char* uri, unsigned int /*cycles*/) {
  CORBA::ORB_var orb = takt::classic::present_orb();
  return orb->string_to_object(uri);
}

CosNaming::Name* omniURI::stringToName(const char* text) {
  using CosNaming::NamingContext;
  CosNaming::Name_var name = new CosNaming::Name;
  for (const char* at = text;; ++at) {
    std::string id, kind;
    read_part(at, id);
    const bool dotted = *at == '.';
    if (dotted) read_part(++at, kind);
    // An empty component is a dot alone; a kind that is empty has no dot.
    if (*at == '.' || (!dotted && id.empty()) || (dotted && kind.empty() && !id.empty()))
      throw NamingContext::InvalidName();
    const CORBA::ULong last = name->length();
    name->length(last + 1);
    name[last].id = id.c_str();
    name[last].kind = kind.c_str();
    if (*at == 0) return name._retn();
  }
}

char* omniURI::nameToString(const CosNaming::Name& name) {
  if (name.length() == 0) throw CosNaming::NamingContext::InvalidName();
  std::string text;
  for (CORBA::ULong i = 0; i < name.length(); ++i) {
    if (i != 0) text += '/';
    const char* const id = name[i].id;
    const char* const kind = name[i].kind;
    write_part(text, id);
    if (*kind != 0 || *id == 0) text += '.';
    write_part(text, kind);
  }
  return copy(text);
}

char* omniURI::addrAndNameToURI(const char* address, const char* name) {
  if (!valid_addresses(address)) throw CosNaming::NamingContextExt::InvalidAddress();
  std::string uri = std::string("corbaname:") + address;
  if (*name == 0) return copy(uri);
  const CosNaming::Name_var checked = stringToName(name);
  uri += '#';
  for (; *name != 0; ++name) {
    const unsigned char c = static_cast<unsigned char>(*name);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(*name);
    if (plain || std::strchr(";/?:@&=+$,-_.!~*'()", c)) {
      uri += *name;
    } else {
      uri += '%';
      uri += "0123456789abcdef"[c / 16];
      uri += "0123456789abcdef"[c % 16];
    }
  }
  return copy(uri);
}

}  // namespace omni

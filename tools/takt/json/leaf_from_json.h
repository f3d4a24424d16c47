// JSON to CDR: numbers, texts, enumerators and other values without parts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <takt/cdr/encoder.h>

#include "json/path.h"

namespace takt::json {

// Throws the Failure of a value that does not fit: "expected EXPECTED, found ...".
[[noreturn]] void refuse(const Json& json, const Path& at, const std::string& expected);
// The octets of a JSON string in base64.
std::vector<std::uint8_t> octets_in(const Json& json, const std::string& expected, const Path& at);

// Both must outlive this object.
class LeafFromJson {
 public:
  LeafFromJson(cdr::Encoder& out, const Path& at) : out_(out), at_(at) {}

  // `type` has no aliases.
  void put(const Json& json, const CORBA::typecode_reference& type);

 private:
  void put_number(const Json& json, const CORBA::typecode_reference& type);
  template <class I>
  void put_integer(const Json& json);
  void put_quad(std::array<std::uint8_t, 16> quad);
  void put_string(const Json& json, const CORBA::typecode_reference& type);
  void put_wstring(const Json& json, const CORBA::typecode_reference& type);
  void put_enum(const Json& json, const CORBA::typecode_reference& type);
  void put_fixed(const Json& json, const CORBA::typecode_reference& type);
  char32_t character(const Json& json, const std::string& type, char32_t most) const;
  void check_text(std::size_t size, bool has_nul, const CORBA::typecode_reference& type) const;

  cdr::Encoder& out_;
  const Path& at_;
};

}  // namespace takt::json

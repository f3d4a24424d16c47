// Reads an encapsulation field by field, and reports where reading failed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/decoder.h>

namespace takt::command {

// After the first field that cannot be read, all further ones are 0 or empty; error() names that field and
// its first octet. Does not copy `data`, which must outlive this.
class Fields {
 public:
  explicit Fields(ByteView data) : decoder_(data, 0, format_of(data)) {
    if (data.empty())
      fail(0, "it is empty: even the byte order's octet is missing");
    else if (data[0] > 1)
      fail(0, "the byte order is " + std::to_string(data[0]) + ", not 0 or 1");
    else
      decoder_.skip(1);
  }

  bool ok() const { return error_.empty(); }
  // "octet 12: the port is cut off"
  const std::string& error() const { return error_; }
  std::size_t remaining() const { return decoder_.remaining(); }

  template <class Number>
  Number number(std::string_view name) {
    Number value{};
    if (!ok()) return value;
    const std::size_t at = (decoder_.position() + sizeof value - 1) / sizeof value * sizeof value;
    if (!decoder_.get(value)) fail(at, std::string(name) + " is cut off");
    return value;
  }
  ByteView octets(std::string_view name) {
    const auto size = number<std::uint32_t>("the length of " + std::string(name));
    if (!ok()) return {};
    if (size > decoder_.remaining()) {
      fail(decoder_.position() - 4, std::string(name) + " should have " + std::to_string(size) +
                                        " octets, but " + std::to_string(decoder_.remaining()) + " are left");
      return {};
    }
    return decoder_.get_octets_view(size);
  }
  // Without the terminating NUL.
  std::string string(std::string_view name) {
    const ByteView text = octets(name);
    return {text.begin(), text.empty() ? text.end() : text.end() - 1};
  }
  // A number of elements of at least `least_bytes` each.
  std::uint32_t count(std::string_view name, std::size_t least_bytes) {
    const auto value = number<std::uint32_t>("the number of " + std::string(name));
    if (!ok() || value <= decoder_.remaining() / least_bytes) return value;
    fail(decoder_.position() - 4, "there should be " + std::to_string(value) + " " + std::string(name) +
                                      ", for which " + std::to_string(decoder_.remaining()) +
                                      " octets are too few");
    return 0;
  }

 private:
  static cdr::Format format_of(ByteView data) {
    cdr::Format format;
    format.order = static_cast<cdr::ByteOrder>(!data.empty() && data[0] == 1);
    return format;
  }
  void fail(std::size_t at, const std::string& text) {
    if (ok()) error_ = "octet " + std::to_string(at) + ": " + text;
  }

  cdr::Decoder decoder_;
  std::string error_;
};

}  // namespace takt::command

// Code sets that are converted by the system's iconv.
#include <iconv.h>

#include <array>

#include "base/owned_by_thread.h"
#include "cdr/text/utf.h"

namespace takt::cdr {

namespace {

const char* iconv_name(CodeSetId id) {
  switch (static_cast<std::uint32_t>(id)) {
    case 0x05010001:
      return "UTF-8";
    case 0x00010001:
      return "ISO-8859-1";
    case 0x00010002:
      return "ISO-8859-2";
    case 0x00010003:
      return "ISO-8859-3";
    case 0x00010004:
      return "ISO-8859-4";
    case 0x00010005:
      return "ISO-8859-5";
    case 0x00010006:
      return "ISO-8859-6";
    case 0x00010007:
      return "ISO-8859-7";
    case 0x00010008:
      return "ISO-8859-8";
    case 0x00010009:
      return "ISO-8859-9";
    case 0x0001000a:
      return "ISO-8859-10";
    case 0x0001000f:
      return "ISO-8859-15";
    case 0x00010020:
      return "ASCII";
    default:
      return nullptr;
  }
}

// The open converters of a thread. Opening one takes many times as long as converting a short text, and a
// peer chooses the code sets of its connection, so the most recent ones stay open.
class OpenConverters {
 public:
  OpenConverters() = default;
  OpenConverters(const OpenConverters&) = delete;
  OpenConverters& operator=(const OpenConverters&) = delete;
  ~OpenConverters() {
    for (const Converter& one : open_) close(one);
  }

  // Reset to the initial state; `none` if the system does not convert these.
  iconv_t get(CodeSetId from, CodeSetId to) {
    for (const Converter& one : open_)
      if (one.handle != none && one.from == from && one.to == to) {
        iconv(one.handle, nullptr, nullptr, nullptr, nullptr);
        return one.handle;
      }
    return open(from, to);
  }

  static inline const iconv_t none = reinterpret_cast<iconv_t>(-1);

 private:
  struct Converter {
    CodeSetId from = CodeSetId::none, to = CodeSetId::none;
    iconv_t handle = none;
  };

  // Replaces the converter that was opened first.
  iconv_t open(CodeSetId from, CodeSetId to) {
    const char *const from_name = iconv_name(from), *const to_name = iconv_name(to);
    if (!from_name || !to_name) return none;
    const Converter opened{from, to, iconv_open(to_name, from_name)};
    if (opened.handle == none) return none;
    Converter& oldest = open_[next_++ % open_.size()];
    close(oldest);
    oldest = opened;
    return opened.handle;
  }
  static void close(const Converter& one) {
    if (one.handle != none) iconv_close(one.handle);
  }

  std::array<Converter, 4> open_;  // both directions of two code sets
  std::size_t next_ = 0;
};

}  // namespace

bool can_convert(const CodeSets& sets) {
  const bool wide =
      sets.wide == CodeSetId::none || sets.wide == CodeSetId::utf_16 || sets.wide == CodeSetId::ucs_2;
  return wide && (sets.narrow == CodeSetId::none || iconv_name(sets.narrow));
}

bool convert_with_iconv(std::string_view octets, CodeSetId from, CodeSetId to, std::string& converted) {
  const iconv_t conversion = owned_by_thread<OpenConverters>().get(from, to);
  if (conversion == OpenConverters::none) return false;
  std::string input(octets);
  char* in = input.data();
  std::size_t left = input.size();
  bool good = true;
  while (left && good) {
    std::array<char, 256> chunk;
    char* out = chunk.data();
    std::size_t room = chunk.size();
    const std::size_t result = iconv(conversion, &in, &left, &out, &room);
    converted.append(chunk.data(), chunk.size() - room);
    good = result != static_cast<std::size_t>(-1) || room < chunk.size();
  }
  return good;
}

}  // namespace takt::cdr

// A hash of text that is the same on every machine and in every build.
#pragma once

#include <cstdint>
#include <string_view>

namespace takt::scheduling {

// FNV-1a over all input in order.
class Fingerprint {
 public:
  // Adds a line, which must not contain a line break.
  void add(std::string_view line) {
    for (const char c : line) add(c);
    add('\n');
  }
  std::uint64_t number() const { return number_; }

 private:
  void add(char c) { number_ = (number_ ^ static_cast<unsigned char>(c)) * 0x100000001b3; }

  std::uint64_t number_ = 0xcbf29ce484222325;
};

}  // namespace takt::scheduling

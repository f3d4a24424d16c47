// A method of compression that has a name and a number, and compresses nothing.
#pragma once

#include <string_view>

#include <takt/orb/plugin.h>

namespace broken {

class NoMethod final : public takt::giop::CompressionMethod {
 public:
  NoMethod(std::string_view name, std::uint8_t number) : name_(name), number_(number) {}
  std::string_view name() const override { return name_; }
  std::uint8_t number() const override { return number_; }
  std::size_t compress(std::span<const takt::ByteView>, takt::MutableBytes, int) const noexcept override {
    return 0;
  }
  bool expand(takt::ByteView, takt::MutableBytes) const noexcept override { return false; }

 private:
  const std::string_view name_;
  const std::uint8_t number_;
};

}  // namespace broken

// The servant of the memory tests.
#pragma once

#include <chrono>
#include <thread>

#include <takt/corba.h>

#include "memoryS.h"

namespace feature {

inline Memory::Use use_of(const takt::MemoryUse& use) {
  return {use.taken_bytes, use.peak_bytes, use.limit_bytes, use.refusals};
}

class StoreServant : public virtual CORBA::servant_traits<Memory::Store>::base_type {
 public:
  explicit StoreServant(IDL::traits<CORBA::ORB>::ref_type orb) : orb_(std::move(orb)) {}

  std::uint8_t cube(std::uint8_t x) override { return static_cast<std::uint8_t>(x * x * x); }
  std::uint32_t take(const Memory::Octets& values) override {
    return static_cast<std::uint32_t>(values.size());
  }
  std::uint32_t length_of(const std::string& text) override {
    return static_cast<std::uint32_t>(text.size());
  }
  Memory::Octets make(std::uint32_t length) override { return Memory::Octets(length, 7); }
  std::string text(std::uint32_t length) override { return std::string(length, 'x'); }
  Memory::Strings texts(std::uint32_t count) override { return Memory::Strings(count, "text"); }
  void sleep_ms(std::uint32_t ms) override { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }
  Memory::Use server_memory() override { return use_of(orb_->_server_memory()); }

 private:
  const IDL::traits<CORBA::ORB>::ref_type orb_;
};

}  // namespace feature

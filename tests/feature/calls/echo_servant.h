// The servant of the feature tests.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "callsS.h"

namespace feature {

class EchoServant : public virtual CORBA::servant_traits<Calls::Echo>::base_type {
 public:
  std::string name() override { return "echo"; }
  uint8_t cube(uint8_t x) override { return static_cast<uint8_t>(x * x * x); }
  void nothing() override {}
  void note(int32_t value) override { noted_ = value; }
  int32_t noted() override { return noted_; }
  Calls::Points echo_points(const Calls::Points& values) override { return values; }
  Calls::Octets echo_octets(const Calls::Octets& values) override { return values; }
  double sum(const Calls::Points& values, std::wstring& text, const std::wstring& unit) override {
    double sum = 0;
    for (const Calls::Point& value : values) sum += value.y();
    text = std::to_wstring(values.size()) + unit;
    return sum;
  }
  std::string join(const std::string& a, std::string& b, std::string& c) override {
    c = a + b;
    b += "!";
    return "<" + c + ">";
  }
  Calls::Colour next_colour(Calls::Colour value) override {
    return static_cast<Calls::Colour>((static_cast<uint32_t>(value) + 1) % 3);
  }
  void refuse(const std::string& why) override { throw Calls::Refused(why, 42); }
  void fail_with_system_exception() override { throw CORBA::NO_RESOURCES(7, CORBA::COMPLETED_YES); }
  void sleep_ms(uint32_t ms) override { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }
  IDL::traits<Calls::Echo>::ref_type itself() override { return this->_this(); }
  int32_t call_back(IDL::traits<Calls::Echo>::ref_type other, uint8_t x) override {
    return other->cube(x) + 1;
  }
  int32_t level() override { return level_; }
  void level(int32_t value) override { level_ = value; }

 private:
  std::atomic<int32_t> noted_{0}, level_{0};
};

}  // namespace feature

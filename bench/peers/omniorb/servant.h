#pragma once

#include <span>

#include "common/priorities.h"
#include "common/workload.h"
#include "cube.hh"

class CubeServant : public POA_Bench::Cube {
 public:
  explicit CubeServant(const bench::Work& work = bench::Work()) : work_(work) {}
  CORBA::Octet cube_octet(CORBA::Octet x) override {
    work_.run();
    return bench::cube(x);
  }
  void cube_void() override {}
  CORBA::Long cube_long(CORBA::Long x) override { return bench::cube(std::int32_t{x}); }
  Bench::BinStruct cube_struct(const Bench::BinStruct& x) override {
    const auto cubed = bench::cube({x.s, static_cast<char>(x.c), x.l, x.o, x.d});
    return {cubed.s, static_cast<CORBA::Char>(cubed.c), cubed.l, cubed.o, cubed.d};
  }
  char* echo(const char* text) override { return CORBA::string_dup(text); }
  void ping(CORBA::Octet x) override { sink_.add(x); }
  void send_octets(const Bench::Octets& data) override {
    sink_.add(bench::digest_octets(data.get_buffer(), data.length()));
  }
  void send_longs(const Bench::Longs& data) override {
    sink_.add(bench::digest_longs(std::span(data.get_buffer(), data.length())));
  }
  void send_structs(const Bench::Structs& data) override {
    sink_.add(bench::digest_structs(std::span(data.get_buffer(), data.length())));
  }
  CORBA::ULong digest() override { return sink_.total(); }

 private:
  const bench::Work work_;
  bench::Sink sink_;
};

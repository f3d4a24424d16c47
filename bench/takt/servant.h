#pragma once

#include <takt/corba.h>

#include "common/priorities.h"
#include "common/workload.h"
#include "cubeS.h"

class CubeServant final : public virtual CORBA::servant_traits<Bench::Cube>::base_type {
 public:
  explicit CubeServant(const bench::Work& work = bench::Work()) : work_(work) {}
  std::uint8_t cube_octet(std::uint8_t x) override {
    work_.run();
    return bench::cube(x);
  }
  void cube_void() override {}
  std::int32_t cube_long(std::int32_t x) override { return bench::cube(x); }
  Bench::BinStruct cube_struct(const Bench::BinStruct& x) override {
    const auto cubed = bench::cube({x.s(), x.c(), x.l(), x.o(), x.d()});
    return {cubed.s, cubed.c, cubed.l, cubed.o, cubed.d};
  }
  std::string echo(const std::string& text) override { return text; }
  void ping(std::uint8_t x) override { sink_.add(x); }
  void send_octets(const Bench::Octets& data) override {
    sink_.add(bench::digest_octets(data.data(), data.size()));
  }
  void send_longs(const Bench::Longs& data) override { sink_.add(bench::digest_longs(data)); }
  void send_structs(const Bench::Structs& data) override {
    std::uint32_t sum = 0;
    for (const auto& x : data) sum += bench::digest_struct(x.s(), x.c(), x.l(), x.o(), x.d());
    sink_.add(sum);
  }
  std::uint32_t digest() override { return sink_.total(); }

 private:
  const bench::Work work_;
  bench::Sink sink_;
};

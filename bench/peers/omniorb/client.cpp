// bench_omniorb_client --endpoint IOR [-ORB options]; see common/driver.h
#include <algorithm>

#include "common/driver.h"
#include "common/serve.h"
#include "cube.hh"

namespace {

class Session {
 public:
  explicit Session(Bench::Cube_var cube) : cube_(cube) {}

  std::uint8_t cube_octet(std::uint8_t x) { return cube_->cube_octet(x); }
  void cube_void() { cube_->cube_void(); }
  std::int32_t cube_long(std::int32_t x) { return cube_->cube_long(x); }
  bench::BinStruct cube_struct(const bench::BinStruct& x) {
    const Bench::BinStruct cubed = cube_->cube_struct({x.s, static_cast<CORBA::Char>(x.c), x.l, x.o, x.d});
    return {cubed.s, static_cast<char>(cubed.c), cubed.l, cubed.o, cubed.d};
  }
  void echo(const std::string& text) {
    CORBA::String_var same = cube_->echo(text.c_str());
    bench::check(text == same.in(), "echo returned another text");
  }
  void pings(unsigned count) {
    for (unsigned i = 0; i < count; ++i) cube_->ping(1);
  }
  std::uint32_t digest() { return cube_->digest(); }

  auto send_octets(const std::vector<std::uint8_t>& data) {
    return [this, sequence = copy<Bench::Octets>(data)] { cube_->send_octets(sequence); };
  }
  auto send_longs(const std::vector<std::int32_t>& data) {
    return [this, sequence = copy<Bench::Longs>(data)] { cube_->send_longs(sequence); };
  }
  auto send_structs(const std::vector<bench::BinStruct>& data) {
    Bench::Structs sequence;
    sequence.length(static_cast<CORBA::ULong>(data.size()));
    for (CORBA::ULong i = 0; i < data.size(); ++i) {
      const auto& from = data[i];
      sequence[i] = {from.s, static_cast<CORBA::Char>(from.c), from.l, from.o, from.d};
    }
    return [this, sequence] { cube_->send_structs(sequence); };
  }

 private:
  template <class Sequence, class T>
  static Sequence copy(const std::vector<T>& data) {
    Sequence sequence;
    sequence.length(static_cast<CORBA::ULong>(data.size()));
    std::copy(data.begin(), data.end(), sequence.get_buffer());
    return sequence;
  }
  Bench::Cube_var cube_;
};

struct Client {
  CORBA::ORB_var orb;

  Session connect(const std::string& ior) {
    CORBA::Object_var object = orb->string_to_object(ior.c_str());
    return Session(Bench::Cube::_unchecked_narrow(object));
  }
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_omniorb_client", [&] {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    const bench::Options options(argc, argv);
    Client client{orb};
    bench::drive(client, options);
  });
}

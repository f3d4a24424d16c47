// bench_omniorb_demux_client --endpoint FILE --operations N --orders A,B [--seconds S] [-ORB options]
#include "demux/client.h"
#include "common/serve.h"
#include "demux.hh"

namespace {

template <std::size_t Operations>
struct Called;

#define DEMUX_METHOD(number) &Interface::operation_##number,
#define DEMUX_CALLED(count)                                                                      \
  template <>                                                                                    \
  struct Called<count> {                                                                         \
    using Interface = Demux::_objref_Operations##count;                                          \
    using Reference = Demux::Operations##count##_var;                                            \
    static Reference narrow(CORBA::Object_ptr object) {                                          \
      return Demux::Operations##count::_unchecked_narrow(object);                                \
    }                                                                                            \
    static constexpr void (Interface::* methods[])() = {DEMUX_OPERATIONS_##count(DEMUX_METHOD)}; \
  };
DEMUX_CALLED(1)
DEMUX_CALLED(10)
DEMUX_CALLED(100)
#undef DEMUX_CALLED
#undef DEMUX_METHOD

template <std::size_t Operations>
struct Session {
  typename Called<Operations>::Reference object;

  void call(std::size_t operation) { (object.in()->*Called<Operations>::methods[operation])(); }
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_omniorb_demux_client", [&] {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    const bench::Options options(argc, argv);
    const auto operations = static_cast<std::size_t>(options.number("operations", 1));
    bench::with_operations(operations, [&]<std::size_t Operations> {
      const auto connect = [&](const std::string& reference) {
        CORBA::Object_var object = orb->string_to_object(reference.c_str());
        return Session<Operations>{Called<Operations>::narrow(object)};
      };
      bench::drive_orders(connect, operations, options);
    });
  });
}

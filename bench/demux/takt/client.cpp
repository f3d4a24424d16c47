// bench_takt_demux_client --endpoint FILE --operations N --orders A,B [--seconds S] [-ORB options]
#include <takt/corba.h>

#include <array>

#include "common/serve.h"
#include "demux/client.h"
#include "demuxC.h"

namespace {

template <std::size_t Operations>
struct Called;

#define DEMUX_METHOD(number) &Interface::operation_##number,
#define DEMUX_CALLED(count)                                                                      \
  template <>                                                                                    \
  struct Called<count> {                                                                         \
    using Interface = Demux::Operations##count;                                                  \
    static constexpr void (Interface::* methods[])() = {DEMUX_OPERATIONS_##count(DEMUX_METHOD)}; \
  };
DEMUX_CALLED(1)
DEMUX_CALLED(10)
DEMUX_CALLED(100)
#undef DEMUX_CALLED
#undef DEMUX_METHOD

template <std::size_t Operations>
struct Session {
  using Interface = typename Called<Operations>::Interface;
  typename IDL::traits<Interface>::ref_type object;

  void call(std::size_t operation) { ((*object).*Called<Operations>::methods[operation])(); }
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_takt_demux_client", [&] {
    auto orb = CORBA::ORB_init(argc, argv);
    const bench::Options options(argc, argv);
    const auto operations = static_cast<std::size_t>(options.number("operations", 1));
    bench::with_operations(operations, [&]<std::size_t Operations> {
      const auto connect = [&](const std::string& reference) {
        using Interface = typename Called<Operations>::Interface;
        return Session<Operations>{IDL::traits<Interface>::narrow(orb->string_to_object(reference))};
      };
      bench::drive_orders(connect, operations, options);
    });
    orb->destroy();
  });
}

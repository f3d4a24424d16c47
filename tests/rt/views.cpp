// Serves CALLS requests whose arguments are two long sequences, for external counters of instructions:
//
//   rt_views copied|viewed OCTETS CALLS
//
// From the request's octets in memory to the encoded answer, without a socket.
#include <takt/base/gather_buffer.h>
#include <takt/corba.h>

#include <cstdio>
#include <cstdlib>

#include "viewsS.h"

namespace {

class Sink final : public virtual Seen::POA::Sink {
 public:
  void copied(const Seen::Octets& octets, const Seen::Longs& longs) override {
    sum += octets.back() + static_cast<unsigned>(longs.back());
  }
  void viewed(std::span<const std::uint8_t> octets, std::span<const std::int32_t> longs) override {
    sum += octets.back() + static_cast<unsigned>(longs.back());
  }
  unsigned long sum = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const std::size_t octets = std::strtoul(argv[2], nullptr, 10);
  const long calls = std::atol(argv[3]);
  takt::GatherBuffer request(2 * octets + 64), reply(512);
  takt::cdr::Encoder out(request);
  out.set_borrowing(false);
  takt::cdr::write(out, Seen::Octets(octets, 1));
  takt::cdr::write(out, Seen::Longs(octets / sizeof(std::int32_t), 2));
  const auto sink = CORBA::make_reference<Sink>();
  bool answered = true;
  for (long i = 0; i < calls; ++i) {
    takt::server::ServerCall call({.object_key = {}, .operation = argv[1]},
                                  {request.owned(), request.owned_size()}, 0, {}, reply);
    answered = sink->_dispatch(call) && call.answered() && !call.answer_failed() && answered;
  }
  std::printf("%lu\n", sink->sum);
  return answered && sink->sum == 3u * static_cast<unsigned long>(calls) ? 0 : 1;
}

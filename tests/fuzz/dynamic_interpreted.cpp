// Interpreted operations read the same from hostile octets as compiled ones. The first octet tells the
// format, as for the cdr targets, and the operation.
#include <takt/adapter/interpreted_skeleton.h>
#include <takt/cdr/any.h>
#include <takt/invocation/interpreted_stub.h>

#include "cdr_input.h"

namespace {

using namespace takt;

template <class Types>
struct Checked;
template <class R, class... P>
struct Checked<R(P...)> {
  using Frame = CallFrame<R, typename P::Pointer...>;
  struct Call {
    Pack<typename P::Type...> values{};
    R result{};
  };

  static fuzz::Octets written(const Call& call, const cdr::Format& format) {
    GatherBuffer buffer;
    cdr::Encoder out(buffer, format);
    out.set_borrowing(false);
    cdr::Codec<R>::write(out, call.result);
    call.values.apply(
        [&](const typename P::Type&... value) { (cdr::Codec<typename P::Type>::write(out, value), ...); });
    return fuzz::all(buffer);
  }

  // As a reply: the result, and what comes back.
  static void check(ByteView octets, const cdr::Format& format) {
    Call compiled, interpreted;
    cdr::Decoder one(octets, 0, format), other(octets, 0, format);
    cdr::Codec<R>::read(one, compiled.result);
    compiled.values.apply([&](typename P::Type&... value) {
      const auto read = [&]<class Parameter>(typename Parameter::Type& into) {
        if constexpr (Parameter::returned) cdr::Codec<typename Parameter::Type>::read(one, into);
      };
      (read.template operator()<P>(value), ...);
    });
    interpreted.values.apply([&](typename P::Type&... value) {
      Frame frame{{{&value}...}, &interpreted.result};
      cdr::InterpretedFrame(cdr::InterpretedTypes<R, OperationKind::two_way, P...>::operation, &frame)
          .read_returned(other);
    });
    fuzz::require(one.ok() == other.ok());
    if (!one.ok()) return;
    fuzz::require(one.remaining() == other.remaining());
    fuzz::require(written(compiled, format) == written(interpreted, format));
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const cdr::Format format = fuzz::format_of(data[0]);
  const ByteView octets(data + 1, size - 1);
  using Strings = std::vector<std::string>;
  using Octets = std::vector<std::uint8_t>;
  using Doubles = std::vector<double>;
  try {
    switch (data[0] >> 4 & 3) {
      case 0:
        return Checked<std::string(Out<std::int32_t>, InOut<Strings>, In<bool>)>::check(octets, format), 0;
      case 1:
        return Checked<Octets(Out<CORBA::Any>, Out<std::wstring>)>::check(octets, format), 0;
      case 2:
        return Checked<Doubles(InOut<bool>, Out<char>, Out<std::vector<Octets>>)>::check(octets, format), 0;
      default:
        return Checked<CORBA::Any(Out<CORBA::typecode_reference>, Out<std::uint64_t>)>::check(octets, format),
               0;
    }
  } catch (const CORBA::SystemException&) {
  }
  return 0;
}

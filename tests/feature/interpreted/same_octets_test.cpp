// Interpreted operations read and write the same octets as compiled ones, in both byte orders.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <takt/adapter/interpreted_skeleton.h>
#include <takt/invocation/interpreted_stub.h>

#include "mixedC.h"

namespace feature {
namespace {

using Octets = std::vector<std::uint8_t>;
using takt::In;
using takt::InOut;
using takt::Out;

void fill(std::int32_t& value) { value = *rc::gen::arbitrary<std::int32_t>(); }
void fill(std::uint8_t& value) { value = *rc::gen::arbitrary<std::uint8_t>(); }
void fill(double& value) { value = *rc::gen::arbitrary<std::int32_t>() * 0.25; }
void fill(std::string& value) { value = *rc::gen::container<std::string>(rc::gen::inRange('a', 'z')); }
void fill(Mixed::Record& value) {
  value = {*rc::gen::arbitrary<std::int16_t>(), *rc::gen::inRange('a', 'z'),
           *rc::gen::arbitrary<std::int32_t>(), *rc::gen::arbitrary<std::uint8_t>(),
           *rc::gen::arbitrary<std::int16_t>() * 0.5};
}
template <class T>
void fill(std::vector<T>& values) {
  values.resize(*rc::gen::inRange<std::size_t>(0, 5));
  for (T& value : values) fill(value);
}
void fill(CORBA::Any& value) {
  Mixed::Records records;
  fill(records);
  value <<= records;
}

template <class Write>
Octets written(takt::cdr::ByteOrder order, Write write) {
  takt::GatherBuffer buffer;
  takt::cdr::Format format;
  format.order = order;
  takt::cdr::Encoder encoder(buffer, format);
  encoder.set_borrowing(false);
  write(encoder);
  RC_ASSERT(encoder.ok());
  return {buffer.owned(), buffer.owned() + buffer.owned_size()};
}

template <class Types>
struct Operations;
template <class R, class... P>
struct Operations<R(P...)> {
  using Frame = takt::CallFrame<R, typename P::Pointer...>;
  using Values = takt::Pack<typename P::Type...>;
  static constexpr const takt::cdr::InterpretedOperation& operation =
      takt::cdr::InterpretedTypes<R, takt::OperationKind::two_way, P...>::operation;

  // The values of a call, as a frame of them.
  struct Call {
    Values values{};
    R result{};
    template <class Use>
    void with_frame(Use use) {
      values.apply([&](typename P::Type&... value) {
        Frame frame{{{&value}...}, &result};
        use(takt::cdr::InterpretedFrame(operation, &frame));
      });
    }
  };

  static void check() {
    Call call;
    fill(call.result);
    call.values.apply([](auto&... value) { (fill(value), ...); });
    for (const auto order : {takt::cdr::ByteOrder::little, takt::cdr::ByteOrder::big}) {
      check_requests(call, order);
      check_replies(call, order);
    }
  }

 private:
  static Octets compiled_request(Call& call, takt::cdr::ByteOrder order) {
    return written(order, [&](takt::cdr::Encoder& encoder) {
      call.values.apply(
          [&](const typename P::Type&... value) { (takt::detail::write_argument<P>(encoder, value), ...); });
    });
  }
  static Octets compiled_reply(Call& call, takt::cdr::ByteOrder order) {
    return written(order, [&](takt::cdr::Encoder& encoder) {
      takt::cdr::Codec<R>::write(encoder, call.result);
      call.values.apply([&](const typename P::Type&... value) {
        (takt::adapter::detail::write_argument<P>(encoder, value), ...);
      });
    });
  }
  static void check_requests(Call& call, takt::cdr::ByteOrder order) {
    const Octets compiled = compiled_request(call, order);
    call.with_frame([&](const auto& frame) {
      RC_ASSERT(written(order, [&](auto& encoder) { frame.write_sent(encoder); }) == compiled);
    });
    Call read;
    read.with_frame([&](const auto& frame) {
      takt::cdr::Format format;
      format.order = order;
      takt::cdr::Decoder decoder(compiled, 0, format);
      frame.read_sent(decoder);
      RC_ASSERT(decoder.ok());
    });
    RC_ASSERT(compiled_request(read, order) == compiled);
  }
  static void check_replies(Call& call, takt::cdr::ByteOrder order) {
    const Octets compiled = compiled_reply(call, order);
    call.with_frame([&](const auto& frame) {
      RC_ASSERT(written(order, [&](auto& encoder) { frame.write_returned(encoder); }) == compiled);
    });
    Call read;
    read.with_frame([&](const auto& frame) {
      takt::cdr::Format format;
      format.order = order;
      takt::cdr::Decoder decoder(compiled, 0, format);
      frame.read_returned(decoder);
      RC_ASSERT(decoder.ok());
    });
    RC_ASSERT(compiled_reply(read, order) == compiled);
  }
};

TEST(InterpretedOctets, AreThoseOfCompiledOperationsInBothByteOrders) {
  EXPECT_TRUE(rc::check([] {
    Operations<std::int32_t()>::check();
    Operations<std::string(In<std::uint8_t>, InOut<double>, Out<std::string>)>::check();
    Operations<Mixed::Records(Out<Mixed::Record>, In<std::string>, In<Mixed::Records>,
                              InOut<CORBA::Any>)>::check();
    Operations<CORBA::Any(InOut<Mixed::Records>, In<std::vector<std::int32_t>>, Out<std::uint8_t>)>::check();
  }));
}

// A decoder that has failed reads no more values, whichever kind of operation uses it.
TEST(InterpretedOctets, ThatAreTooFewFailTheDecoder) {
  using Types = Operations<std::int32_t(In<Mixed::Record>, InOut<std::string>)>;
  Types::Call whole;
  whole.values.apply([](Mixed::Record& record, std::string& text) {
    record = {1, 'c', 2, 3, 4.5};
    text = "some text";
  });
  Octets octets;
  whole.with_frame([&](const auto& frame) {
    octets = written(takt::cdr::native_order, [&](auto& encoder) { frame.write_sent(encoder); });
  });
  for (std::size_t size = 0; size < octets.size(); ++size) {
    Types::Call call;
    call.with_frame([&](const auto& frame) {
      takt::cdr::Decoder decoder({octets.data(), size}, 0, takt::cdr::Format());
      frame.read_sent(decoder);
      EXPECT_FALSE(decoder.ok()) << size;
    });
  }
}

}  // namespace
}  // namespace feature

// Values of generated types have the same octets by every dynamic way, in both byte orders: in dynamic
// requests, in dynamic servants, and as DynAnys that are put together from their parts.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <optional>
#include <vector>

#include <takt/dynamic/server_request.h>

#include "../../random_values.h"
#include "../../rebuilt.h"
#include "dynamic/request/results.h"

namespace takt::dynamic {
namespace {

using Octets = std::vector<std::uint8_t>;
using test::RandomValues;

constexpr cdr::ByteOrder orders[] = {cdr::ByteOrder::little, cdr::ByteOrder::big};

cdr::Format format_in(cdr::ByteOrder order) {
  cdr::Format format = cdr::any_format();
  format.order = order;
  return format;
}

Octets octets_of(const GatherBuffer& buffer) {
  std::vector<ByteView> pieces;
  buffer.gather(pieces);
  Octets octets;
  for (const ByteView piece : pieces) octets.insert(octets.end(), piece.begin(), piece.end());
  return octets;
}

template <class Write>
Octets written(cdr::ByteOrder order, Write write) {
  GatherBuffer buffer;
  cdr::Encoder out(buffer, format_in(order));
  out.set_borrowing(false);
  write(out);
  RC_ASSERT(out.ok());
  return octets_of(buffer);
}

// A type, and the octets of one value of it in both byte orders.
struct Sample {
  explicit Sample(std::uint32_t seed) : type(RandomValues(seed).type(static_cast<int>(seed % 5))) {
    for (const auto order : orders)
      octets.push_back(written(order, [&](cdr::Encoder& out) { RandomValues(seed + 1).put(out, *type); }));
  }
  CORBA::Any read(cdr::ByteOrder order) const {
    cdr::Decoder in(octets[order == orders[1] ? 1 : 0], 0, format_in(order));
    CORBA::Any any;
    RC_ASSERT(cdr::read_any_value(in, type, any));
    RC_ASSERT(in.remaining() == 0u);
    return any;
  }
  void expect_octets_of(const CORBA::Any& any) const {
    for (const auto order : orders)
      RC_ASSERT(written(order, [&](cdr::Encoder& out) { write_value(out, any); }) ==
                octets[order == orders[1] ? 1 : 0]);
  }

  CORBA::typecode_reference type;
  std::vector<Octets> octets;
};

TEST(DynamicOctets, OfRequestsAndRepliesAreThoseOfTheirTypes) {
  EXPECT_TRUE(rc::check([](std::uint32_t seed) {
    const Sample sample(seed);
    for (const auto order : orders) {
      sample.expect_octets_of(sample.read(order));
      // As a reply's result.
      cdr::Decoder in(sample.octets[order == orders[1] ? 1 : 0], 0, format_in(order));
      CORBA::NamedValue result(CORBA::ARG_OUT);
      result.value().type(sample.type);
      Results::read(in, result);
      RC_ASSERT(in.ok());
      sample.expect_octets_of(result.value());
    }
  }));
}

TEST(DynamicOctets, OfDynAnysAreThoseOfTheirTypes) {
  EXPECT_TRUE(rc::check([](std::uint32_t seed) {
    const Sample sample(seed);
    const CORBA::Any any = sample.read(cdr::native_order);
    DynamicAny::DynAnyFactory factory(nullptr);
    sample.expect_octets_of(factory.create_dyn_any(any)->to_any());
    sample.expect_octets_of(test::rebuilt(any));
  }));
}

// Sends its one inout argument back, as result and as argument.
class Echo final : public virtual PortableServer::DynamicImplementation {
 public:
  explicit Echo(CORBA::typecode_reference type) : type_(std::move(type)) {}
  void invoke(CORBA::object_reference<CORBA::ServerRequest> request) override {
    const auto arguments = CORBA::make_reference<CORBA::NVList>();
    arguments->add(CORBA::ARG_INOUT)->value().type(type_);
    request->arguments(arguments);
    received = arguments->item(0)->value();
    request->set_result(received);
  }
  std::string _primary_interface(const PortableServer::ObjectId&,
                                 CORBA::object_reference<PortableServer::POA>) override {
    return "IDL:Echo:1.0";
  }
  CORBA::Any received;

 private:
  const CORBA::typecode_reference type_;
};

// The answer to a request with these arguments.
Octets answer_of(PortableServer::Servant& servant, const Octets& arguments, cdr::ByteOrder order) {
  GatherBuffer reply;
  const cdr::Format format = format_in(order);
  server::ServerCall call({.request_id = 7, .object_key = {}, .operation = "echo"}, arguments, 0, format,
                          reply);
  servant._dispatch(call);
  return octets_of(reply);
}

TEST(DynamicOctets, OfServantsAreThoseOfTheirTypes) {
  EXPECT_TRUE(rc::check([](std::uint32_t seed) {
    const Sample sample(seed);
    constexpr std::size_t head = 24;  // a reply's, without contexts
    const Octets expected = [&] {
      Octets whole = written(cdr::native_order, [&](cdr::Encoder& out) {
        for (std::size_t i = 0; i < head; ++i) out.put(std::uint8_t{0});
        for (int i = 0; i < 2; ++i) RandomValues(seed + 1).put(out, *sample.type);
      });
      return Octets(whole.begin() + head, whole.end());
    }();
    for (const auto order : orders) {
      const auto servant = CORBA::make_reference<Echo>(sample.type);
      const Octets reply = answer_of(*servant, sample.octets[order == orders[1] ? 1 : 0], order);
      sample.expect_octets_of(servant->received);
      RC_ASSERT(reply.size() >= head);
      RC_ASSERT(Octets(reply.begin() + head, reply.end()) == expected);
    }
  }));
}

// A servant gets all of its arguments, or its caller gets MARSHAL.
TEST(DynamicOctets, ThatAreCutShortAreRefusedByServants) {
  EXPECT_TRUE(rc::check([](std::uint32_t seed) {
    const Sample sample(seed);
    for (const auto order : orders) {
      const Octets& whole = sample.octets[order == orders[1] ? 1 : 0];
      for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto servant = CORBA::make_reference<Echo>(sample.type);
        const Octets reply = answer_of(
            *servant, Octets(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)), order);
        const std::string text(reply.begin(), reply.end());
        RC_ASSERT(text.find("IDL:omg.org/CORBA/MARSHAL:1.0") != std::string::npos);
        RC_ASSERT(servant->received.type()->kind() == CORBA::TCKind::tk_null);
      }
    }
  }));
}

TEST(DynamicOctets, ThatAreCutShortAreNoResults) {
  EXPECT_TRUE(rc::check([](std::uint32_t seed) {
    const Sample sample(seed);
    const Octets& whole = sample.octets[0];
    for (std::size_t size = 0; size < whole.size(); ++size) {
      cdr::Decoder in({whole.data(), size}, 0, format_in(orders[0]));
      CORBA::NamedValue result(CORBA::ARG_OUT);
      result.value().type(sample.type);
      Results::read(in, result);
      RC_ASSERT(!in.ok());
    }
  }));
}

// Hostile octets give a system exception or a value that can be sent on; a servant that
// serves the next request is not disturbed.
TEST(DynamicOctets, ThatAreHostileAreRefusedOrAreAValue) {
  EXPECT_TRUE(rc::check([](std::uint32_t seed) {
    const Sample sample(seed);
    std::mt19937 random(seed);
    const auto servant = CORBA::make_reference<Echo>(sample.type);
    for (int round = 0; round < 20; ++round) {
      Octets hostile = sample.octets[0];
      for (auto changes = 1 + random() % 3; changes > 0 && !hostile.empty(); --changes)
        hostile[random() % hostile.size()] =
            static_cast<std::uint8_t>(random() % 2 == 0 ? random() : (random() % 2 == 0 ? 0xff : 0));
      const Octets reply = answer_of(*servant, hostile, orders[0]);
      RC_ASSERT(reply.size() >= 24u);
      cdr::Decoder in(hostile, 0, format_in(orders[0]));
      CORBA::NamedValue result(CORBA::ARG_OUT);
      result.value().type(sample.type);
      Results::read(in, result);
    }
    const Octets again = answer_of(*servant, sample.octets[0], orders[0]);
    sample.expect_octets_of(servant->received);
    RC_ASSERT(again.size() >= 24u);
  }));
}

}  // namespace
}  // namespace takt::dynamic

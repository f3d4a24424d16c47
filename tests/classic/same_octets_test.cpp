// For every type: compiled and interpreted operations, the classic mapping, dynamic requests, DynAnys and
// JSON give the same octets, in both byte orders. The values are random.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstring>
#include <string>
#include <vector>

#include <takt/adapter/interpreted_skeleton.h>
#include <takt/corba.h>
#include <takt/invocation/interpreted_stub.h>

#include "../random_values.h"
#include "../rebuilt.h"
#include "broadC.h"
#include "classic/bridge/runtime.h"
#include "json/values.h"
#include "octets.h"

namespace takt::classic {
namespace {

using Octets = std::vector<std::uint8_t>;
constexpr cdr::ByteOrder orders[] = {cdr::ByteOrder::little, cdr::ByteOrder::big};

cdr::Format format_in(cdr::ByteOrder order) {
  cdr::Format format = cdr::any_format();
  format.order = order;
  return format;
}

template <class Write>
Octets written(cdr::ByteOrder order, Write write) {
  GatherBuffer buffer;
  cdr::Encoder out(buffer, format_in(order));
  out.set_borrowing(false);
  write(out);
  RC_ASSERT(out.ok());
  std::vector<ByteView> pieces;
  buffer.gather(pieces);
  Octets octets;
  for (const ByteView piece : pieces) octets.insert(octets.end(), piece.begin(), piece.end());
  return octets;
}

// The octets of a value that was read and written again.
template <class Pass>
Octets passed(const Octets& octets, cdr::ByteOrder order, Pass pass) {
  return written(order, [&](cdr::Encoder& out) {
    cdr::Decoder in(octets, 0, format_in(order));
    pass(in, out);
    RC_ASSERT(in.ok());
    RC_ASSERT(in.remaining() == 0u);
  });
}

template <class T>
void pass_compiled(cdr::Decoder& in, cdr::Encoder& out) {
  T value{};
  cdr::Codec<T>::read(in, value);
  cdr::Codec<T>::write(out, value);
}

// As the inout parameter of an interpreted operation.
template <class T>
void pass_interpreted(cdr::Decoder& in, cdr::Encoder& out) {
  using Parameter = InOut<T>;
  using Frame = CallFrame<void, typename Parameter::Pointer>;
  T value{};
  Frame frame{{{&value}}, nullptr};
  const cdr::InterpretedFrame values(
      cdr::InterpretedTypes<void, OperationKind::two_way, Parameter>::operation, &frame);
  values.read_sent(in);
  values.write_returned(out);
}

CORBA::Any any_from(const Octets& octets, cdr::ByteOrder order, const CORBA::typecode_reference& type) {
  cdr::Decoder in(octets, 0, format_in(order));
  CORBA::Any any;
  RC_ASSERT(cdr::read_any_value(in, type, any));
  return any;
}

Octets octets_of(const CORBA::Any& any, cdr::ByteOrder order) {
  return written(order, [&](cdr::Encoder& out) { cdr::write_any_value(out, any); });
}

CORBA::Any by_way_of_json(const CORBA::Any& any, const CORBA::typecode_reference& type) {
  json::Values to({}), from({});
  const auto text = to.json_of(any).dump();
  return from.any_of(json::Json::parse(text), type);
}

template <class T>
void check(const char* name, std::uint32_t seed) {
  const CORBA::typecode_reference type = IDL::type_code<T>();
  for (const auto order : orders) {
    const Octets octets =
        written(order, [&](cdr::Encoder& out) { test::RandomValues(seed).put(out, *type); });
    RC_ASSERT(passed(octets, order, pass_compiled<T>) == octets);
    RC_ASSERT(passed(octets, order, pass_interpreted<T>) == octets);
    RC_ASSERT(passed(octets, order, [&](cdr::Decoder& in, cdr::Encoder& out) {
                RC_ASSERT(pass_in_classic(name, reader(in), writer(out)));
              }) == octets);
    const CORBA::Any any = any_from(octets, order, type);
    RC_ASSERT(octets_of(any, order) == octets);
    RC_ASSERT(octets_of(test::rebuilt(any), order) == octets);
    RC_ASSERT(octets_of(by_way_of_json(any, type), order) == octets);
    T extracted{};
    const bool is_extracted = any >>= extracted;
    RC_ASSERT(is_extracted);
    CORBA::Any inserted;
    inserted <<= extracted;
    RC_ASSERT(octets_of(inserted, order) == octets);
  }
}

#define EXPECT_SAME_OCTETS(name) \
  EXPECT_TRUE(rc::check("Broad::" #name, [](std::uint32_t seed) { check<Broad::name>(#name, seed); }))

TEST(SameOctets, OfStructsInEveryWay) {
  EXPECT_SAME_OCTETS(Point);
  EXPECT_SAME_OCTETS(Record);
  EXPECT_SAME_OCTETS(Node);
}

TEST(SameOctets, OfUnionsInEveryWay) {
  EXPECT_SAME_OCTETS(Choice);
  EXPECT_SAME_OCTETS(Optional);
  EXPECT_SAME_OCTETS(Letters);
  EXPECT_SAME_OCTETS(Chosen);
}

TEST(SameOctets, OfAnysAndTypeCodesInEveryWay) { EXPECT_SAME_OCTETS(Labelled); }

// The mapping's sequences are std::vectors, whose TypeCodes do not tell the name of their typedef.
TEST(SameOctets, OfSequencesInEveryWay) {
  EXPECT_SAME_OCTETS(Longs);
  EXPECT_SAME_OCTETS(FewLongs);
  EXPECT_SAME_OCTETS(Strings);
  EXPECT_SAME_OCTETS(Points);
  EXPECT_SAME_OCTETS(Colours);
  EXPECT_SAME_OCTETS(Table);
  EXPECT_SAME_OCTETS(Anys);
  EXPECT_SAME_OCTETS(Records);
}

}  // namespace
}  // namespace takt::classic

// DynAnys of values and types that no IDL compiler makes.
#include <malloc.h>

#include "../../conformance/reactor/allocations.h"
#include "dyn_any.h"

namespace feature {
namespace {

using Octets = std::vector<std::uint8_t>;

CORBA::Any raw_any(const CORBA::typecode_reference& type, Octets octets) {
  auto content = std::make_shared<takt::cdr::AnyContent>();
  content->octets = std::move(octets);
  return CORBA::Any(type, std::move(content));
}

struct HostileDynAnys : DynAnys {
  // In this machine's byte order.
  static void add(Octets& octets, std::uint32_t number) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&number);
    octets.insert(octets.end(), bytes, bytes + sizeof number);
  }
};

constexpr int most_levels = 500;  // the limit of nested Anys in cdr::DecoderLimits

TEST_F(HostileDynAnys, AnysNestedToTheLimitCanBeOpenedComparedAndChanged) {
  const auto nested = [](std::int32_t innermost) {
    CORBA::Any any = any_of(innermost);
    for (int i = 0; i < most_levels; ++i) any = any_of(any);
    return any;
  };
  EXPECT_THROW(any_of(nested(7)), CORBA::MARSHAL);
  const DynAnyRef outer = factory->create_dyn_any(nested(7));
  EXPECT_TRUE(outer->equal(outer->copy()));
  EXPECT_FALSE(outer->equal(factory->create_dyn_any(nested(8))));
  DynAnyRef inner = outer;
  for (int i = 0; i < most_levels; ++i) inner = inner->get_dyn_any();
  EXPECT_EQ(inner->get_long(), 7);
  outer->insert_any(any_of(std::int32_t{9}));
  EXPECT_EQ(value_in<std::int32_t>(outer->get_any()), 9);
}

TEST_F(HostileDynAnys, SequencesOfThemselvesNestedAThousandLevelsDeepAreTakenApart) {
  const auto list =
      orb->create_struct_tc("IDL:Deep:1.0", "Deep",
                            {{"rest", orb->create_sequence_tc(0, orb->create_recursive_tc("IDL:Deep:1.0"))}});
  Octets octets;
  for (int i = 0; i < 1000; ++i) add(octets, 1);
  add(octets, 0);
  const DynAnyRef outer = factory->create_dyn_any(raw_any(list, octets));
  DynAnyRef part = outer;
  int levels = 0;
  try {
    for (; part && part->component_count() == 1; part = part->current_component()->current_component())
      ++levels;
    EXPECT_TRUE(outer->equal(outer->copy()));
    EXPECT_EQ(levels, 1000);
  } catch (const CORBA::SystemException&) {  // too deep to be decoded
  } catch (const DynAny::InvalidValue&) {
  }
  EXPECT_TRUE(outer->type()->equal(list));
}

TEST_F(HostileDynAnys, EnumeratorsThatThereAreNotAreNumbersWithoutNames) {
  const auto colors = orb->create_enum_tc("IDL:Color:1.0", "Color", {"red", "green"});
  Octets octets;
  add(octets, 99);
  try {
    const auto value = as<DynEnum>(factory->create_dyn_any(raw_any(colors, octets)));
    EXPECT_EQ(value->get_as_ulong(), 99u);
    EXPECT_THROW(value->get_as_string(), DynAny::InvalidValue);
    value->set_as_string("green");
    EXPECT_EQ(value->get_as_ulong(), 1u);
  } catch (const CORBA::SystemException&) {
    FAIL() << "an enumerator that is none cannot be corrected";
  }
}

TEST_F(HostileDynAnys, AUnionWhoseLabelIsNoEnumeratorIsInvalidUntilItIsGivenAnother) {
  const auto colors = orb->create_enum_tc("IDL:Color:1.0", "Color", {"red", "green"});
  const auto label = [&](std::uint32_t ordinal) {
    Octets octets;
    add(octets, ordinal);
    return raw_any(colors, octets);
  };
  const auto type = orb->create_union_tc(
      "IDL:U:1.0", "U", colors,
      {{"a", label(0), basic(TCKind::tk_long)}, {"b", label(1), basic(TCKind::tk_string)}});
  Octets octets;
  add(octets, 99);
  const auto value = as<DynUnion>(factory->create_dyn_any(raw_any(type, octets)));
  EXPECT_THROW(value->has_no_active_member(), DynAny::InvalidValue);
  EXPECT_THROW(value->member(), DynAny::InvalidValue);
  EXPECT_THROW(value->component_count(), DynAny::InvalidValue);
  value->assign(factory->create_dyn_any_from_type_code(type));
  EXPECT_EQ(value->member_name(), "a");
  EXPECT_THROW(value->set_to_default_member(), DynAny::TypeMismatch);
  EXPECT_THROW(value->set_to_no_active_member(), DynAny::TypeMismatch);  // both values have members
  as<DynEnum>(value->get_discriminator())->set_as_string("green");
  EXPECT_EQ(value->member_name(), "b");
}

TEST_F(HostileDynAnys, TypesThatHoldThemselvesAtOnceAreRefusedOrLimited) {
  EXPECT_THROW(
      orb->create_alias_tc("IDL:A:1.0", "A", orb->create_recursive_tc("IDL:A:1.0"))->content_type()->kind(),
      CORBA::BAD_TYPECODE);
  const auto endless =
      orb->create_struct_tc("IDL:S:1.0", "S", {{"s", orb->create_recursive_tc("IDL:S:1.0")}});
  EXPECT_THROW(factory->create_dyn_any_from_type_code(endless), CORBA::SystemException);
  const auto incomplete = orb->create_sequence_tc(0, orb->create_recursive_tc("IDL:Nobody:1.0"));
  EXPECT_THROW(factory->create_dyn_any_from_type_code(incomplete)->to_any().type()->content_type()->kind(),
               CORBA::BAD_TYPECODE);
}

TEST_F(HostileDynAnys, ArraysOfManyElementsOfNothingAreLimited) {
  const auto nothing = orb->create_struct_tc("IDL:Nothing:1.0", "Nothing", {});
  const auto many = orb->create_array_tc(0xffffffff, nothing);
  EXPECT_THROW(factory->create_dyn_any_from_type_code(many), CORBA::IMP_LIMIT);
  const DynAnyRef value = factory->create_dyn_any(raw_any(many, {}));
  EXPECT_EQ(value->component_count(), 0xffffffffu);
  EXPECT_THROW(value->current_component(), CORBA::IMP_LIMIT);
  EXPECT_THROW(value->equal(value->copy()), CORBA::IMP_LIMIT);
  EXPECT_THROW(factory->create_dyn_any_from_type_code(
                   orb->create_array_tc(2000, orb->create_array_tc(2000, basic(TCKind::tk_octet)))),
               CORBA::IMP_LIMIT);
}

// The octets of this program's heap that are in use; 0 where a sanitizer has its own.
std::size_t heap_octets() {
  const auto heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

TEST_F(HostileDynAnys, ManyPartsOfATypeWithManyMembersShareTheListOfThem) {
  std::vector<CORBA::StructMember> of_struct;
  std::vector<CORBA::ValueMember> of_value;
  for (int i = 0; i < 2000; ++i) {
    const std::string name = "m" + std::to_string(i);
    of_struct.push_back({name, basic(TCKind::tk_octet)});
    of_value.push_back({name, basic(TCKind::tk_octet), CORBA::PUBLIC_MEMBER});
  }
  constexpr std::uint32_t count = 2000;
  Octets nulls;
  add(nulls, count);
  for (std::uint32_t i = 0; i < count; ++i) add(nulls, 0);
  Octets structs;
  add(structs, 10);
  structs.resize(4 + 10 * 2000);
  const struct {
    CORBA::typecode_reference type;
    Octets octets;
    std::uint32_t count;
  } sequences[] = {
      {orb->create_value_tc("IDL:V:1.0", "V", CORBA::VM_NONE, {}, of_value), nulls, count},
      {orb->create_struct_tc("IDL:S:1.0", "S", of_struct), structs, 10},
  };
  for (const auto& [type, octets, elements] : sequences) {
    const auto value =
        as<DynSequence>(factory->create_dyn_any(raw_any(orb->create_sequence_tc(0, type), octets)));
    const std::size_t before = heap_octets();
    EXPECT_EQ(value->component_count(), elements);
    EXPECT_TRUE(value->current_component());
    EXPECT_LT(heap_octets() - before, std::size_t{16} << 20);
    const auto last = as<DynMembers>(value->get_elements_as_dyn_any().back());
    if (const auto null = IDL::traits<DynValue>::narrow(last)) null->set_to_value();
    EXPECT_TRUE(last->seek(1999));
    EXPECT_EQ(last->current_member_name(), "m1999");
  }
}

TEST_F(HostileDynAnys, AComponentIsAnObject) {
  Octets nil;
  add(nil, 1);
  add(nil, 0);
  add(nil, 0);
  CORBA::object_reference<CORBA::Object> object;
  EXPECT_TRUE(raw_any(orb->create_component_tc("IDL:C:1.0", "C"), nil) >>= object);
  EXPECT_TRUE(raw_any(orb->create_home_tc("IDL:H:1.0", "H"), nil) >>= object);
}

TEST_F(HostileDynAnys, TheLengthOfALongSequenceTakesNoMemory) {
  constexpr std::uint32_t count = 2'000'000;
  Octets octets;
  add(octets, count);
  octets.resize(4 + count);
  const auto image = as<DynSequence>(
      factory->create_dyn_any(raw_any(orb->create_sequence_tc(0, basic(TCKind::tk_octet)), octets)));
  const std::size_t before = heap_octets();
  EXPECT_EQ(image->get_length(), count);
  EXPECT_EQ(image->component_count(), count);
  EXPECT_TRUE(image->seek(count - 1));
  EXPECT_FALSE(image->seek(count));
  EXPECT_LT(heap_octets() - before, std::size_t{1} << 20);
  EXPECT_THROW(as<DynSequence>(factory->create_dyn_any(raw_any(image->type(), {})))->get_length(),
               DynAny::InvalidValue);
}

// The initial label of a union whose first member is the default's is one that no other member has.
TEST_F(HostileDynAnys, InitialValuesOfManyUnionsLookForOneFreeLabel) {
  const auto union_of = [&](bool default_first) {
    CORBA::UnionMemberSeq members;
    for (std::int32_t i = 0; i < 500; ++i)
      members.push_back({"m" + std::to_string(i), any_of(i), basic(TCKind::tk_octet)});
    members.insert(default_first ? members.begin() : members.end(),
                   {"d", any_of(std::uint8_t{0}), basic(TCKind::tk_octet)});
    return orb->create_union_tc("IDL:U:1.0", "U", basic(TCKind::tk_long), members);
  };
  constexpr std::uint32_t count = 200;
  const auto allocations_for = [&](const CORBA::typecode_reference& type) {
    const auto list =
        as<DynSequence>(factory->create_dyn_any_from_type_code(orb->create_sequence_tc(0, type)));
    const auto array_type = orb->create_array_tc(count, type);
    const std::size_t before = takt::allocations();
    factory->create_dyn_any_from_type_code(array_type);
    list->set_length(count);
    return takt::allocations() - before;
  };
  const auto sought = union_of(true);
  const auto made = as<DynUnion>(factory->create_dyn_any_from_type_code(sought));
  EXPECT_EQ(made->get_discriminator()->get_long(), 500);
  EXPECT_LT(allocations_for(sought), allocations_for(union_of(false)) + count / 2);
}

TEST_F(HostileDynAnys, ValuesTakenFromARecursiveOneOutliveIt) {
  const auto kept = [&](auto take) {
    const auto node = orb->create_struct_tc(
        "IDL:Node:1.0", "Node",
        {{"name", basic(TCKind::tk_string)},
         {"children",
          orb->create_alias_tc("IDL:Nodes:1.0", "Nodes",
                               orb->create_sequence_tc(0, orb->create_recursive_tc("IDL:Node:1.0")))}});
    const auto message = octets_of(factory->create_dyn_any_from_type_code(node)->to_any());
    takt::cdr::Decoder in(message, 0, takt::cdr::any_format());
    CORBA::Any received;
    EXPECT_TRUE(takt::cdr::read(in, received));
    const auto whole = as<DynStruct>(factory->create_dyn_any(received));
    whole->seek(1);
    as<DynSequence>(whole->current_component())->set_length(2);
    return take(whole);
  };
  const auto expect_whole = [&](const CORBA::Any& any) {
    EXPECT_FALSE(octets_of(any).empty());
    const auto value = as<DynSequence>(factory->create_dyn_any(any));
    EXPECT_EQ(value->get_length(), 2u);
    EXPECT_EQ(as<DynStruct>(value->current_component())->current_member_name(), "name");
  };
  expect_whole(kept([](const auto& whole) { return whole->get_members()[1].value(); }));
  expect_whole(kept([](const auto& whole) { return whole->current_component()->to_any(); }));
  const auto copy = kept([](const auto& whole) { return whole->current_component()->copy(); });
  expect_whole(copy->to_any());
  expect_whole(kept([](const auto& whole) {
    const CORBA::Any same = whole->to_any();
    whole->from_any(same);  // closed, and opened again
    return whole->get_members()[1].value();
  }));
}

TEST_F(HostileDynAnys, FixedValuesOfNoDigitsAreInvalid) {
  const auto type = orb->create_fixed_tc(3, 1);
  for (const Octets& octets :
       {Octets{}, Octets{0x12}, Octets{0x12, 0x3c, 0}, Octets{0xff, 0xff}, Octets{0x12, 0x31}}) {
    const auto value = as<DynFixed>(factory->create_dyn_any(raw_any(type, octets)));
    EXPECT_THROW(value->get_value(), DynAny::InvalidValue) << octets.size();
    EXPECT_TRUE(value->set_value("1.5"));
    EXPECT_EQ(value->get_value(), "1.5");
  }
  const auto even = as<DynFixed>(factory->create_dyn_any(raw_any(orb->create_fixed_tc(2, 0), {0x91, 0x2c})));
  EXPECT_THROW(even->get_value(), DynAny::InvalidValue) << "three digits";
  EXPECT_THROW(orb->create_fixed_tc(2, 5), CORBA::BAD_PARAM);
  EXPECT_THROW(orb->create_fixed_tc(0, 0), CORBA::BAD_PARAM);
}

TEST_F(HostileDynAnys, ValuesShorterThanTheirTypeAreInvalid) {
  const auto pair = orb->create_struct_tc("IDL:P:1.0", "P",
                                          {{"a", basic(TCKind::tk_long)}, {"b", basic(TCKind::tk_string)}});
  for (std::size_t size : {0u, 3u, 4u, 8u, 11u}) {
    Octets octets(size, 9);
    const auto value = as<DynStruct>(factory->create_dyn_any(raw_any(pair, octets)));
    EXPECT_THROW(value->component_count(), DynAny::InvalidValue) << size;
    EXPECT_THROW(value->get_long(), DynAny::InvalidValue) << size;
    value->set_members({{"a", any_of(std::int32_t{1})}, {"", any_of(std::string("x"))}});
    EXPECT_EQ(value->get_long(), 1);
  }
  const DynAnyRef number = factory->create_dyn_any(raw_any(basic(TCKind::tk_long), {1}));
  EXPECT_THROW(number->get_long(), DynAny::InvalidValue);
}

}  // namespace
}  // namespace feature

// A client of the IDL to C++11 mapping for a Basics of any. Prints its failed checks and ends the server.
#include <cstdio>
#include <fstream>
#include <iterator>

#include "cpp11_servants.h"

namespace {

int made = 0, failed = 0;
void check(bool holds, const char* what) {
  ++made;
  if (holds) return;
  ++failed;
  std::printf("FAIL %s\n", what);
}
#define CHECK(CONDITION) check((CONDITION), #CONDITION)

// Calls a pass_ operation, which returns a, moves b to c, and a to b.
template <class T, class Call>
void pass(const char* what, const T& a, const T& b, Call call) {
  T inout = b, out{};
  const T result = call(a, inout, out);
  check(result == a && inout == a && out == b, what);
}
#define PASS(OPERATION, TYPE, ...)    \
  pass<TYPE>(#OPERATION, __VA_ARGS__, \
             [&](const TYPE& a, TYPE& b, TYPE& c) { return basics->OPERATION(a, b, c); })

Broad::Record record(const std::string& name, std::int32_t number) {
  Broad::Record made_record;
  made_record.name(name);
  made_record.shade_of(Broad::Colour::blue);
  made_record.numbers({number, 2, 3});
  made_record.remarks({name, ""});
  made_record.aliases({name, "alias"});
  made_record.wide(L"w\u00e9de");
  made_record.flag(true);
  return made_record;
}

void pass_all(const CORBA::object_reference<Broad::Basics>& basics) {
  PASS(pass_flags, bool, true, false);
  PASS(pass_letters, char, 'a', 'b');
  PASS(pass_wide_letters, wchar_t, L'\u00e9', L'b');
  PASS(pass_shorts, std::int16_t, -5, 6);
  PASS(pass_ushorts, std::uint16_t, 65535, 6);
  PASS(pass_longs, std::int32_t, -5, 6);
  PASS(pass_ulongs, std::uint32_t, 4000000000, 6);
  PASS(pass_longlongs, std::int64_t, -5, 6);
  PASS(pass_ulonglongs, std::uint64_t, Broad::large, 6);
  PASS(pass_floats, float, 0.5f, 6);
  PASS(pass_doubles, double, 0.1, 6);
  PASS(pass_colours, Broad::Colour, Broad::Colour::green, Broad::Colour::blue);
  PASS(pass_strings, std::string, "a", "");
  PASS(pass_wstrings, std::wstring, L"w\u00e9de", L"");
  PASS(pass_words, Broad::Word, "five5", "");
  PASS(pass_records, Broad::Record, record("one", 1), record("two", 2));
  PASS(pass_sequences, Broad::Longs, {1, 2, 3}, {});
  PASS(pass_octets, Broad::Octets, Broad::Octets(20000, 7), {});
  PASS(pass_texts, Broad::Strings, {"a", "", "c"}, {"x"});
  PASS(pass_few, Broad::FewLongs, {1, 2, 3}, {});
  PASS(pass_many, Broad::Records, {record("first", 1), record("second", 2)}, {});
  PASS(pass_names, Broad::Names, {"x", "y"}, {"z", ""});
  Broad::Matrix matrix{};
  matrix[1][2] = 12;
  PASS(pass_matrices, Broad::Matrix, matrix, Broad::Matrix{});
  Broad::Choice number, text;
  number.number(5);
  text.text("chosen");
  PASS(pass_choices, Broad::Choice, number, text);
  Broad::Chosen letter, grid;
  letter.letter('q');
  grid.grid(matrix);
  PASS(pass_chosen, Broad::Chosen, letter, grid);
  CORBA::Any any, other, inner;
  any <<= record("in any", 5);
  inner <<= letter;
  other <<= inner;
  PASS(pass_any, CORBA::Any, any, other);
  PASS(pass_any, CORBA::Any, other, CORBA::Any());
  PASS(pass_anys, Broad::Anys, {any, other, inner}, {});
  PASS(pass_types, CORBA::typecode_reference, Broad::_tc_Node, Broad::_tc_Chosen);
  PASS(pass_labelled, Broad::Labelled, {"one", any, {other}, Broad::_tc_Record},
       {"two", other, {}, Broad::_tc_Names});
}

void catch_all(const CORBA::object_reference<Broad::Basics>& basics) {
  try {
    basics->refuse("because");
    CHECK(!"refuse() returned");
  } catch (const Broad::Refused& refused) {
    CHECK(refused.why() == "because" && refused.code() == 17 && refused.numbers().size() == 2);
  }
  try {
    basics->fail(0);
    CHECK(!"fail() returned");
  } catch (const CORBA::NO_PERMISSION& exception) {
    CHECK(exception.minor() == 99 && exception.completed() == CORBA::COMPLETED_YES);
  }
  for (const std::int32_t kind : {1, 2}) {
    try {
      basics->fail(kind);
      CHECK(!"fail() returned");
    } catch (const CORBA::UNKNOWN& exception) {
      CHECK(exception.completed() == CORBA::COMPLETED_MAYBE);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto orb = CORBA::ORB_init(argc, argv);
  std::ifstream file(argv[1]);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto basics = IDL::traits<Broad::Basics>::narrow(orb->string_to_object(text));
  CHECK(basics && basics->cube_octet(5) == 125 && basics->name() == "basics" && basics->twice(4) == 8);
  if (!basics) return 1;
  pass_all(basics);
  catch_all(basics);
  CHECK(basics->pass_objects(basics)->_is_equivalent(basics));
  basics->label("text");
  CHECK(basics->label() == "text");
  const auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  poa->the_POAManager()->activate();
  const auto listener = CORBA::make_reference<Listener11>();
  CHECK(basics->call_back(listener->_this(), 41) == 42);
  basics->shutdown();
  orb->destroy();
  std::printf("%d checks, %d failed\n", made, failed);
  return failed ? 1 : 0;
}

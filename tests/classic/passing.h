// Every type of broad.idl in each direction.
#pragma once

#include "checks.h"

template <class T, class Call>
void pass_basic(Checks& checks, const char* what, T a, T b, Call call) {
  const T before = b;
  T c = T();
  const T result = call(a, b, c);
  checks.that(result == a && b == a && c == before, what);
}

template <class T, class Var, class Call>
void pass_value(Checks& checks, const char* what, const T& a, const T& b, Call call) {
  T inout(b);
  Var out;
  Var result = call(a, inout, out);
  checks.that(same(result.in(), a) && same(inout, a) && same(out.in(), b), what);
}

inline void pass_numbers(Checks& checks, Broad::Basics_ptr basics) {
#define BASIC(OPERATION, TYPE, A, B)         \
  pass_basic<TYPE>(checks, #OPERATION, A, B, \
                   [&](TYPE a, TYPE& b, TYPE& c) { return basics->OPERATION(a, b, c); })
  BASIC(pass_flags, CORBA::Boolean, true, false);
  BASIC(pass_letters, CORBA::Char, 'a', 'z');
  BASIC(pass_wide_letters, CORBA::WChar, L'\u00e9', L'b');
  BASIC(pass_shorts, CORBA::Short, -32768, 32767);
  BASIC(pass_ushorts, CORBA::UShort, 65535, 1);
  BASIC(pass_longs, CORBA::Long, -2000000000, 7);
  BASIC(pass_ulongs, CORBA::ULong, 4000000000u, 1);
  BASIC(pass_longlongs, CORBA::LongLong, -5000000000000, 2);
  BASIC(pass_ulonglongs, CORBA::ULongLong, Broad::large, 3);
  BASIC(pass_floats, CORBA::Float, 1.5f, -0.25f);
  BASIC(pass_doubles, CORBA::Double, 1e300, -2.5);
  BASIC(pass_colours, Broad::Colour, Broad::blue, Broad::green);
#undef BASIC
}

inline void pass_texts(Checks& checks, Broad::Basics_ptr basics) {
  CORBA::String_var b = CORBA::string_dup("before"), c;
  CORBA::String_var result = basics->pass_strings("a text", b.inout(), c.out());
  CHECK(same(result, "a text") && same(b, "a text") && same(c, "before"));
  result = basics->pass_strings("", b, c);  // by conversions, which free what was there
  CHECK(same(result, "") && same(b, "") && same(c, "a text"));
  CORBA::WString_var wide_b = CORBA::wstring_dup(L"vorher"), wide_c;
  CORBA::WString_var wide = basics->pass_wstrings(L"w\u00e9de", wide_b.inout(), wide_c.out());
  CHECK(std::wcscmp(wide.in(), L"w\u00e9de") == 0 && std::wcscmp(wide_b.in(), L"w\u00e9de") == 0);
  CHECK(std::wcscmp(wide_c.in(), L"vorher") == 0);
  b = static_cast<const char*>("five5");
  result = basics->pass_words("abc", b.inout(), c.out());
  CHECK(same(result, "abc") && same(b, "abc") && same(c, "five5"));
}

inline void pass_structures(Checks& checks, Broad::Basics_ptr basics) {
#define VALUE(OPERATION, TYPE, A, B)                                                                  \
  pass_value<TYPE, TYPE##_var>(checks, #OPERATION, A, B, [&](const TYPE& a, TYPE& b, TYPE##_var& c) { \
    return basics->OPERATION(a, b, c.out());                                                          \
  })
  Broad::Longs few, more(4);
  more.length(4);
  for (CORBA::ULong i = 0; i < 4; ++i) more[i] = 100 - static_cast<CORBA::Long>(i);
  VALUE(pass_sequences, Broad::Longs, more, few);
  Broad::Octets octets, none;
  octets.length(20000);
  for (CORBA::ULong i = 0; i < octets.length(); ++i) octets[i] = static_cast<CORBA::Octet>(i);
  VALUE(pass_octets, Broad::Octets, octets, none);
  Broad::Strings texts, other_texts;
  texts.length(3);
  texts[0] = static_cast<const char*>("one");
  texts[2] = CORBA::string_dup("three");
  other_texts.length(1);
  other_texts[0] = static_cast<const char*>("other");
  VALUE(pass_texts, Broad::Strings, texts, other_texts);
  Broad::FewLongs bounded, empty;
  bounded.length(3);
  for (CORBA::ULong i = 0; i < 3; ++i) bounded[i] = 7;
  VALUE(pass_few, Broad::FewLongs, bounded, empty);
  VALUE(pass_records, Broad::Record, record("a", 1), record("b", 2));
  Broad::Records records, other_records;
  records.length(2);
  records[0] = record("first", 3);
  records[1] = record("second", 4);
  VALUE(pass_many, Broad::Records, records, other_records);
  Broad::Point a = {1, 2.5}, b = {3, 4.5}, c;
  const Broad::Point result = basics->pass_points(a, b, c);
  CHECK(same(result, a) && same(b, a) && c.x == 3 && c.y == 4.5);
  Broad::Node tree;
  tree.value = 1;
  tree.children.length(2);
  tree.children[0].value = 2;
  tree.children[1].value = 3;
  tree.children[1].children.length(1);
  tree.children[1].children[0].value = 4;
  Broad::Node_var grown = basics->pass_trees(tree);
  CHECK(grown->value == 1 && grown->children.length() == 2 && grown->children[0].children.length() == 0);
  CHECK(grown->children[1].children[0].value == 4);
}

inline void pass_unions(Checks& checks, Broad::Basics_ptr basics) {
  Broad::Choice number, text, entry;
  number.number(5);
  text.text(CORBA::string_dup("chosen"));
  entry.entry(record("entry", 9));
  VALUE(pass_choices, Broad::Choice, number, text);
  VALUE(pass_choices, Broad::Choice, entry, number);
  Broad::Chosen numbers, grid, letter;
  Broad::Longs longs;
  longs.length(1);
  longs[0] = 77;
  numbers.numbers(longs);
  numbers._d(2);  // another label of that member
  grid.grid(record("", 2).grid);
  letter.letter('q');
  letter._d(1000);
  VALUE(pass_chosen, Broad::Chosen, numbers, grid);
  VALUE(pass_chosen, Broad::Chosen, letter, numbers);
#undef VALUE
  Broad::Optional with, without, out;
  const Broad::Point point = {8, 9};
  with.at(point);
  without._default();
  const Broad::Optional result = basics->pass_optionals(with, without, out);
  CHECK(result._d() && same(result.at(), point) && without._d() && !out._d());
}

inline void pass_arrays(Checks& checks, Broad::Basics_ptr basics) {
  Broad::Matrix a, b, before, c;
  for (int i = 0; i < 6; ++i) {
    a[i / 3][i % 3] = i;
    b[i / 3][i % 3] = before[i / 3][i % 3] = 10 * i;
  }
  Broad::Matrix_var result = basics->pass_matrices(a, b, c);
  CHECK(same_matrix(result.in(), a) && same_matrix(b, a) && same_matrix(c, before));
  Broad::Names names, others;
  names[0] = static_cast<const char*>("x");
  names[1] = static_cast<const char*>("y");
  others[0] = static_cast<const char*>("z");
  Broad::Names_var out;
  Broad::Names_var returned = basics->pass_names(names, others, out.out());
  CHECK(same(returned[1].in(), "y") && same(others[0].in(), "x") && same(out[0].in(), "z"));
  CHECK(same(out[1].in(), ""));
}

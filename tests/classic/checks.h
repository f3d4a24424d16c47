// Checks of values of broad.idl.
#pragma once

#include <cstdio>
#include <cstring>

#include "counting.h"
#include "orb.h"

inline bool same(const char* a, const char* b) { return std::strcmp(a, b) == 0; }
inline bool same(const Broad::Point& a, const Broad::Point& b) { return a.x == b.x && a.y == b.y; }
inline bool same(CORBA::Long a, CORBA::Long b) { return a == b; }
inline bool same(CORBA::Octet a, CORBA::Octet b) { return a == b; }
template <class Sequence>
bool same_elements(const Sequence& a, const Sequence& b);
inline bool same(const Broad::Longs& a, const Broad::Longs& b) { return same_elements(a, b); }
inline bool same(const Broad::Octets& a, const Broad::Octets& b) { return same_elements(a, b); }
inline bool same(const Broad::FewLongs& a, const Broad::FewLongs& b) { return same_elements(a, b); }
inline bool same(const Broad::Strings& a, const Broad::Strings& b) { return same_elements(a, b); }
inline bool same_matrix(const Broad::Matrix_slice* a, const Broad::Matrix_slice* b) {
  return std::memcmp(a, b, sizeof(Broad::Matrix)) == 0;
}
inline bool same(const Broad::Record& a, const Broad::Record& b) {
  if (a.remarks.length() != b.remarks.length()) return false;
  for (CORBA::ULong i = 0; i < a.remarks.length(); ++i)
    if (!same(static_cast<const char*>(a.remarks[i]), static_cast<const char*>(b.remarks[i]))) return false;
  return same(a.name.in(), b.name.in()) && a.shade_of == b.shade_of && same(a.place, b.place) &&
         same(a.numbers, b.numbers) && same_matrix(a.grid, b.grid) &&
         same(a.aliases[0].in(), b.aliases[0].in()) && same(a.aliases[1].in(), b.aliases[1].in()) &&
         a.pair[0] == b.pair[0] && a.pair[1] == b.pair[1] && same(a.short_name.in(), b.short_name.in()) &&
         std::wcscmp(a.wide.in(), b.wide.in()) == 0 && a.flag == b.flag && a.letter == b.letter;
}
inline bool same(const Broad::Records& a, const Broad::Records& b) { return same_elements(a, b); }
inline bool same(const Broad::Choice& a, const Broad::Choice& b) {
  if (a._d() != b._d()) return false;
  switch (a._d()) {
    case Broad::red:
      return a.number() == b.number();
    case Broad::green:
      return same(a.text(), b.text());
    default:
      return same(a.entry(), b.entry());
  }
}
inline bool same(const Broad::Optional& a, const Broad::Optional& b) {
  return a._d() == b._d() && (!a._d() || same(a.at(), b.at()));
}
inline bool same(const Broad::Chosen& a, const Broad::Chosen& b) {
  if (a._d() != b._d()) return false;
  if (a._d() == 1 || a._d() == 2) return same(a.numbers(), b.numbers());
  return a._d() == -3 ? same_matrix(a.grid(), b.grid()) : a.letter() == b.letter();
}
template <class Sequence>
bool same_elements(const Sequence& a, const Sequence& b) {
  if (a.length() != b.length()) return false;
  for (CORBA::ULong i = 0; i < a.length(); ++i)
    if (!same(a[i], b[i])) return false;
  return true;
}

inline Broad::Record record(const char* name, CORBA::Long number) {
  Broad::Record made;
  made.name = name;
  made.shade_of = Broad::blue;
  made.place.x = number;
  made.place.y = 0.25;
  made.numbers.length(3);
  for (CORBA::ULong i = 0; i < 3; ++i) made.numbers[i] = number + static_cast<CORBA::Long>(i);
  made.remarks.length(2);
  made.remarks[0] = static_cast<const char*>("first");
  made.remarks[1] = name;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) made.grid[i][j] = number * 10 * i + j;
  made.aliases[0] = static_cast<const char*>("one");
  made.aliases[1] = CORBA::string_dup("two");
  made.pair[0] = 5;
  made.pair[1] = -6;
  made.short_name = static_cast<const char*>("abcde");
  made.wide = CORBA::wstring_dup(L"w\u00e9de");
  made.flag = true;
  made.letter = 'x';
  return made;
}

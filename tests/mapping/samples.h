// Sample values for the types of types.idl.
#pragma once

#include "typesC.h"

namespace mapping_test {

inline Types::Primitives primitives() {
  return {
      true, 200,   'x',    L'\u20ac', -2,  65535,  -70000, 4000000000u, -5000000000, 18446744073709551615u,
      1.5f, -2.25, 3.125L, -128,      255, -32768, 1};
}

inline Types::Tree tree() { return {"root", {{"left", {{"leaf", {}}}}, {"right", {}}}}; }

inline Types::Everything everything() {
  Types::Everything all;
  all.s("text");
  all.ws(L"caf\u00e9 \U0001F600");
  all.bytes({1, 2, 3});
  all.shapes({{{1, 2}, {3, 4}}, {}, {{5, 6}}});
  all.bits({true, false, true});
  all.some({7, 8});
  all.short_text("abcde");
  all.short_wide(L"abc");
  all.line({1, 2, 3});
  all.grid({{{1, 2, 3}, {4, 5, 6}}});
  all.tints({Types::Colour::blue, Types::Colour::green});
  all.each(Types::Price("-123.45"));
  all.years({{"Ann", 30}, {"Bob", -1}});
  all.paths({{1, {{0, 0}}}, {2, {}}});
  all.tint(Types::Colour::green);
  all.bricks({{1, 'a', 2, 3, 4.5}, {-1, 'b', -2, 255, -4.5}, {0, 'c', 0, 0, 0}});
  all.basics(primitives());
  return all;
}

}  // namespace mapping_test

// The operations of the interfaces with 1, 10, 100 and 1,000 operations; X(number) is expanded for each.
#pragma once

#include <cstddef>
#include <stdexcept>

// clang-format off
#define DEMUX_TEN(X, tens) \
  X(tens##0) X(tens##1) X(tens##2) X(tens##3) X(tens##4) X(tens##5) X(tens##6) X(tens##7) X(tens##8) X(tens##9)
#define DEMUX_OPERATIONS_1(X) X(00)
#define DEMUX_OPERATIONS_10(X) DEMUX_TEN(X, 0)
#define DEMUX_OPERATIONS_100(X) \
  DEMUX_TEN(X, 0) DEMUX_TEN(X, 1) DEMUX_TEN(X, 2) DEMUX_TEN(X, 3) DEMUX_TEN(X, 4) \
  DEMUX_TEN(X, 5) DEMUX_TEN(X, 6) DEMUX_TEN(X, 7) DEMUX_TEN(X, 8) DEMUX_TEN(X, 9)
#define DEMUX_HUNDRED(X, hundreds) \
  DEMUX_TEN(X, hundreds##0) DEMUX_TEN(X, hundreds##1) DEMUX_TEN(X, hundreds##2) DEMUX_TEN(X, hundreds##3) \
  DEMUX_TEN(X, hundreds##4) DEMUX_TEN(X, hundreds##5) DEMUX_TEN(X, hundreds##6) DEMUX_TEN(X, hundreds##7) \
  DEMUX_TEN(X, hundreds##8) DEMUX_TEN(X, hundreds##9)
#define DEMUX_OPERATIONS_1000(X) \
  DEMUX_OPERATIONS_100(X) DEMUX_HUNDRED(X, 1) DEMUX_HUNDRED(X, 2) DEMUX_HUNDRED(X, 3) DEMUX_HUNDRED(X, 4) \
  DEMUX_HUNDRED(X, 5) DEMUX_HUNDRED(X, 6) DEMUX_HUNDRED(X, 7) DEMUX_HUNDRED(X, 8) DEMUX_HUNDRED(X, 9)
// clang-format on

namespace bench {

// Runs body.template operator()<N>() with N = 1, 10 or 100.
template <class Body>
void with_operations(std::size_t count, Body body) {
  if (count == 1)
    body.template operator()<1>();
  else if (count == 10)
    body.template operator()<10>();
  else if (count == 100)
    body.template operator()<100>();
  else
    throw std::runtime_error("there are interfaces of 1, 10 and 100 operations");
}

}  // namespace bench

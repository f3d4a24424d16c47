// Helpers for the tests of dynamic requests.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include <takt/dynamic/request.h>

#include "orbs.h"

namespace feature {

using RequestRef = IDL::traits<CORBA::Request>::ref_type;
using ObjectRef = IDL::traits<CORBA::Object>::ref_type;

template <class T>
CORBA::typecode_reference type_of() {
  return IDL::type_code<T>();
}

// echo.cube(x).
inline RequestRef cube_request(const ObjectRef& echo, std::uint8_t x) {
  auto request = echo->_request("cube");
  request->add_in_arg() <<= x;
  request->set_return_type(type_of<std::uint8_t>());
  return request;
}
inline std::uint8_t octet_result(const RequestRef& request) {
  std::uint8_t result = 0;
  EXPECT_TRUE(request->return_value() >>= result);
  return result;
}

template <class Call>
std::int64_t order_minor_of(Call call) {
  try {
    call();
  } catch (const CORBA::BAD_INV_ORDER& refused) {
    return refused.minor() & 0xfff;
  }
  return -1;
}

}  // namespace feature

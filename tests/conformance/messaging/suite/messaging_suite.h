// The contract of messaging protocols as tests, which run over any protocol. A program links the suite's
// files and defines tested_protocols(); find_package(Takt COMPONENTS conformance) has a function that does
// the former.
#pragma once

#include <gtest/gtest.h>
#include <takt/giop/messaging_protocol.h>

#include <memory>
#include <string>
#include <vector>

namespace takt::giop {

// The suite's knowledge of a protocol. `name` is in the names of the tests: letters, digits and underscores.
struct TestedProtocol {
  const char* name;
  std::unique_ptr<const MessagingProtocol> (*make)();
  // Whether a changed octet on the wire, a lost or a repeated message is noticed: read() returns false.
  bool notices_damage = false;
  std::size_t longest = std::size_t{1} << 20;  // size of the longest message that it can express
};

// The protocols to test, in the order of the tests. The program that links the suite defines this function.
std::vector<const TestedProtocol*> tested_protocols();

}  // namespace takt::giop

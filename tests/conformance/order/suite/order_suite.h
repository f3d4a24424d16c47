// The contract of queue orders as tests, which run over any order. A program links the suite's files and
// defines tested_orders(); find_package(Takt COMPONENTS conformance) has a function that does the former.
#pragma once

#include <gtest/gtest.h>
#include <takt/server/request_order.h>

#include <functional>
#include <memory>
#include <vector>

namespace takt::server {

// The suite's knowledge of an order. `name` is in the names of the tests: letters, digits and underscores.
struct TestedOrder {
  const char* name;
  std::function<std::shared_ptr<const RequestOrder>()> make;
  // Requests that the order tells apart, in the order in which it serves them. All have its criterion. What
  // their views and pointers refer to must outlive the tests.
  std::function<std::vector<WaitingRequest>()> first_to_last;
  // A later deadline, higher priority or longer execution never first raises a rank and then lowers it.
  // False: the suite cannot find overflows.
  bool is_monotonic = true;
};

// The orders to test, in the order of the tests. The program that links the suite defines this function.
std::vector<const TestedOrder*> tested_orders();

}  // namespace takt::server

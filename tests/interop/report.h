// The output of the clients: a line for each check, which tests/interop/run reads.
#pragma once

#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>

namespace interop {

inline void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

// `describe` turns the current exception of the ORB into text.
inline void report(const std::string& name, const std::function<void()>& body,
                   const std::function<std::string()>& describe) {
  try {
    body();
    std::cout << "PASS " << name << std::endl;
  } catch (...) {
    std::cout << "FAIL " << name << ": " << describe() << std::endl;
  }
}

}  // namespace interop

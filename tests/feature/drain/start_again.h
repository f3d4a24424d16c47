// A server that comes up where one of before has been.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "process.h"

namespace feature {

// Of what it prints first, its reference. Once it is gone another program may have its port, for a while: so
// it is tried for some seconds. Null: it does not come up.
inline std::unique_ptr<Process> start_again(const std::string& program,
                                            const std::vector<std::string>& arguments,
                                            std::string& reference) {
  for (int i = 0; i < 100; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(100))) {
    auto server = std::make_unique<Process>(program, arguments);
    reference = server->line();
    if (!reference.empty()) return server;
  }
  return nullptr;
}

}  // namespace feature

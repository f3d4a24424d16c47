// Starts a server again at the endpoint of an earlier one.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "process.h"

namespace feature {

// Starts the program and reads its reference. Another program may use the port for a while after the earlier
// server ends, so retries for some seconds. Null if it does not start.
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

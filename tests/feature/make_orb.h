// ORBs of one process.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include <takt/corba.h>

namespace feature {

using Orb = IDL::traits<CORBA::ORB>::ref_type;

// The values of -ORBServerConcurrency, and those with a queue.
constexpr const char* server_concurrencies[] = {"thread-per-connection", "reactive", "leader-followers",
                                                "worker-pool", "threading-framework"};
constexpr const char* queued_concurrencies[] = {"worker-pool", "threading-framework"};

// With a name unique in the process.
inline Orb make_orb(std::vector<std::string> options, const char* role) {
  static std::atomic<int> count{0};
  options.insert(options.begin(), "test");
  std::vector<char*> argv;
  for (auto& option : options) argv.push_back(option.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(options.size());
  return CORBA::ORB_init(argc, argv.data(), std::string(role) + std::to_string(++count));
}

// The error of an ORB with the option.
inline std::string refusal_of(const std::string& option, const std::string& value) {
  try {
    make_orb({option, value}, "refused")->destroy();
  } catch (const CORBA::BAD_PARAM& refused) {
    return std::string(refused.detail());
  }
  return "nothing";
}

}  // namespace feature

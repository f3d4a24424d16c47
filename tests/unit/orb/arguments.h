// A command line for a test.
#pragma once

#include <string>
#include <vector>

#include <takt/orb/orb.h>

namespace takt::orb {

struct Arguments {
  explicit Arguments(std::vector<std::string> texts) : storage(std::move(texts)) {
    storage.insert(storage.begin(), "program");
    for (auto& text : storage) argv.push_back(text.data());
    argc = static_cast<int>(storage.size());
    argv.push_back(nullptr);
  }
  std::vector<std::string> left() const { return {argv.begin() + 1, argv.begin() + argc}; }

  std::vector<std::string> storage;
  std::vector<char*> argv;
  int argc;
};

inline IDL::traits<CORBA::ORB>::ref_type make_orb(std::vector<std::string> options, const std::string& id) {
  Arguments arguments(std::move(options));
  return CORBA::ORB_init(arguments.argc, arguments.argv.data(), id);
}

}  // namespace takt::orb

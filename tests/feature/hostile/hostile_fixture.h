// A server with either concurrency, a client that must stay served, and raw peers.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <memory>
#include <string>
#include <vector>

#include "orbs.h"
#include "raw_peer.h"

namespace feature {

class Hostile : public testing::TestWithParam<const char*> {
 protected:
  void start(std::vector<std::string> options = {}) {
    options.insert(options.end(), {"-ORBServerConcurrency", GetParam()});
    orbs = std::make_unique<ServerAndClient>(std::move(options));
    place = std::make_unique<Place>(orbs->ior);
  }
  // Another client is served normally.
  void expect_others_served() { EXPECT_EQ(orbs->echo->cube(3), 27); }

  std::unique_ptr<ServerAndClient> orbs;
  std::unique_ptr<Place> place;
};

// The name of a test parameter: WorkerPool for "worker-pool".
inline std::string name_of(const testing::TestParamInfo<const char*>& given) {
  std::string name;
  bool first = true;
  for (const char* c = given.param; *c; first = *c++ == '-')
    if (*c != '-') name += static_cast<char>(first ? std::toupper(static_cast<unsigned char>(*c)) : *c);
  return name;
}

}  // namespace feature

// A load that is killed at any moment has happened wholly or not at all.
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

#include "process.h"
#include "served.h"

namespace feature {
namespace {

constexpr int structs = 4000, rounds = 12;

// One module with a struct for each number, most with the one before as a member's type.
void write_idl(const std::string& file, int module) {
  std::ofstream out(file);
  out << "module M" << module << " {\n";
  for (int i = 0; i < structs; ++i)
    out << "struct S" << i << " { sequence<" << (i % 100 ? "S" + std::to_string(i - 1) : "long")
        << "> a; };\n";
  out << "};\n";
}

TEST(IfrKilled, ALoadHappensWhollyOrNotAtAll) {
  const Folder folder;
  const std::string path = folder / "ifr.db";
  write_idl(folder / "m0.idl", 0);
  const auto begin = std::chrono::steady_clock::now();
  {
    Process load(TAKT_COMMAND, {"ifr", "load", "--store", path, folder / "m0.idl"});
    ASSERT_NE(load.line().find(std::to_string(structs + 1) + " definitions added"), std::string::npos);
  }
  const auto whole =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::minstd_rand random(seed);
  std::uint64_t had = count_in(path);
  int undone = 0;
  IfrServer server(path);  // reads meanwhile
  for (int round = 1; round <= rounds && !HasFailure(); ++round) {
    const std::string file = folder / ("m" + std::to_string(round) + ".idl");
    write_idl(file, round);
    Process load(TAKT_COMMAND, {"ifr", "load", "--store", path, file});
    std::this_thread::sleep_for(whole * (10 + static_cast<int>(random() % 85)) / 100);
    load.kill();
    const std::uint64_t has = count_in(path);
    EXPECT_TRUE(has == had || has == had + structs + 1) << has << " definitions after " << had;
    const auto module = server.repository->lookup("M" + std::to_string(round));
    EXPECT_EQ(static_cast<bool>(module), has != had);
    if (module) {
      EXPECT_EQ(IDL::traits<R::ModuleDef>::narrow(module)->contents(Kind::dk_all, true).size(),
                static_cast<std::size_t>(structs));
    }
    undone += has == had;
    had = has;
  }
  std::cout << undone << " of " << rounds << " loads were killed before their end\n";
  EXPECT_GT(undone, 0);
  Process load(TAKT_COMMAND, {"ifr", "load", "--store", path, folder / "m1.idl"});
  EXPECT_NE(load.line(), "") << "a later load works";
}

}  // namespace
}  // namespace feature

// Libraries that subcommands load when they need them.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "common/command.h"
#include "common/loaded_library.h"

namespace takt::command {
namespace {

std::string failure_of(const std::function<void()>& load) {
  try {
    load();
  } catch (const Failure& failure) {
    return failure.text;
  }
  return "nothing";
}

TEST(LoadedLibrary, GivesItsFunctions) {
  double (*cosine)(double) = nullptr;
  LoadedLibrary("libm.so.6", "the C library").find(cosine, "cos");
  EXPECT_EQ(cosine(0), 1);
}

TEST(LoadedLibrary, ThatIsNotThereIsNamedWithItsPackage) {
  const std::string failure = failure_of([] { LoadedLibrary("libabsent.so.1", "libabsent"); });
  EXPECT_NE(failure.find("libabsent.so.1"), std::string::npos) << failure;
  EXPECT_NE(failure.find("install libabsent"), std::string::npos) << failure;
}

TEST(LoadedLibrary, ThatIsTooOldIsNamedWithTheFunction) {
  void (*absent)() = nullptr;
  EXPECT_EQ(failure_of([&] { LoadedLibrary("libm.so.6", "the C library").find(absent, "no_such"); }),
            "libm.so.6 has no function no_such; it is too old");
  EXPECT_EQ(absent, nullptr);
}

}  // namespace
}  // namespace takt::command

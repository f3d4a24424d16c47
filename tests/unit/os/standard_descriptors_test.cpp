#include "os/process/standard_descriptors.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace {

using takt::os::fill_standard_descriptors;

TEST(StandardDescriptors, ClosedOnesAreFilledSoThatNoFileGetsTheirNumbers) {
  EXPECT_EXIT(
      {
        for (int number = 0; number <= 2; ++number) ::close(number);
        fill_standard_descriptors();
        const int file = ::open("/dev/zero", O_RDONLY);
        ::_exit(file > 2 && ::write(2, "x", 1) == 1 && ::read(0, nullptr, 0) == 0 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(StandardDescriptors, OpenOnesStay) {
  EXPECT_EXIT(
      {
        int ends[2];
        if (::pipe(ends) != 0) ::_exit(1);
        ::dup2(ends[1], 1);
        ::close(2);
        fill_standard_descriptors();
        fill_standard_descriptors();
        const int next = ::open("/dev/null", O_RDONLY);
        if (next <= 2) ::_exit(3);
        char octet = 0;
        ::_exit(::write(1, "x", 1) == 1 && ::read(ends[0], &octet, 1) == 1 && octet == 'x' ? 0 : 2);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace

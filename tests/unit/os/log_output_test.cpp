#include "os/log/log_output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace takt::os {
namespace {

using namespace std::chrono_literals;

class LogOutputs : public testing::Test {
 protected:
  LogOutputs() {
    char name[] = "/tmp/takt-log-output-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  ~LogOutputs() override { std::filesystem::remove_all(folder_); }

  static std::string content_of(const std::string& file) {
    std::ifstream in(file);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
  }

  std::string folder_;
};

TimePoint soon() { return Clock::now() + 10s; }

void limit_files(rlim_t bytes) {
  const struct rlimit limit = {bytes, RLIM_INFINITY};
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(3);
}

// As on a full disk, a part of a line is written.
TEST_F(LogOutputs, ALineThatWasCutEndsBeforeTheNextOne) {
  const std::string file = folder_ + "/log";
  EXPECT_EXIT(
      {
        LogOutput output = LogOutput::open(file).value();
        limit_files(8);
        const bool is_cut =
            output.write("{\"one\":1}\n", soon()) == EFBIG && output.write("{}\n", soon()) == EFBIG;
        limit_files(RLIM_INFINITY);
        const bool is_written =
            output.write("{\"two\":2}\n", soon()) == 0 && output.write("{}\n", soon()) == 0;
        ::_exit(is_cut && is_written ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_EQ(content_of(file), "{\"one\":1\n{\"two\":2}\n{}\n");
}

TEST_F(LogOutputs, APipeWithoutAReaderEndsNoProcess) {
  const std::string pipe = folder_ + "/pipe";
  EXPECT_EXIT(
      {
        ::mkfifo(pipe.c_str(), 0600);
        const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
        LogOutput output = LogOutput::open(pipe).value();
        ::close(reader);
        for (int i = 0; i < 3; ++i)
          if (output.write("line\n", soon()) != EPIPE) ::_exit(1);
        sigset_t blocked;
        ::sigprocmask(SIG_BLOCK, nullptr, &blocked);
        ::_exit(::sigismember(&blocked, SIGPIPE) == 0 ? 0 : 2);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(LogOutputs, AFileThatIsOpenedAnewBeginsWithALine) {
  const std::string file = folder_ + "/log";
  EXPECT_EXIT(
      {
        ::signal(SIGXFSZ, SIG_IGN);
        LogOutput output = LogOutput::open(file).value();
        limit_files(2);
        (void)output.write("one\n", soon());
        limit_files(RLIM_INFINITY);
        std::filesystem::rename(file, file + ".1");
        ::_exit(output.reopen() == 0 && output.write("two\n", soon()) == 0 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_EQ(content_of(file), "two\n");
}

TEST_F(LogOutputs, ARelativePathStaysWhereItWasOpened) {
  EXPECT_EXIT(
      {
        if (::chdir(folder_.c_str()) != 0) ::_exit(2);
        LogOutput output = LogOutput::open("log").value();
        std::filesystem::rename("log", "log.1");
        if (::chdir("/proc") != 0) ::_exit(2);  // no file can be made there
        ::_exit(output.reopen() == 0 && output.write("line\n", soon()) == 0 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_EQ(content_of(folder_ + "/log"), "line\n");
}

}  // namespace
}  // namespace takt::os

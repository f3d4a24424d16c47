// A client's checks: each is counted, and a failed one printed.
#pragma once

#include <cstdio>

class Checks {
 public:
  void that(bool holds, const char* what) {
    ++made_;
    if (holds) return;
    ++failed_;
    std::printf("FAIL %s\n", what);
  }
  int made() const { return made_; }
  int failed() const { return failed_; }
  // The client's exit status. At least `least` checks must have been made.
  int result(int least = 1) const {
    std::printf("%d checks, %d failed\n", made_, failed_);
    return failed_ == 0 && made_ >= least ? 0 : 1;
  }

 private:
  int made_ = 0, failed_ = 0;
};
#define CHECK(CONDITION) checks.that((CONDITION), #CONDITION)

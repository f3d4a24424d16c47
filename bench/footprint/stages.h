// The protocol between the client and the harness. Avoids iostream, which would add to the measured
// footprint.
#pragma once

#include <cstdio>
#include <exception>

namespace footprint {

inline void announce(const char* what) {
  std::printf("READY\t%s\n", what);
  std::fflush(stdout);
}

// Announces the idle state. Then, for each line of standard input with a number, makes that many calls and
// announces the idle state again, until the input ends.
template <class Call>
void call_as_told(Call call) {
  announce("");
  for (int count = 0; std::scanf("%d", &count) == 1; announce(""))
    for (int i = 0; i < count; ++i) call(i);
}

// Runs the body of main and prints an error, if any, to standard error.
template <class Body>
int run_main(Body body) {
  try {
    body();
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
  } catch (...) {
    std::fprintf(stderr, "an exception of the ORB\n");
  }
  return 1;
}

}  // namespace footprint

// The protocol between a server and the harness: the server prints READY and its endpoint, tab-separated, and
// ends when its standard input closes, so that no server outlives the harness.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

namespace bench {

inline void announce(const std::string& endpoint) {
  std::printf("READY\t%s\n", endpoint.c_str());
  std::fflush(stdout);
}

inline void wait_until_stdin_closes() {
  char byte;
  while (::read(STDIN_FILENO, &byte, 1) > 0) {
  }
}

[[noreturn]] inline void exit_when_stdin_closes() {
  wait_until_stdin_closes();
  std::_Exit(0);  // skips an orderly shutdown, whose cost is not measured
}

// Runs the body of main and prints an error, if any, to standard error.
template <class Body>
int run_main(const char* program, Body body) {
  try {
    body();
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s: %s\n", program, failure.what());
  } catch (...) {
    std::fprintf(stderr, "%s: unknown exception\n", program);
  }
  return 1;
}

}  // namespace bench

// A name server that does not answer for a while, for programs that define this once.
#pragma once

#include <dlfcn.h>
#include <netdb.h>

#include <chrono>
#include <string_view>
#include <thread>

// Stands before the C library's own function.
extern "C" int getaddrinfo(const char* host, const char* service, const addrinfo* hints, addrinfo** found) {
  using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  static const auto usual = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "getaddrinfo"));
  const bool is_asked = !hints || (hints->ai_flags & AI_NUMERICHOST) == 0;
  if (!host || !is_asked || std::string_view(host) != "silent.example")
    return usual(host, service, hints, found);
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  return EAI_AGAIN;
}

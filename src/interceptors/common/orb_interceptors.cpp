#include "interceptors/common/orb_interceptors.h"

#include <utility>

namespace takt::interceptors {

namespace {

std::atomic<std::uint64_t> next_serial{1};

void destroy_one(PortableInterceptor::Interceptor& interceptor) noexcept {
  try {
    interceptor.destroy();
  } catch (...) {
    // The ORB ends all the same.
  }
}

template <class Interceptor>
void find_seeing(const std::vector<Registered<Interceptor>>& all, Seeing<Interceptor> (&seeing)[2]) {
  for (const bool local : {false, true}) {
    Seeing<Interceptor>& those = seeing[local];
    for (const Registered<Interceptor>& one : all)
      if (one.sees(local)) those.all.push_back(&*one.interceptor);
    those.first = those.all.data();
    those.end = those.first + those.all.size();
  }
}

}  // namespace

OrbInterceptors::OrbInterceptors(std::string id, std::string of_server, reference::References& of_orb)
    : orb_id(std::move(id)),
      server_id(std::move(of_server)),
      serial(next_serial.fetch_add(1, std::memory_order_relaxed)),
      references(&of_orb) {}

void OrbInterceptors::settle() {
  find_seeing(clients, clients_of);
  find_seeing(servers, servers_of);
  plain_calls = slots == 0 && !clients_of[false].none();
  plain_requests = slots == 0 && !servers_of[false].none();
}

void OrbInterceptors::destroy() noexcept {
  for (const auto& one : clients) destroy_one(*one.interceptor);
  for (const auto& one : servers) destroy_one(*one.interceptor);
  for (const auto& one : iors) destroy_one(*one.interceptor);
}

}  // namespace takt::interceptors

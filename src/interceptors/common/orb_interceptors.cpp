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

}  // namespace

OrbInterceptors::OrbInterceptors(std::string id, reference::References& of_orb)
    : orb_id(std::move(id)),
      serial(next_serial.fetch_add(1, std::memory_order_relaxed)),
      references(&of_orb) {}

void OrbInterceptors::destroy() noexcept {
  for (const auto& one : clients) destroy_one(*one.interceptor);
  for (const auto& one : servers) destroy_one(*one.interceptor);
  for (const auto& one : iors) destroy_one(*one.interceptor);
}

}  // namespace takt::interceptors

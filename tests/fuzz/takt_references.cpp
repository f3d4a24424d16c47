// References as `takt ior` shows them: any octets give a page, or an error with its position.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include <takt/orb/own_transports.h>

#include "ior/endpoints.h"
#include "ior/reference.h"
#include "reference/text/hex.h"

namespace {

// Whether it is a reference without a file.
bool is_alone(const std::string& text) {
  return text.starts_with("IOR:") || text.starts_with("corbaloc:") || text.starts_with("corbaname:");
}

const takt::transport::TransportRegistry& own_transports() {
  static const auto registry = [] {
    auto all = std::make_unique<takt::transport::TransportRegistry>();
    for (const char* name : {"iiop", "unix", "shm", "udp"}) all->add(takt::make_own_transport(name));
    return all;
  }();
  return *registry;
}

}  // namespace

// As in reference_ior.cpp, with which it shares its corpus.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string text;
  if (data[0] % 2 == 0) {
    text.assign(reinterpret_cast<const char*>(data + 1), size - 1);
    if (!is_alone(text)) return 0;
  } else {
    text = "IOR:";
    for (std::size_t i = 1; i < size; ++i) takt::reference::append_hex(text, data[i]);
  }
  const auto reference = takt::command::reference_from(text);
  if (!reference) {
    if (reference.error().empty()) std::abort();
    return 0;
  }
  const auto description = takt::command::description_of(*reference);
  for (const char c : takt::command::page_of(description))
    if (c != '\n' && (c < ' ' || c > '~')) std::abort();
  if (takt::command::text_of(description).empty()) std::abort();
  (void)takt::command::reachable_endpoints(reference->ior, own_transports());
  return 0;
}

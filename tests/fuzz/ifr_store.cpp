// Inputs that a repository reads of clients and of its file: object ids, types as texts, parts of
// definitions.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "ifr/model/type_text.h"
#include "ifr/service/core.h"
#include "ifr/store/details_octets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::ifr;
  if (size == 0) return 0;
  if (data[0] % 2 == 0) {
    const PortableServer::ObjectId id(data + 1, data + size);
    const auto name = object_name_of(id);
    if (!name) return 0;
    if (object_id_of(*name) != id) std::abort();
    const bool is_place = name->text.starts_with('@');
    if (name->kind != Kind::dk_Repository && !is_place && !is_type_text(name->text, Limits().nesting))
      std::abort();
    if (interface_id_of(name->kind) == interface_id_of(Kind::dk_none)) std::abort();
    return 0;
  }
  Details details;
  if (!read_details({data + 1, size - 1}, details)) return 0;
  (void)used_by(details);
  Details again;
  if (!read_details(octets_of(details), again) || octets_of(again) != octets_of(details)) std::abort();
  return 0;
}

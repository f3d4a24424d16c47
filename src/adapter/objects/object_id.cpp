#include <takt/adapter/object_id.h>

#include <takt/cdr/exception.h>

namespace PortableServer {

namespace {
[[noreturn]] void throw_no_text() {
  throw CORBA::BAD_PARAM(CORBA::omg_minor(14), CORBA::COMPLETED_NO, "the object id is not text");
}
}  // namespace

ObjectId string_to_ObjectId(std::string_view text) { return {text.begin(), text.end()}; }

ObjectId wstring_to_ObjectId(std::wstring_view text) {
  ObjectId id;
  id.reserve(text.size() * 4);
  for (const wchar_t character : text)
    for (int shift = 24; shift >= 0; shift -= 8)
      id.push_back(static_cast<std::uint8_t>(static_cast<std::uint32_t>(character) >> shift));
  return id;
}

std::string ObjectId_to_string(const ObjectId& id) {
  std::string text(id.begin(), id.end());
  if (text.find('\0') != std::string::npos) throw_no_text();
  return text;
}

std::wstring ObjectId_to_wstring(const ObjectId& id) {
  if (id.size() % 4 != 0) throw_no_text();
  std::wstring text;
  for (std::size_t i = 0; i < id.size(); i += 4) {
    const std::uint32_t character = std::uint32_t{id[i]} << 24 | std::uint32_t{id[i + 1]} << 16 |
                                    std::uint32_t{id[i + 2]} << 8 | id[i + 3];
    if (character == 0) throw_no_text();
    text.push_back(static_cast<wchar_t>(character));
  }
  return text;
}

}  // namespace PortableServer

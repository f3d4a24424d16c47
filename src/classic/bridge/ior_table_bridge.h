// The runtime's table of object keys, as the classic mapping calls it. All functions throw exceptions of the
// classic mapping.
#pragma once

#include <memory>
#include <string>

namespace takt {
namespace classic {

class Reference;

namespace ior_table {

bool is_table(Reference& reference);
bool bind(Reference& table, const char* key, const char* ior);  // false: AlreadyBound
void rebind(Reference& table, const char* key, const char* ior);
bool unbind(Reference& table, const char* key);  // false: NotFound

// A locator of the application's, as the runtime calls it. Throws exceptions of the runtime.
class Asked {
 public:
  virtual ~Asked() = default;
  virtual std::string locate(const char* key) = 0;
};
void set_locator(Reference& table, std::unique_ptr<Asked> locator);  // null: none
// Throws the runtime's NotFound.
[[noreturn]] void not_found_in_runtime();

}  // namespace ior_table

}  // namespace classic
}  // namespace takt

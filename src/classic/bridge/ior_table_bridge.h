// The runtime's table of object keys, as the classic mapping calls it. All functions throw exceptions of the
// classic mapping.
#pragma once

namespace takt {
namespace classic {

class Reference;

namespace ior_table {

bool is_table(Reference& reference);
bool bind(Reference& table, const char* key, const char* ior);  // false: AlreadyBound
void rebind(Reference& table, const char* key, const char* ior);
bool unbind(Reference& table, const char* key);  // false: NotFound

}  // namespace ior_table

}  // namespace classic
}  // namespace takt

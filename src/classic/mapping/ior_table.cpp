#include <takt/classic/ior_table.h>

#include <cstring>

#include "classic/bridge/ior_table_bridge.h"
#include "classic/mapping/asked.h"
#include "classic/mapping/for_runtime.h"

namespace IORTable {
inline namespace takt_classic_ {

namespace bridge = takt::classic::ior_table;
using takt::classic::asked;
using takt::classic::Proxies;

#define TAKT_CLASSIC_DEFINE(NAME)                   \
  void NAME::_raise() const { throw *this; }        \
  const char* NAME::_name() const { return #NAME; } \
  const char* NAME::_rep_id() const { return "IDL:IORTable/" #NAME ":1.0"; }
TAKT_CLASSIC_DEFINE(AlreadyBound)
TAKT_CLASSIC_DEFINE(NotFound)
#undef TAKT_CLASSIC_DEFINE

const char* const Table::_PD_repoId = "IDL:IORTable/Table:1.0";
Table_ptr Table::_duplicate(Table_ptr object) { return Proxies<Table>::duplicate(object); }
Table_ptr Table::_nil() { return Proxies<Table>::nil(); }
Table_ptr Table::_narrow(CORBA::Object_ptr object) {
  takt::classic::Reference* const reference = object ? object->_takt_reference() : nullptr;
  if (!reference || !bridge::is_table(*reference)) return _nil();
  return Proxies<Table>::make(takt::classic::duplicate(reference));
}
bool Table::_takt_has_type(const char* repository_id) const {
  return std::strcmp(repository_id, _PD_repoId) == 0 || Object::_takt_has_type(repository_id);
}

const char* const Locator::_PD_repoId = "IDL:IORTable/Locator:1.0";
bool Locator::_takt_has_type(const char* repository_id) const {
  return std::strcmp(repository_id, _PD_repoId) == 0 || LocalObject::_takt_has_type(repository_id);
}

namespace {

struct NilLocator final : Locator {
  NilLocator() : LocalObject(takt::classic::Nil()) {}
  char* locate(const char*) override { takt::classic::raise_nil(); }
};

class OwnLocator final : public bridge::Asked {
 public:
  explicit OwnLocator(Locator* locator) : locator_(Locator::_duplicate(locator)) {}
  std::string locate(const char* key) override {
    return takt::classic::for_runtime([&] {
      try {
        const CORBA::String_var found = locator_->locate(key);
        return std::string(found.in() ? found.in() : "");
      } catch (const NotFound&) {
        bridge::not_found_in_runtime();
      }
    });
  }

 private:
  const Locator_var locator_;
};

}  // namespace

// Never destroyed: other static objects refer to it.
Locator_ptr Locator::_nil() {
  static Locator* const nil = new NilLocator;
  return nil;
}

void Table::set_locator(Locator_ptr locator) {
  bridge::set_locator(asked(*this), CORBA::is_nil(locator) ? nullptr : std::make_unique<OwnLocator>(locator));
}

void Table::bind(const char* object_key, const char* ior) {
  if (!bridge::bind(asked(*this), object_key, ior)) throw AlreadyBound();
}
void Table::rebind(const char* object_key, const char* ior) { bridge::rebind(asked(*this), object_key, ior); }
void Table::unbind(const char* object_key) {
  if (!bridge::unbind(asked(*this), object_key)) throw NotFound();
}

}  // namespace takt_classic_
}  // namespace IORTable

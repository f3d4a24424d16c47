// The table of plain object keys in the classic mapping, after TAO's IORTable. C++14.
//
//   CORBA::Object_var object = orb->resolve_initial_references("IORTable");
//   IORTable::Table_var table = IORTable::Table::_narrow(object);
//   table->bind("Accounts", ior);
#pragma once

#include <takt/classic/exception.h>
#include <takt/classic/object.h>
#include <takt/classic/orb_types.h>

namespace IORTable {
inline namespace takt_classic_ {

TAKT_CLASSIC_USER_EXCEPTION(AlreadyBound)
TAKT_CLASSIC_USER_EXCEPTION(NotFound)

TAKT_CLASSIC_OBJECT_TYPES(Table)
// Initial reference "IORTable", in every program that uses this class. Any thread.
class Table : public virtual ::CORBA::Object {
  TAKT_CLASSIC_OWN_OBJECT(Table)
  // The server answers requests with that key for the object that the text refers to, and forwards them if it
  // is another server's. BAD_PARAM for a text that string_to_object() does not take, for nil and for local
  // objects.
  void bind(const char* object_key, const char* ior);  // AlreadyBound
  void rebind(const char* object_key, const char* ior);
  void unbind(const char* object_key);  // NotFound
};

}  // namespace takt_classic_
}  // namespace IORTable

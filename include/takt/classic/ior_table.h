// The table of plain object keys in the classic mapping, after TAO's IORTable. C++14.
//
//   CORBA::Object_var object = orb->resolve_initial_references("IORTable");
//   IORTable::Table_var table = IORTable::Table::_narrow(object);
//   table->bind("Accounts", ior);
#pragma once

#include <takt/classic/exception.h>
#include <takt/classic/object.h>
#include <takt/classic/orb_types.h>
#include <takt/classic/servant_manager.h>

namespace IORTable {
inline namespace takt_classic_ {

TAKT_CLASSIC_USER_EXCEPTION(AlreadyBound)
TAKT_CLASSIC_USER_EXCEPTION(NotFound)

TAKT_CLASSIC_OBJECT_TYPES(Locator)
// Finds objects by keys that are not in the table. Counted; the table keeps a reference.
class Locator : public virtual ::CORBA::LocalObject {
  TAKT_CLASSIC_LOCAL_CLASS(Locator)
  // The reference, as text, of the object that a request with this key is for; the caller's. Called in the
  // thread of each such request, by several threads at a time. The key comes from clients; one that has an
  // octet 0 is not asked for. NotFound: there is no such object.
  virtual char* locate(const char* object_key) = 0;
};

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
  // From now on the locator is asked for keys that neither this table nor an adapter has. Nil: none is.
  void set_locator(Locator_ptr locator);
};

}  // namespace takt_classic_
}  // namespace IORTable

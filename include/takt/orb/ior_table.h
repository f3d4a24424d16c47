// The table of plain object keys, after TAO's IORTable:
//
//   auto table = IDL::traits<IORTable::Table>::narrow(orb->resolve_initial_references("IORTable"));
//   table->bind("Accounts", orb->object_to_string(account));
//
// Clients then use corbaloc:iiop:1.2@HOST:PORT/Accounts.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <takt/cdr/exception.h>
#include <takt/reference/local_object.h>

namespace takt::adapter {
class KeyAliases;
}

namespace CORBA {
class ORB;
}

namespace IORTable {

#define TAKT_IOR_TABLE_EXCEPTION(NAME)                                                     \
  class NAME final : public CORBA::UserException {                                         \
   public:                                                                                 \
    const char* _rep_id() const noexcept override { return "IDL:IORTable/" #NAME ":1.0"; } \
    const char* _name() const noexcept override { return #NAME; }                          \
    [[noreturn]] void _raise() const override { throw *this; }                             \
  };
TAKT_IOR_TABLE_EXCEPTION(AlreadyBound)
TAKT_IOR_TABLE_EXCEPTION(NotFound)
#undef TAKT_IOR_TABLE_EXCEPTION

// Finds objects by keys that are not in the table. Implemented by programs.
class Locator : public virtual CORBA::LocalObject {
 public:
  using _traits_type = IDL::traits<Locator>;
  using _ref_type = CORBA::object_reference<Locator>;
  static const std::string& _interface_repository_id();
  bool _is_a_local(const std::string& id) const override;

  // The reference, as text, of the object that a request with this key is for. Called in the thread of each
  // such request, by several threads at a time; a request waits meanwhile. The key may have any octets and
  // comes from clients. NotFound: there is no such object.
  virtual std::string locate(const std::string& object_key) = 0;
};

// Initial reference "IORTable", in every program that uses this class. It has the keys of
// ORB::register_object_key() and of -ORBObjectKey, too. Any thread.
class Table final : public virtual CORBA::LocalObject {
 public:
  using _traits_type = IDL::traits<Table>;
  using _ref_type = CORBA::object_reference<Table>;
  static const std::string& _interface_repository_id();
  bool _is_a_local(const std::string& id) const override;

  // For the ORB's own use. The keys end with the ORB. `orb` returns nil once that is destroyed.
  using FindOrb = std::function<CORBA::object_reference<CORBA::ORB>()>;
  Table(std::weak_ptr<takt::adapter::KeyAliases> keys, FindOrb orb);
  ~Table() override;

  // The server answers requests with that key for the object that the text refers to, and forwards them if it
  // is another server's. The text is any that string_to_object() takes. BAD_PARAM for other texts, for nil
  // and for local objects; OBJECT_NOT_EXIST once the ORB is destroyed.
  void bind(const std::string& object_key, const std::string& ior);  // AlreadyBound
  void rebind(const std::string& object_key, const std::string& ior);
  void unbind(const std::string& object_key);  // NotFound

  // From now on the locator is asked for keys that neither this table nor an adapter has. Its answer is
  // treated as one of the table, and not kept. Nil: no locator is asked.
  void set_locator(CORBA::object_reference<Locator> locator);

 private:
  CORBA::object_reference<CORBA::ORB> orb() const;
  std::shared_ptr<takt::adapter::KeyAliases> keys() const;
  CORBA::object_reference<CORBA::Object> remote_object(const std::string& object_key,
                                                       const std::string& ior) const;

  const std::weak_ptr<takt::adapter::KeyAliases> keys_;
  const FindOrb orb_;
};

}  // namespace IORTable

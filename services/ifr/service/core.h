// The state that the repository's objects share: store, references, locking.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <takt/adapter/current.h>
#include <takt/adapter/poa.h>
#include <takt/orb/orb.h>

#include "Takt_ReflectionC.h"
#include "ifr/model/limits.h"
#include "ifr/model/type_text.h"
#include "ifr/store/store.h"
#include "ifr/types/type_codes.h"

namespace takt::ifr {

namespace R = Takt::Reflection;
template <class T>
using Ref = CORBA::object_reference<T>;

// A type without a name as a part of its user: the type in `slot` of the user's details, or the element of it
// that is `depth` sequences and arrays further in. The user is a definition, or the one type in a row of the
// store's types without a name.
struct Place {
  Number user = 0;
  std::size_t slot = 0, depth = 0;
};

// The object that a request is for: the repository, a definition, or a type without a name.
struct Self {
  Kind kind = Kind::dk_none;
  std::string type;       // text of a type without a name, else empty
  Definition definition;  // if it is a definition; number 0 for the repository
  Number unnamed = 0;     // if it is a type without a name with a row of its own
  Place place;            // if it is a part of its user; user 0: it is none
};

// The object id of an object, and the reverse. An id from a client may be anything: nothing is returned for
// one that the repository does not make.
struct ObjectName {
  Kind kind = Kind::dk_none;
  // Text of a primitive type, a definition or a row of a type without a name, or "@42,0,1": a Place. Empty
  // for the repository.
  std::string text;
};
PortableServer::ObjectId object_id_of(const ObjectName& name);
std::optional<ObjectName> object_name_of(const PortableServer::ObjectId& id);
// The repository id of the interface that objects of the kind have.
std::string interface_id_of(Kind kind);

// Thread-safe by read() and change(), which run one at a time. All other functions are for the functions that
// these call, and throw the exceptions of the store. It is large because servants of all kinds work with it.
class Core {
 public:
  Core(Store store, const Limits& limits, Ref<CORBA::ORB> orb, Ref<PortableServer::Current> current)
      : limits_(limits), store_(std::move(store)), orb_(std::move(orb)), current_(std::move(current)) {
    store_.set_longest_wait(std::chrono::milliseconds(20));
  }

  void set_poa(Ref<PortableServer::POA> poa) { poa_ = std::move(poa); }

  // Calls f(self) for the current request's object, in a transaction. OBJECT_NOT_EXIST if there is no such
  // object.
  template <class F>
  auto read(F&& f) {
    const std::lock_guard lock(mutex_);
    const Store::Transaction transaction(store_, Store::Access::read);
    inherited_ = 0;
    return f(self());
  }
  // The same for a function that changes the store. If it throws, nothing has changed.
  template <class F>
  auto change(F&& f) {
    const Turn turn(*this);
    inherited_ = 0;
    Store::Transaction& transaction = *turn.transaction;
    if constexpr (std::is_void_v<decltype(f(self()))>) {
      f(self());
      transaction.commit();
    } else {
      auto result = f(self());
      transaction.commit();
      return result;
    }
  }
  bool exists();

  Store& store() { return store_; }
  const Limits& limits() const { return limits_; }
  CORBA::ORB& orb() { return *orb_; }
  TypeCodes type_codes() { return TypeCodes(store_, limits_); }
  // Counts bases and their features, each time that the request looks at them. IMP_LIMIT if they are too
  // many.
  void count_inherited(std::size_t count);
  // For a reply, which they bound.
  TypeCodes shown_types() { return TypeCodes(store_, limits_, limits_.reply_bytes); }

  // The definition; PERSIST_STORE if there is none.
  Definition definition(Number number);
  Entry entry(Number number);
  // The id; empty for the repository.
  std::string id_of(Number number);

  template <class T>
  Ref<T> reference(const Entry& entry) {
    return narrowed<T>({entry.kind, entry.number ? 'd' + std::to_string(entry.number) : ""});
  }
  // Nil for 0.
  template <class T>
  Ref<T> reference(Number number) {
    return number ? reference<T>(entry(number)) : Ref<T>();
  }
  // The repository for 0.
  Ref<R::Container> container(Number number);
  // The type in a slot of the definition's details (types_in()).
  Ref<R::IDLType> type(const Definition& definition, std::size_t slot = 0);
  // The element type of a sequence or array.
  Ref<R::IDLType> element_of(const Self& self);
  Ref<R::PrimitiveDef> primitive(R::PrimitiveKind kind) {
    return narrowed<R::PrimitiveDef>({Kind::dk_Primitive, primitive_text(kind)});
  }
  // A type without a name that has a row.
  template <class T>
  Ref<T> unnamed(Number number) {
    const auto text = unnamed_row(number);
    return narrowed<T>({kind_of(parse_type(text)->form), unnamed_text(number)});
  }
  // The text of such a type; PERSIST_STORE if it has no row.
  std::string unnamed_row(Number number);
  // The text with the types of rows written out; IMP_LIMIT if they nest too deep.
  std::string expanded(const std::string& text) { return store_.expanded(text, limits_.nesting); }

  // The objects that clients pass. BAD_PARAM unless the reference is one of this repository's, to a type or
  // to a definition of one of the kinds.
  std::string text_of(const Ref<R::IDLType>& type);
  Definition definition_of(const Ref<CORBA::Object>& object, bool (*is_kind)(Kind));
  Self object_of(const Ref<CORBA::Object>& object);

 private:
  // A changing transaction, with the lock. Waits for other processes' changes without the lock, so that
  // clients can read meanwhile. TRANSIENT if they take too long.
  struct Turn {
    explicit Turn(Core& core);
    std::unique_lock<std::mutex> lock;
    std::unique_ptr<Store::Transaction> transaction;  // destroyed before the lock
  };

  Ref<R::IDLType> type_at(const Place& place, const std::string& text);
  Self self();
  Self found(const ObjectName& name);
  Self found_unnamed(const ObjectName& name);
  std::optional<std::string> text_at(const Place& place);
  ObjectName passed(const Ref<CORBA::Object>& object);
  template <class T>
  Ref<T> narrowed(const ObjectName& name) {
    return IDL::traits<T>::unchecked_narrow(
        poa_->create_reference_with_id(object_id_of(name), interface_id_of(name.kind)));
  }

  const Limits limits_;
  std::mutex mutex_;
  Store store_;
  const Ref<CORBA::ORB> orb_;
  const Ref<PortableServer::Current> current_;
  Ref<PortableServer::POA> poa_;
  std::size_t inherited_ = 0;  // that the request has looked at; guarded by mutex_
};

// Throws BAD_PARAM with one of the OMG's minor codes, or with 0.
[[noreturn]] void throw_bad_param(std::uint32_t minor, const std::string& why);
[[noreturn]] void throw_limit(const std::string& why);

}  // namespace takt::ifr

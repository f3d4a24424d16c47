// The base class of servants.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <takt/adapter/object_id.h>
#include <takt/adapter/servant_reference.h>
#include <takt/os/pooled_memory.h>
#include <takt/reference/object.h>
#include <takt/server/server_call.h>

namespace takt {
struct OperationId;
}
namespace takt::adapter {
struct ActiveObject;
struct FurtherActivations;
struct ServantLinks;
enum class OperationSearch : std::uint8_t;
}  // namespace takt::adapter

namespace PortableServer {

class POA;

// The virtual base of skeletons. CORBA::make_reference makes a servant; its references own it. An adapter
// holds a reference for each object that the servant incarnates, until the object is deactivated and its last
// upcall has returned. Upcalls run in any thread unless a POA policy restricts that.
class Servant : public std::enable_shared_from_this<Servant> {
 public:
  using _ref_type = CORBA::servant_reference<Servant>;

  Servant(const Servant&) noexcept : enable_shared_from_this() {}
  Servant& operator=(const Servant&) noexcept { return *this; }
  virtual ~Servant();

  // Runs the operation that `call` names, and answers with its results or exception. False, without any
  // effect, if the interface has no such operation. Skeletons override it.
  virtual bool _dispatch(takt::server::ServerCall& call);
  // The same for adapters whose look-up policy asks for another search.
  virtual bool _dispatch_searching(takt::server::ServerCall& call, takt::adapter::OperationSearch search);
  // The same for a caller in this process, without marshaling. The address of `operation` identifies it; stub
  // and skeleton agree on the type of `arguments`. False: marshal the request instead.
  virtual bool _dispatch_local(const takt::OperationId& operation, void* arguments);

  // The operations of CORBA::Object; skeletons override _is_a and _repository_id.
  virtual bool _is_a(const std::string& repository_id);
  virtual bool _non_existent();
  virtual std::string _repository_id();
  // The repository id of an object's most derived interface, where this is or will be the object's servant.
  // _repository_id(), unless a servant for several interfaces overrides it.
  virtual std::string _repository_id_of(const PortableServer::ObjectId& id,
                                        const CORBA::object_reference<POA>& poa);
  // The object that describes the interface, a CORBA::InterfaceDef. Remote callers get INTF_REPOS for nil. By
  // default it is nil without -ORBReflection and outside of upcalls. A servant may override it.
  virtual CORBA::object_reference<CORBA::Object> _get_interface();
  virtual CORBA::object_reference<CORBA::Object> _get_component();

  // The POA for implicit activation. It is the POA of the current request on this servant, or else one in
  // which the servant is active. Failing both, it is the root POA of the first ORB in the process that has
  // one, or else that of the default ORB, which becomes a server. Throws OBJ_ADAPTER if there is no ORB.
  // Servants may override it.
  virtual CORBA::object_reference<POA> _default_POA();

  // A strong reference; nil during construction and destruction.
  CORBA::servant_reference<Servant> _lock();
  CORBA::weak_servant_reference<Servant> _weak_reference();

 protected:
  Servant() = default;

  // For _this(): in an upcall on this servant the object of that upcall, else servant_to_reference() of
  // _default_POA(), which may activate the servant (CORBA 3.0.3, 11.3.1). WrongPolicy becomes OBJ_ADAPTER.
  std::shared_ptr<takt::reference::ObjectRef> _this_ref();

 private:
  friend struct takt::adapter::ServantLinks;
  // The objects that the servant incarnates: one of them, and those in further adapters.
  takt::adapter::ActiveObject* activations_ = nullptr;
  takt::adapter::FurtherActivations* further_activations_ = nullptr;
};

}  // namespace PortableServer

namespace CORBA {

// Makes a servant. Its constructor may be protected unless the class is final.
template <class T, class... Arguments>
  requires std::derived_from<T, PortableServer::Servant>
servant_reference<T> make_reference(Arguments&&... arguments) {
  if constexpr (std::is_abstract_v<T>) {
    static_assert(!std::is_abstract_v<T>,
                  "the servant lacks operations of its interface, or has them with other parameters: write "
                  "`override` behind each; the compiler names them next");
    return servant_reference<T>(std::shared_ptr<T>(new T));
  } else if constexpr (std::is_constructible_v<T, Arguments...> || std::is_final_v<T>) {
    return servant_reference<T>(takt::os::make_pooled<T>(std::forward<Arguments>(arguments)...));
  } else {
    struct Made final : T {
      explicit Made(Arguments&&... values) : T(std::forward<Arguments>(values)...) {}
    };
    return servant_reference<T>(takt::os::make_pooled<Made>(std::forward<Arguments>(arguments)...));
  }
}

// Maps an interface to its skeleton. Generated for each interface.
template <class Interface>
struct servant_traits;

namespace detail {
template <class Skeleton>
struct skeleton_traits {
  using base_type = Skeleton;
  using ref_type = servant_reference<Skeleton>;
  using weak_ref_type = weak_servant_reference<Skeleton>;

  // Nil if the servant has another type.
  template <class S>
  static ref_type narrow(const servant_reference<S>& servant) {
    return ref_type(std::dynamic_pointer_cast<Skeleton>(servant.shared()));
  }
  static ref_type narrow(std::nullptr_t) { return {}; }

  template <std::derived_from<Skeleton> Made, class... Arguments>
  static servant_reference<Made> make_reference(Arguments&&... arguments) {
    return CORBA::make_reference<Made>(std::forward<Arguments>(arguments)...);
  }
};
}  // namespace detail

// Servants of any interface.
template <>
struct servant_traits<PortableServer::Servant> : detail::skeleton_traits<PortableServer::Servant> {};

}  // namespace CORBA

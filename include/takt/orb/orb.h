// The ORB: where a program's references and adapters come from, and what serves its requests (CORBA 3.0.3,
// chapter 4).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <takt/base/memory_budget.h>
#include <takt/orb/type_members.h>
#include <takt/reference/local_object.h>
#include <takt/reference/object.h>
#include <takt/reference/policy.h>

namespace takt {
class Bridge;
class Configuration;
class FrameStreams;
namespace orb {
class Runtime;
}
}  // namespace takt

namespace CORBA {

class ValueFactoryBase;

// Made by ORB_init, which also keeps it until destroy(). Any thread, unless said otherwise. After shutdown()
// all but run() and shutdown() throw BAD_INV_ORDER (OMG minor 4), after destroy() OBJECT_NOT_EXIST.
class ORB final {
 public:
  using _ref_type = object_reference<ORB>;
  using ObjectIdList = std::vector<std::string>;

  // No initial reference has that name, or one has it already. what() says which, and what to do.
  class InvalidName final : public UserException {
   public:
    InvalidName() = default;
    explicit InvalidName(const std::string& why)
        : text_(std::make_shared<const std::string>("CORBA::ORB::InvalidName: " + why)) {}
    const char* what() const noexcept override { return text_ ? text_->c_str() : _rep_id(); }
    const char* _rep_id() const noexcept override { return "IDL:omg.org/CORBA/ORB/InvalidName:1.0"; }
    const char* _name() const noexcept override { return "InvalidName"; }
    [[noreturn]] void _raise() const override { throw *this; }

   private:
    std::shared_ptr<const std::string> text_;  // shared, so that copying cannot throw
  };

  // For ORB_init's own use.
  explicit ORB(std::unique_ptr<takt::orb::Runtime> runtime);
  ~ORB();
  ORB(const ORB&) = delete;
  ORB& operator=(const ORB&) = delete;

  std::string id();

  // IOR:, corbaloc:, corbaname: and file: URLs (CORBA 3.0.3, 13.6.10). BAD_PARAM with OMG minors 7 to 10 for
  // what is none. A corbaname asks the naming service, and throws what that call throws; none of the others
  // calls anybody.
  object_reference<Object> string_to_object(const std::string& text);
  // "IOR:..."; MARSHAL (OMG minor 4) for a local object.
  std::string object_to_string(object_reference<Object> object);

  // Initial references: registered ones, the ORB's own, those of -ORBInitRef, those below -ORBDefaultInitRef,
  // in this order. Asking for RootPOA makes the ORB a server: it listens from then on.
  ObjectIdList list_initial_services();
  object_reference<Object> resolve_initial_references(const std::string& name);
  // InvalidName if the name is empty or taken. BAD_PARAM (OMG minor 24) for nil.
  void register_initial_reference(const std::string& name, object_reference<Object> object);
  object_reference<Object> unregister_initial_reference(const std::string& name);

  // A plain object key, as clients write it in corbaloc::host/KEY, under which this server answers for
  // `object`: itself if the object is its own, else by forwarding. Replaces an earlier one; nil removes it.
  void register_object_key(const std::string& key, object_reference<Object> object);

  // The program has made the POAs that it makes when it starts: what is not there from now on gets
  // OBJECT_NOT_EXIST, and requests that wait are served. Activating the first POA manager says so by itself,
  // unless -ORBAdaptersComplete is `call`; so does -ORBAdapterTimeout when it has passed. May be called
  // again.
  void _adapters_complete();

  // Serves requests until shutdown(): in the calling thread where -ORBServerConcurrency says so, else it only
  // waits. Several threads may be in it. Returns at once after shutdown().
  void run();
  // The same for at most that long; what is left of it is subtracted.
  void run(std::chrono::nanoseconds& timeout);
  // Whether perform_work() may find something to do.
  bool work_pending();
  // Serves what is there, and waits only briefly.
  void perform_work();
  // No more requests: those in progress finish, within -ORBShutdownTimeout; all adapters and connections go.
  // With `wait_for_completion`, returns when that is done: BAD_INV_ORDER (OMG minor 3) from inside an upcall.
  // May be called again.
  void shutdown(bool wait_for_completion = false);
  // Shuts down, waits, and frees the name for ORB_init.
  void destroy();

  // A policy for clients (<takt/reference/messaging.h>). PolicyError where there is none of that type or
  // value.
  object_reference<Policy> create_policy(PolicyType type, const Any& value);

  // What makes values of that repository id out of messages. Registering gives the former factory, or null.
  std::shared_ptr<ValueFactoryBase> register_value_factory(const std::string& id,
                                                           std::shared_ptr<ValueFactoryBase> factory);
  // BAD_PARAM if there is none.
  void unregister_value_factory(const std::string& id);
  std::shared_ptr<ValueFactoryBase> lookup_value_factory(const std::string& id);

  // TypeCodes of types that no IDL of this program declares. BAD_PARAM and BAD_TYPECODE for what is no type.
  typecode_reference create_struct_tc(const std::string& id, const std::string& name,
                                      const StructMemberSeq& members);
  typecode_reference create_union_tc(const std::string& id, const std::string& name,
                                     const typecode_reference& discriminator, const UnionMemberSeq& members);
  typecode_reference create_enum_tc(const std::string& id, const std::string& name,
                                    const EnumMemberSeq& members);
  typecode_reference create_alias_tc(const std::string& id, const std::string& name,
                                     const typecode_reference& original);
  typecode_reference create_exception_tc(const std::string& id, const std::string& name,
                                         const StructMemberSeq& members);
  typecode_reference create_interface_tc(const std::string& id, const std::string& name);
  typecode_reference create_abstract_interface_tc(const std::string& id, const std::string& name);
  typecode_reference create_local_interface_tc(const std::string& id, const std::string& name);
  typecode_reference create_native_tc(const std::string& id, const std::string& name);
  typecode_reference create_component_tc(const std::string& id, const std::string& name);
  typecode_reference create_home_tc(const std::string& id, const std::string& name);
  typecode_reference create_string_tc(std::uint32_t bound);  // 0: unbounded
  typecode_reference create_wstring_tc(std::uint32_t bound);
  typecode_reference create_fixed_tc(std::uint16_t digits, std::int16_t scale);
  typecode_reference create_sequence_tc(std::uint32_t bound, const typecode_reference& element);
  typecode_reference create_array_tc(std::uint32_t length, const typecode_reference& element);
  // Stands for the type with this id that it will be a part of.
  typecode_reference create_recursive_tc(const std::string& id);
  typecode_reference create_value_tc(const std::string& id, const std::string& name, ValueModifier modifier,
                                     const typecode_reference& concrete_base, const ValueMemberSeq& members);
  typecode_reference create_value_box_tc(const std::string& id, const std::string& name,
                                         const typecode_reference& boxed);

  // Where references to this ORB's objects lead, as "iiop host:port", in order of preference; empty for a
  // client.
  std::vector<std::string> _published_endpoints();

  // Reads the files of TLSCertificate, TLSKey, TLSAuthorities and TLSRevoked anew, for connections that begin
  // from now on; those that are open stay. NO_PERMISSION, with what is wrong in its text, leaves all as it
  // was.
  void _reload_certificates();

  // How many requests this server has not dispatched because their deadlines had passed.
  std::uint64_t _requests_too_late();

  // The memory that is taken for what peers send, and for what they do not read, by all connections that this
  // ORB has accepted, and by all that it has opened (docs/user/qos.md#memory). Short messages do not count.
  takt::MemoryUse _server_memory();
  takt::MemoryUse _client_memory();

 private:
  friend class takt::Bridge;
  friend class takt::Configuration;
  friend class takt::FrameStreams;
  const std::unique_ptr<takt::orb::Runtime> runtime_;
};

// The ORB of that name, made if there is none. Takes options that begin with -ORB out of argv
// (docs/user/options.md); those of an ORB that exists have no effect. The name is `orb_id`, else that of
// -ORBid. BAD_PARAM for wrong options, whose text says what is wrong. Any thread.
object_reference<ORB> ORB_init(int& argc, char* argv[], const std::string& orb_id = "");

}  // namespace CORBA

namespace IDL {
template <>
struct traits<CORBA::ORB> {
  using value_type = CORBA::ORB;
  using ref_type = CORBA::object_reference<CORBA::ORB>;
  using weak_ref_type = CORBA::weak_object_reference<CORBA::ORB>;
  using in_type = ref_type;
  using out_type = ref_type&;
  using inout_type = ref_type&;
};
}  // namespace IDL

// The ORB: creates references and adapters, and serves requests (CORBA 3.0.3, chapter 4).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <takt/base/memory_budget.h>
#include <takt/cdr/type_members.h>
#include <takt/reference/local_object.h>
#include <takt/reference/object.h>
#include <takt/reference/policy.h>

namespace takt {
class AsyncAccess;
class Bridge;
class Configuration;
class FrameStreams;
class TracingAccess;
namespace orb {
class Runtime;
}
}  // namespace takt

namespace CORBA {

class ServiceInformation;
class ValueFactoryBase;
using ServiceType = std::uint16_t;
using RequestSeq = std::vector<object_reference<Request>>;

// Made by ORB_init, which keeps it until destroy(). Any thread, unless stated otherwise. After shutdown() all
// functions but run() and shutdown() throw BAD_INV_ORDER (OMG minor 4), after destroy() OBJECT_NOT_EXIST. It
// is large because the standard gives an ORB these operations.
class ORB final {
 public:
  using _ref_type = object_reference<ORB>;
  using ObjectId = std::string;  // the name of an initial reference
  using ObjectIdList = std::vector<ObjectId>;

  // An unknown or duplicate name of an initial reference. what() states the name and what to do.
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

  // For ORB_init only.
  explicit ORB(std::unique_ptr<takt::orb::Runtime> runtime);
  ~ORB();
  ORB(const ORB&) = delete;
  ORB& operator=(const ORB&) = delete;

  std::string id();

  // Accepts IOR:, corbaloc:, corbaname: and file: URLs (CORBA 3.0.3, 13.6.10). Throws BAD_PARAM with OMG
  // minors 7 to 10 if the text is malformed. Only corbaname makes a call, to the naming service, and throws
  // what that call throws.
  object_reference<Object> string_to_object(const std::string& text);
  // "IOR:..."; throws MARSHAL (OMG minor 4) for a local object.
  std::string object_to_string(object_reference<Object> object);

  // Describes an optional service of the ORB (CORBA 3.0.3, 4.2.2; <takt/orb/service_information.h>). False,
  // and `information` is unchanged, if it has none of that kind. Takt has none that the specification
  // numbers.
  bool get_service_information(ServiceType type, ServiceInformation& information);

  // Initial references. The order of look-up is: registered ones, the ORB's own, -ORBInitRef,
  // -ORBDefaultInitRef. Resolving RootPOA makes the ORB a server, which listens from then on.
  ObjectIdList list_initial_services();
  object_reference<Object> resolve_initial_references(const std::string& name);
  // Throws InvalidName if the name is empty or taken, BAD_PARAM (OMG minor 27) for nil.
  void register_initial_reference(const std::string& name, object_reference<Object> object);
  object_reference<Object> unregister_initial_reference(const std::string& name);

  // Registers a plain object key for corbaloc::host/KEY. The server answers for `object` if it is its own,
  // and forwards otherwise. Replaces an earlier registration; nil removes it.
  void register_object_key(const std::string& key, object_reference<Object> object);

  // Declares that the program has created its initial POAs. From now on requests for missing ones get
  // OBJECT_NOT_EXIST, and waiting requests are served. Activating the first POA manager has this effect,
  // unless -ORBAdaptersComplete is `call`, and so has the end of -ORBAdapterTimeout. May be called again.
  void _adapters_complete();

  // Serves requests until shutdown(): in the calling thread if -ORBServerConcurrency needs it, else it only
  // waits. Several threads may call it. Returns at once after shutdown().
  void run();
  // The same for at most `timeout`, from which the elapsed time is subtracted.
  void run(std::chrono::nanoseconds& timeout);
  // The same in another unit, of which a remaining part is dropped. Times beyond 292 years have no end.
  template <class Rep, class Period>
  void run(std::chrono::duration<Rep, Period>& timeout);
  template <class Rep, class Period>
  void run(const std::chrono::duration<Rep, Period>& timeout);
  // Whether perform_work() may find something to do.
  bool work_pending();
  // Serves what has arrived; waits only briefly.
  void perform_work();
  // Stops serving: current requests finish within -ORBShutdownTimeout, then all adapters and connections are
  // destroyed. With `wait_for_completion` it returns after that; inside an upcall this throws BAD_INV_ORDER
  // (OMG minor 3). May be called again.
  void shutdown(bool wait_for_completion = false);
  // Shuts down, waits, and frees the ORB's name for ORB_init.
  void destroy();

  // Makes a client policy (<takt/reference/messaging.h>). Throws PolicyError for an unknown type or invalid
  // value.
  object_reference<Policy> create_policy(PolicyType type, const Any& value);

  // The factory that makes values with this repository id from messages. Registering returns the previous
  // factory, or null.
  std::shared_ptr<ValueFactoryBase> register_value_factory(const std::string& id,
                                                           std::shared_ptr<ValueFactoryBase> factory);
  // Throws BAD_PARAM if there is none.
  void unregister_value_factory(const std::string& id);
  std::shared_ptr<ValueFactoryBase> lookup_value_factory(const std::string& id);

  // Make TypeCodes without generated code. Throw BAD_PARAM for invalid names (OMG minor 15), ids (16), member
  // names (17), and union labels and discriminators (18 to 20). Throw BAD_TYPECODE (OMG minor 2) for types
  // that can't be members. Names and ids may be empty.
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
  // A placeholder for the enclosing type with this id.
  typecode_reference create_recursive_tc(const std::string& id);
  typecode_reference create_value_tc(const std::string& id, const std::string& name, ValueModifier modifier,
                                     const typecode_reference& concrete_base, const ValueMemberSeq& members);
  typecode_reference create_event_tc(const std::string& id, const std::string& name, ValueModifier modifier,
                                     const typecode_reference& concrete_base, const ValueMemberSeq& members);
  typecode_reference create_value_box_tc(const std::string& id, const std::string& name,
                                         const typecode_reference& boxed);

  // Requests without generated code (<takt/dynamic/request.h>). Makes an empty list; `count` is its expected
  // length.
  void create_list(std::uint32_t count, object_reference<NVList>& list);
  void create_named_value(object_reference<NamedValue>& value);
  // Returns the same context each time. One thread at a time may use it.
  object_reference<Context> get_default_context();
  // Sends each request. If one fails, the others are still sent, and its Request::_failure() returns the
  // reason.
  void send_multiple_requests_oneway(const RequestSeq& requests);
  // Sends each request as deferred, for get_next_response(). Throws what send_deferred() throws; the requests
  // before that one have been sent.
  void send_multiple_requests_deferred(const RequestSeq& requests);
  // Whether the reply to one of these requests has arrived. Throws BAD_INV_ORDER (OMG minor 11) if there are
  // none.
  bool poll_next_response();
  // Waits for a reply to one of these requests and returns that request, which has its results, or the
  // exception in Request::_failure(). Do not call get_response() on it. Throws BAD_INV_ORDER (OMG minor 11)
  // if there are none.
  void get_next_response(object_reference<Request>& request);

  // The endpoints in references to this ORB's objects, as "iiop host:port", in order of preference. Empty for
  // a client.
  std::vector<std::string> _published_endpoints();

  // Reads the files of TLSCertificate, TLSKey, TLSAuthorities and TLSRevoked again, for new connections; open
  // ones are unaffected. Throws NO_PERMISSION, with the reason, if a file is invalid; then nothing changes.
  void _reload_certificates();

  // Number of requests that this server did not dispatch because their deadlines had passed.
  std::uint64_t _requests_too_late();

  // Memory for messages that peers send or have not read yet, of all accepted connections and of all opened
  // ones (docs/user/qos.md#memory). Short messages do not count.
  takt::MemoryUse _server_memory();
  takt::MemoryUse _client_memory();

 private:
  friend class takt::AsyncAccess;
  friend class takt::Bridge;
  friend class takt::Configuration;
  friend class takt::FrameStreams;
  friend class takt::TracingAccess;
  const std::unique_ptr<takt::orb::Runtime> runtime_;
};

template <class Rep, class Period>
void ORB::run(std::chrono::duration<Rep, Period>& timeout) {
  using Unit = std::chrono::duration<Rep, Period>;
  const std::chrono::duration<long double, std::nano> wanted(timeout);
  if (!(wanted < std::chrono::nanoseconds::max())) return run();
  auto left = wanted > wanted.zero() ? std::chrono::duration_cast<std::chrono::nanoseconds>(wanted)
                                     : std::chrono::nanoseconds(0);
  run(left);
  timeout = std::chrono::duration_cast<Unit>(left);
}
template <class Rep, class Period>
void ORB::run(const std::chrono::duration<Rep, Period>& timeout) {
  auto left = timeout;
  run(left);
}

// Returns the ORB with that name; creates it if necessary. Removes -ORB options from argv
// (docs/user/options.md); they have no effect on an existing ORB. The name is `orb_id`, or -ORBid if that is
// empty. Throws BAD_PARAM, with the reason, for invalid options. Any thread.
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

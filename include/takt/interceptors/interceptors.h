// Module PortableInterceptor: interceptors, which see and change the requests of an ORB (CORBA 3.0.3, chapter
// 21), and initializers, which add them.
//
//   class Marks final : public IDL::traits<PortableInterceptor::ClientRequestInterceptor>::base_type { ... };
//   class Init final : public IDL::traits<PortableInterceptor::ORBInitializer>::base_type {
//     void pre_init(IDL::traits<PortableInterceptor::ORBInitInfo>::ref_type info) override {
//       info->add_client_request_interceptor(CORBA::make_reference<Marks>());
//     }
//     void post_init(IDL::traits<PortableInterceptor::ORBInitInfo>::ref_type) override {}
//   };
//   PortableInterceptor::register_orb_initializer(CORBA::make_reference<Init>());  // before ORB_init
//
// A program that does not call register_orb_initializer() does not link interceptors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <takt/interceptors/codec.h>
#include <takt/interceptors/interceptor.h>
#include <takt/interceptors/ior_interceptor.h>
#include <takt/interceptors/request_info.h>

namespace PortableInterceptor {

// For each attempt of a call: send_request, then exactly one of receive_*, unless send_request has thrown.
// All run in the calling thread. receive_* run in the reverse order of send_request.
class ClientRequestInterceptor : public virtual Interceptor {
  TAKT_INTERCEPTOR_INTERFACE(ClientRequestInterceptor, Interceptor)
  using Info = CORBA::object_reference<ClientRequestInfo>;
  virtual void send_request(Info info) = 0;       // may throw ForwardRequest
  virtual void send_poll(Info info) = 0;          // never called
  virtual void receive_reply(Info info) = 0;      // a reply with results
  virtual void receive_exception(Info info) = 0;  // may throw ForwardRequest
  // A oneway was sent, the call was forwarded, or it is sent again. May throw ForwardRequest.
  virtual void receive_other(Info info) = 0;
};

// For each request: receive_request_service_contexts, receive_request once the servant is known, and exactly
// one of send_*, unless the first has thrown. send_* run in the reverse order of the first.
class ServerRequestInterceptor : public virtual Interceptor {
  TAKT_INTERCEPTOR_INTERFACE(ServerRequestInterceptor, Interceptor)
  using Info = CORBA::object_reference<ServerRequestInfo>;
  virtual void receive_request_service_contexts(Info info) = 0;  // may throw ForwardRequest
  virtual void receive_request(Info info) = 0;                   // may throw ForwardRequest
  virtual void send_reply(Info info) = 0;
  virtual void send_exception(Info info) = 0;  // may throw ForwardRequest
  virtual void send_other(Info info) = 0;      // the request is forwarded. May throw ForwardRequest
};

// Makes the policies of a type, for ORB::create_policy().
class PolicyFactory : public virtual CORBA::LocalObject {
  TAKT_INTERCEPTOR_INTERFACE(PolicyFactory, LocalObject)
  // May throw CORBA::PolicyError.
  virtual CORBA::object_reference<CORBA::Policy> create_policy(CORBA::PolicyType type,
                                                               const CORBA::Any& value) = 0;
};

// Which requests an interceptor sees: those over a connection (REMOTE_ONLY), those of collocated objects
// (LOCAL_ONLY), or both, which is the default. ORB::create_policy() makes it of a short.
using ProcessingMode = std::int16_t;
inline constexpr ProcessingMode LOCAL_AND_REMOTE = 0, REMOTE_ONLY = 1, LOCAL_ONLY = 2;
inline constexpr CORBA::PolicyType PROCESSING_MODE_POLICY_TYPE = 100;
class ProcessingModePolicy final : public virtual CORBA::Policy, public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<ProcessingModePolicy>;
  explicit ProcessingModePolicy(ProcessingMode mode) : mode_(mode) {}
  ProcessingMode processing_mode() const { return mode_; }
  CORBA::PolicyType policy_type() override { return PROCESSING_MODE_POLICY_TYPE; }
  CORBA::object_reference<CORBA::Policy> copy() override {
    return CORBA::make_reference<ProcessingModePolicy>(mode_);
  }

 private:
  const ProcessingMode mode_;
};

// An ORB that begins. Only for the functions of ORBInitializers and their thread; later each member throws
// OBJECT_NOT_EXIST.
class ORBInitInfo : public virtual CORBA::LocalObject {
  TAKT_INTERCEPTOR_INTERFACE(ORBInitInfo, LocalObject)
  // Another interceptor of the kind has the name.
  class DuplicateName final : public CORBA::UserException {
   public:
    DuplicateName() = default;
    explicit DuplicateName(std::string name) : name_(std::move(name)) {}
    const std::string& name() const { return name_; }
    void name(std::string name) { name_ = std::move(name); }
    const char* _rep_id() const noexcept override {
      return "IDL:omg.org/PortableInterceptor/ORBInitInfo/DuplicateName:1.0";
    }
    const char* _name() const noexcept override { return "DuplicateName"; }
    const char* what() const noexcept override {
      return "PortableInterceptor::ORBInitInfo::DuplicateName: another interceptor of the kind has the name";
    }
    [[noreturn]] void _raise() const override { throw *this; }

   private:
    std::string name_;
  };
  // The name of an initial reference is empty, unknown or taken.
  class InvalidName final : public CORBA::UserException {
   public:
    const char* _rep_id() const noexcept override {
      return "IDL:omg.org/PortableInterceptor/ORBInitInfo/InvalidName:1.0";
    }
    const char* _name() const noexcept override { return "InvalidName"; }
    const char* what() const noexcept override {
      return "PortableInterceptor::ORBInitInfo::InvalidName: the name of an initial reference is empty, "
             "unknown or taken";
    }
    [[noreturn]] void _raise() const override { throw *this; }
  };

  // The arguments of ORB_init, with the program's name.
  virtual std::vector<std::string> arguments() = 0;
  virtual std::string orb_id() = 0;
  virtual CORBA::object_reference<IOP::CodecFactory> codec_factory() = 0;
  // InvalidName; BAD_PARAM (OMG minor 27) for nil.
  virtual void register_initial_reference(const std::string& id,
                                          CORBA::object_reference<CORBA::Object> object) = 0;
  // InvalidName. In pre_init: BAD_INV_ORDER (OMG minor 14).
  virtual CORBA::object_reference<CORBA::Object> resolve_initial_references(const std::string& id) = 0;
  // They run in the order in which they were added. DuplicateName; BAD_PARAM for nil.
  virtual void add_client_request_interceptor(
      CORBA::object_reference<ClientRequestInterceptor> interceptor) = 0;
  virtual void add_server_request_interceptor(
      CORBA::object_reference<ServerRequestInterceptor> interceptor) = 0;
  virtual void add_ior_interceptor(CORBA::object_reference<IORInterceptor> interceptor) = 0;
  virtual SlotId allocate_slot_id() = 0;
  // BAD_INV_ORDER (OMG minor 16) if the type has a factory, or is one of the ORB's own; BAD_PARAM for nil.
  virtual void register_policy_factory(CORBA::PolicyType type,
                                       CORBA::object_reference<PolicyFactory> factory) = 0;
};

class ORBInitInfo_3_1 : public virtual ORBInitInfo {
  TAKT_INTERCEPTOR_INTERFACE(ORBInitInfo_3_1, ORBInitInfo)
  // The only policy is ProcessingModePolicy; INV_POLICY for others.
  virtual void add_client_request_interceptor_with_policy(
      CORBA::object_reference<ClientRequestInterceptor> interceptor, const CORBA::PolicyList& policies) = 0;
  virtual void add_server_request_interceptor_with_policy(
      CORBA::object_reference<ServerRequestInterceptor> interceptor, const CORBA::PolicyList& policies) = 0;
  // INV_POLICY for any policy.
  virtual void add_ior_interceptor_with_policy(CORBA::object_reference<IORInterceptor> interceptor,
                                               const CORBA::PolicyList& policies) = 0;
};

// Called by ORB_init, in its thread: pre_init of all initializers, then post_init of all. Exceptions make
// ORB_init fail: system exceptions pass, others become INITIALIZE.
class ORBInitializer : public virtual CORBA::LocalObject {
  TAKT_INTERCEPTOR_INTERFACE(ORBInitializer, LocalObject)
  virtual void pre_init(CORBA::object_reference<ORBInitInfo> info) = 0;
  virtual void post_init(CORBA::object_reference<ORBInitInfo> info) = 0;
};

// Adds the initializer to all ORBs that this process makes later, in the order of registration. INV_OBJREF
// for nil. Any thread, also that of a plug-in's takt_plugin(), whose ORB has it already.
void register_orb_initializer(CORBA::object_reference<ORBInitializer> initializer);

#undef TAKT_INTERCEPTOR_INTERFACE

}  // namespace PortableInterceptor

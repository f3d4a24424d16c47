// The skeleton of Messaging::ReplyHandler, the base of the skeletons of reply handlers.
#pragma once

#include <string>

#include <takt/adapter/skeleton.h>
#include <takt/async/messaging.h>

namespace Messaging::POA {

class ReplyHandler : public virtual PortableServer::Servant {
 public:
  using _stub_type = ::Messaging::ReplyHandler;

  CORBA::object_reference<::Messaging::ReplyHandler> _this() {
    return takt::adapter::this_reference<::Messaging::ReplyHandler>(_this_ref());
  }
  bool _is_a(const std::string& id) override;
  std::string _repository_id() override;
  bool _dispatch(takt::server::ServerCall& call) override;
  bool _dispatch_searching(takt::server::ServerCall& call, takt::adapter::OperationSearch search) override;
  bool _dispatch_local(const takt::OperationId& operation, void* frame) override;
};

}  // namespace Messaging::POA

template <>
struct CORBA::servant_traits<::Messaging::ReplyHandler>
    : CORBA::detail::skeleton_traits<::Messaging::POA::ReplyHandler> {};

namespace CORBA {

// The types for asynchronous calls of an interface M::Foo of IDL compiled with --ami (after TAOX11's AMI).
template <class Interface>
struct amic_traits : IDL::traits<Interface> {
  using replyhandler_traits = IDL::traits<typename Interface::_ami_handler_type>;
  using replyhandler_ref_type = typename replyhandler_traits::ref_type;
  using replyhandler_weak_ref_type = typename replyhandler_traits::weak_ref_type;
  using replyhandler_servant_traits = servant_traits<typename Interface::_ami_handler_type>;
  using replyhandler_servant_ref_type = typename replyhandler_servant_traits::ref_type;
  using replyhandler_weak_servant_ref_type = typename replyhandler_servant_traits::weak_ref_type;
  using replyhandler_base_type = typename replyhandler_servant_traits::base_type;
};

}  // namespace CORBA

// The rows of tests/conformance/interceptors with the classic mapping.
#include "../conformance/interceptors/rows.h"

#include <future>

#include <takt/classic/messaging.h>

#include "asyncsS.h"
#include "interceptors.h"

namespace intercepted {
namespace {

using rows::Side;
using rows::Thrown;
typedef rows::Call::Outcome Outcome;
typedef rows::Call::Form Form;
using namespace PortableInterceptor;

// A member of an info: how it is used, and the value that it has; "" for "ok".
template <class Info>
struct Member {
  const char* name;
  std::string (*use)(Info info);
};
#define USES(STATEMENT)       \
  [](Info i) -> std::string { \
    STATEMENT;                \
    return "";                \
  }
#define TELLS(EXPRESSION) [](Info i) -> std::string { return EXPRESSION; }

std::string text_in(const CORBA::String_var& text) { return text.in(); }
// The last part of a system exception's completion status.
std::string status_of(const CORBA::SystemException& raised) {
  static const char* const statuses[] = {"YES", "NO", "MAYBE"};
  return statuses[raised.completed()];
}
std::string status_in(const CORBA::Any_var& any) {
  const CORBA::SystemException* raised = nullptr;
  if (any.in() >>= raised) return status_of(*raised);
  return "";
}
// As outcome_of(), and of system exceptions the status.
template <class Action>
std::string outcome_with_status_of(Action action) {
  std::string status;
  const std::string outcome = outcome_of([&] {
    try {
      action();
    } catch (const CORBA::SystemException& raised) {
      status = " " + status_of(raised);
      throw;
    }
  });
  return outcome + status;
}
IOP::ServiceContext some_context() {
  IOP::ServiceContext context;
  context.context_id = 78;
  return context;
}
IOP::TaggedComponent some_component() {
  IOP::TaggedComponent component;
  component.tag = 77;
  return component;
}

const std::vector<Member<ClientInfo>>& members(ClientInfo) {
  typedef ClientInfo Info;
  static const std::vector<Member<Info>> all{
      {"request_id", TELLS(std::to_string(i->request_id()))},
      {"operation", TELLS(text_in(i->operation()))},
      {"response_expected", TELLS(i->response_expected() ? "true" : "false")},
      {"target", USES(CORBA::Object_var o = i->target())},
      {"effective_target", USES(CORBA::Object_var o = i->effective_target())},
      {"effective_profile", USES(IOP::TaggedProfile_var p = i->effective_profile())},
      {"get_slot", USES(CORBA::Any_var a = i->get_slot(0))},
      {"get_slot of none", USES(CORBA::Any_var a = i->get_slot(9))},
      {"arguments", USES(Dynamic::ParameterList_var l = i->arguments())},
      {"exceptions", USES(Dynamic::ExceptionList_var l = i->exceptions())},
      {"contexts", USES(Dynamic::ContextList_var l = i->contexts())},
      {"operation_context", USES(Dynamic::RequestContext_var l = i->operation_context())},
      {"result", USES(CORBA::Any_var a = i->result())},
      {"sync_scope", USES(i->sync_scope())},
      {"reply_status", TELLS(std::to_string(i->reply_status()))},
      {"forward_reference", USES(CORBA::Object_var o = i->forward_reference())},
      {"get_request_service_context", USES(IOP::ServiceContext_var c = i->get_request_service_context(77))},
      {"get_reply_service_context", USES(IOP::ServiceContext_var c = i->get_reply_service_context(77))},
      {"received_exception", USES(CORBA::Any_var a = i->received_exception())},
      {"received_exception_id", TELLS(text_in(i->received_exception_id()))},
      {"status of received_exception", TELLS(status_in(i->received_exception()))},
      {"get_effective_component", USES(IOP::TaggedComponent_var c = i->get_effective_component(0))},
      {"get_effective_component of none",
       USES(IOP::TaggedComponent_var c = i->get_effective_component(7777))},
      {"get_effective_components", USES(IOP::TaggedComponentSeq_var c = i->get_effective_components(0))},
      {"get_effective_components of none",
       USES(IOP::TaggedComponentSeq_var c = i->get_effective_components(7777))},
      {"get_request_policy", USES(CORBA::Policy_var p = i->get_request_policy(24))},
      {"get_request_policy of no type", USES(CORBA::Policy_var p = i->get_request_policy(0x7777))},
      {"add_request_service_context", USES(i->add_request_service_context(some_context(), true))},
  };
  return all;
}
const std::vector<Member<ServerInfo>>& members(ServerInfo) {
  typedef ServerInfo Info;
  static const std::vector<Member<Info>> all{
      {"request_id", TELLS(std::to_string(i->request_id()))},
      {"operation", TELLS(text_in(i->operation()))},
      {"response_expected", TELLS(i->response_expected() ? "true" : "false")},
      {"sync_scope", USES(i->sync_scope())},
      {"arguments", USES(Dynamic::ParameterList_var l = i->arguments())},
      {"exceptions", USES(Dynamic::ExceptionList_var l = i->exceptions())},
      {"contexts", USES(Dynamic::ContextList_var l = i->contexts())},
      {"operation_context", USES(Dynamic::RequestContext_var l = i->operation_context())},
      {"result", USES(CORBA::Any_var a = i->result())},
      {"reply_status", TELLS(std::to_string(i->reply_status()))},
      {"forward_reference", USES(CORBA::Object_var o = i->forward_reference())},
      {"get_slot", USES(CORBA::Any_var a = i->get_slot(0))},
      {"get_slot of none", USES(CORBA::Any_var a = i->get_slot(9))},
      {"set_slot", USES(i->set_slot(0, CORBA::Any()))},
      {"set_slot of none", USES(i->set_slot(9, CORBA::Any()))},
      {"get_request_service_context", USES(IOP::ServiceContext_var c = i->get_request_service_context(77))},
      {"get_reply_service_context", USES(IOP::ServiceContext_var c = i->get_reply_service_context(77))},
      {"sending_exception", USES(CORBA::Any_var a = i->sending_exception())},
      {"status of sending_exception", TELLS(status_in(i->sending_exception()))},
      {"object_id", USES(CORBA::OctetSeq_var o = i->object_id())},
      {"adapter_id", USES(CORBA::OctetSeq_var o = i->adapter_id())},
      {"adapter_name", USES(AdapterName_var n = i->adapter_name())},
      {"server_id", USES(CORBA::String_var s = i->server_id())},
      {"orb_id", USES(CORBA::String_var s = i->orb_id())},
      {"target_most_derived_interface",
       TELLS(text_in(i->target_most_derived_interface()) == "IDL:Subject:1.0" ? "" : "another")},
      {"target_is_a", TELLS(i->target_is_a("IDL:Subject:1.0") ? "" : "no")},
      {"get_server_policy of no type", USES(CORBA::Policy_var p = i->get_server_policy(0x7777))},
      {"add_reply_service_context", USES(i->add_reply_service_context(some_context(), true))},
  };
  return all;
}
const std::vector<Member<IORInfo_ptr>>& members(IORInfo_ptr) {
  typedef IORInfo_ptr Info;
  static const std::vector<Member<Info>> all{
      {"get_effective_policy", USES(CORBA::Policy_var p = i->get_effective_policy(16))},
      {"get_effective_policy of no type", USES(CORBA::Policy_var p = i->get_effective_policy(0x7777))},
      {"add_ior_component", USES(i->add_ior_component(some_component()))},
      {"add_ior_component_to_profile", USES(i->add_ior_component_to_profile(some_component(), 0))},
      {"add_ior_component_to no profile", USES(i->add_ior_component_to_profile(some_component(), 0x7777))},
      {"manager_id", TELLS(i->manager_id() > 0 ? "" : "none")},
      {"state", USES(i->state())},
      {"adapter_template", USES(ObjectReferenceTemplate_var t = i->adapter_template())},
      {"current_factory", USES(ObjectReferenceFactory_var f = i->current_factory())},
      {"set current_factory",
       USES(ObjectReferenceFactory_var f = i->current_factory(); i->current_factory(f.in()))},
      {"set current_factory to nil", USES(i->current_factory(nullptr))},
  };
  return all;
}

std::string last_part(std::string id) {
  id.erase(id.rfind(':'));
  return id.substr(std::max(id.rfind('/'), id.rfind(':')) + 1);
}

template <class Interface>
rows::Ask asking(Interface* info) {
  const typename Interface::_var_type kept = Interface::_duplicate(info);
  return [kept](const std::string& name) {
    for (const auto& member : members(kept.in())) {
      if (name != member.name) continue;
      std::string value;
      const std::string outcome = outcome_of([&] { value = member.use(kept.in()); });
      if (outcome != "ok" || value.empty()) return outcome;
      return name == "received_exception_id" ? last_part(value) : value;
    }
    return "no member " + name;
  };
}

// Where forwards lead, for the ORB whose interceptors throw.
struct Refuge {
  CORBA::ORB_var orb;  // the caller's
  std::string text;
  AMI_SubjectHandler_var handler;  // for asynchronous calls; its own calls have names of the rows' operations
};
Refuge& the_refuge() {
  static Refuge refuge;
  return refuge;
}
void raise(Thrown what) {
  if (what == Thrown::system_exception) throw CORBA::NO_PERMISSION(77, CORBA::COMPLETED_NO);
  if (what == Thrown::forward) {
    const CORBA::Object_var there = the_refuge().orb->string_to_object(the_refuge().text.c_str());
    throw ForwardRequest(there.in());
  }
  if (what == Thrown::user_exception) throw Broad::Refused();
  if (what == Thrown::number) throw 5;
  if (what == Thrown::nil_forward) throw ForwardRequest(CORBA::Object::_nil());
}

class Numbered {
 protected:
  explicit Numbered(int number) : number_(number) {}
  char* own_name() const { return CORBA::string_dup(("row " + std::to_string(number_)).c_str()); }
  void at(const char* point, ClientInfo info) {
    const CORBA::Object_var target = info->target();
    if (!target->_is_equivalent(the_refuge().handler)) report(Side::client, point, info);
  }
  void at(const char* point, ServerInfo info) { report(Side::server, point, info); }

 private:
  template <class Interface>
  void report(Side side, const char* point, Interface* info) {
    raise(rows::at(side, number_, point, text_in(info->operation()), asking(info)));
  }
  const int number_;
};
class RowClient : public virtual ClientRequestInterceptor,
                  public virtual CORBA::LocalObject,
                  private Numbered {
 public:
  explicit RowClient(int number) : Numbered(number) {}
  char* name() { return own_name(); }
  void destroy() {}
  void send_request(ClientInfo info) { at("send_request", info); }
  void send_poll(ClientInfo info) { at("send_poll", info); }
  void receive_reply(ClientInfo info) { at("receive_reply", info); }
  void receive_exception(ClientInfo info) { at("receive_exception", info); }
  void receive_other(ClientInfo info) { at("receive_other", info); }
};
class RowServer : public virtual ServerRequestInterceptor,
                  public virtual CORBA::LocalObject,
                  private Numbered {
 public:
  explicit RowServer(int number) : Numbered(number) {}
  char* name() { return own_name(); }
  void destroy() {}
  void receive_request_service_contexts(ServerInfo info) { at("receive_request_service_contexts", info); }
  void receive_request(ServerInfo info) { at("receive_request", info); }
  void send_reply(ServerInfo info) { at("send_reply", info); }
  void send_exception(ServerInfo info) { at("send_exception", info); }
  void send_other(ServerInfo info) { at("send_other", info); }
};

class Subject_i : public virtual POA_Subject {
 public:
  CORBA::Long twice(CORBA::Long n) { return 2 * n; }
  void refuse() { throw Subject::Refused(); }
  void fail() { throw CORBA::NO_RESOURCES(7, CORBA::COMPLETED_YES); }
  void fire() {}
};

class DynamicSubject_i : public virtual PortableServer::DynamicImplementation {
 public:
  explicit DynamicSubject_i(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}
  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) {
    return CORBA::string_dup("IDL:Subject:1.0");
  }
  void invoke(CORBA::ServerRequest_ptr request) {
    const std::string operation = request->operation();
    CORBA::NVList_ptr arguments;
    orb_->create_list(0, arguments);
    if (operation == "twice") arguments->add(CORBA::ARG_IN)->value()->replace(CORBA::_tc_long, nullptr);
    request->arguments(arguments);
    CORBA::Any value;
    if (operation == "fail") throw CORBA::NO_RESOURCES(7, CORBA::COMPLETED_YES);
    if (operation == "refuse") {
      value <<= Subject::Refused();
      request->set_exception(value);
    } else if (operation == "twice") {
      value <<= CORBA::Long(6);
      request->set_result(value);
    }
  }

 private:
  const CORBA::ORB_var orb_;
};

class Forwarding : public virtual PortableServer::ServantLocator, public virtual CORBA::LocalObject {
 public:
  PortableServer::Servant preinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                                    Cookie&) {
    const CORBA::Object_var there = the_refuge().orb->string_to_object(the_refuge().text.c_str());
    throw PortableServer::ForwardRequest(there.in());
  }
  void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*, Cookie,
                  PortableServer::Servant) {}
};

// Tells the outcome of one asynchronous call at a time.
class Handler : public virtual POA_AMI_SubjectHandler {
 public:
  void twice(CORBA::Long) { outcome_.set_value("ok"); }
  void twice_excep(Messaging::ExceptionHolder* holder) { failed(holder); }
  void refuse() { outcome_.set_value("ok"); }
  void refuse_excep(Messaging::ExceptionHolder* holder) { failed(holder); }
  void fail() { outcome_.set_value("ok"); }
  void fail_excep(Messaging::ExceptionHolder* holder) { failed(holder); }
  std::future<std::string> next() {
    outcome_ = std::promise<std::string>();
    return outcome_.get_future();
  }
  static std::string got_by(std::future<std::string> got) {
    return got.wait_for(std::chrono::seconds(30)) == std::future_status::ready ? got.get() : "none";
  }

 private:
  void failed(Messaging::ExceptionHolder* holder) {
    outcome_.set_value(outcome_with_status_of([&] { holder->raise_exception(); }));
  }
  std::promise<std::string> outcome_;
};

std::string text_of(CORBA::ORB_ptr orb, CORBA::Object_ptr object) {
  const CORBA::String_var text = orb->object_to_string(object);
  return text.in();
}
PortableServer::POA_ptr active_root(CORBA::ORB_ptr orb) {
  const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var root = PortableServer::POA::_narrow(object);
  const PortableServer::POAManager_var manager = root->the_POAManager();
  manager->activate();
  return root._retn();
}

class Rows : public testing::Test, public rows::Mapping {
 protected:
  void SetUp() override {
    register_once();
    elsewhere_ = intercepted::make_orb("elsewhere");
    const PortableServer::POA_var root = active_root(elsewhere_);
    the_refuge().text = serve(elsewhere_, root, new Subject_i);
    handler_text_ = serve(elsewhere_, root, handler_ = new Handler);
    script().pre_init = [](ORBInitInfo_ptr info) {
      info->allocate_slot_id();
      for (int i = 0; i != 3; ++i) {
        const ClientRequestInterceptor_var client = new RowClient(i);
        info->add_client_request_interceptor(client.in());
        const ServerRequestInterceptor_var server = new RowServer(i);
        info->add_server_request_interceptor(server.in());
      }
    };
  }
  void TearDown() override {
    script() = Script();
    the_refuge().handler = AMI_SubjectHandler::_nil();
    the_refuge().orb = CORBA::ORB::_nil();
    elsewhere_->destroy();
  }
  void run(CORBA::ORB_ptr server, CORBA::ORB_ptr client, rows::Call::Road road) {
    the_refuge().orb = CORBA::ORB::_duplicate(client);
    const CORBA::Object_var handler = client->string_to_object(handler_text_.c_str());
    the_refuge().handler = AMI_SubjectHandler::_unchecked_narrow(handler);
    const PortableServer::POA_var root = active_root(server);
    skeleton_ = serve(server, root, new Subject_i);
    dynamic_ = serve(server, root, new DynamicSubject_i(server));
    absent_ = serve(server, root, new Subject_i, false);
    CORBA::PolicyList policies(2);
    policies.length(2);
    policies[0] = root->create_servant_retention_policy(PortableServer::NON_RETAIN);
    policies[1] = root->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
    const PortableServer::POAManager_var manager = root->the_POAManager();
    const PortableServer::POA_var forwarding = root->create_POA("forwarding", manager, policies);
    const PortableServer::ServantManager_var locator = new Forwarding;
    forwarding->set_servant_manager(locator);
    const CORBA::Object_var moved = forwarding->create_reference("IDL:Subject:1.0");
    forward_ = text_of(server, moved);
    ready_ = fresh(dynamic_);
    rows::run_requests(*this, road);
    ready_ = Subject::_nil();
    the_refuge().handler = AMI_SubjectHandler::_nil();
  }

  std::string operation(Outcome outcome) override {
    if (outcome == Outcome::user_exception) return "refuse";
    if (outcome == Outcome::system_exception) return "fail";
    return outcome == Outcome::oneway ? "fire" : "twice";
  }
  std::string refuge() const override { return the_refuge().text; }
  std::string make(const rows::Call& call) override {
    const std::string peer = rows::peer_of(call);
    const Subject_var subject = fresh(!peer.empty()                                  ? peer
                                      : call.outcome == Outcome::forward             ? forward_
                                      : call.outcome == Outcome::absent              ? absent_
                                      : call.servant == rows::Call::Servant::dynamic ? dynamic_
                                                                                     : skeleton_);
    const std::string name = operation(call.outcome);
    std::string by_handler;
    const std::string outcome = outcome_with_status_of([&] {
      if (call.form == Form::stub)
        make_by_stub(subject, name);
      else if (call.form == Form::asynchronous)
        by_handler = make_asynchronously(subject, name);
      else
        make_dynamically(subject, name, call.form == Form::deferred);
    });
    if (call.outcome == Outcome::oneway) ready_->twice(3);  // behind it on the connection
    return by_handler.empty() ? outcome : by_handler;
  }

 private:
  static std::string serve(CORBA::ORB_ptr orb, PortableServer::POA_ptr root, PortableServer::Servant servant,
                           bool stays = true) {
    const PortableServer::ObjectId_var id = root->activate_object(servant);
    servant->_remove_ref();
    const CORBA::Object_var object = root->id_to_reference(id.in());
    if (!stays) root->deactivate_object(id.in());
    return text_of(orb, object);
  }
  static Subject_ptr fresh(const std::string& text) {
    const CORBA::Object_var object = the_refuge().orb->string_to_object(text.c_str());
    return Subject::_unchecked_narrow(object);
  }
  static void make_by_stub(Subject_ptr subject, const std::string& name) {
    if (name == "refuse") return subject->refuse();
    if (name == "fail") return subject->fail();
    if (name == "fire") return subject->fire();
    EXPECT_EQ(subject->twice(3), 6);
  }
  std::string make_asynchronously(Subject_ptr subject, const std::string& name) {
    const AMI_SubjectHandler_ptr handler = the_refuge().handler;
    std::future<std::string> outcome = handler_->next();
    const std::string refused = outcome_with_status_of([&] {
      if (name == "refuse") return subject->sendc_refuse(handler);
      if (name == "fail") return subject->sendc_fail(handler);
      subject->sendc_twice(handler, 3);
    });
    return refused == "ok" ? Handler::got_by(std::move(outcome)) : refused;
  }
  static void make_dynamically(Subject_ptr subject, const std::string& name, bool deferred) {
    const CORBA::Request_var request = subject->_request(name.c_str());
    if (name == "twice") {
      request->add_in_arg() <<= CORBA::Long(3);
      request->set_return_type(CORBA::_tc_long);
    } else if (name == "refuse") {
      request->exceptions()->add(Subject::_tc_Refused);
    }
    if (name == "fire") {
      request->send_oneway();
    } else if (deferred) {
      request->send_deferred();
      request->get_response();
    } else {
      request->invoke();
    }
    CORBA::Exception* const raised = request->env()->exception();
    if (!raised) return;
    if (CORBA::UnknownUserException::_downcast(raised)) throw Subject::Refused();
    raised->_raise();
  }

  CORBA::ORB_var elsewhere_;
  Handler* handler_ = nullptr;  // the adapter's
  std::string handler_text_, skeleton_, dynamic_, absent_, forward_;
  Subject_var ready_;
};

TEST_F(Rows, OfCallsOverAConnection) {
  const CORBA::ORB_var server = intercepted::make_orb("server"), client = intercepted::make_orb("client");
  run(server, client, rows::Call::Road::connection);
  client->destroy();
  server->destroy();
}

TEST_F(Rows, OfCallsWithinTheProcess) {
  const CORBA::ORB_var orb = intercepted::make_orb("both");
  run(orb, orb, rows::Call::Road::process);
  orb->destroy();
}

TEST_F(Rows, OfReferences) {
  const CORBA::ORB_var orb = intercepted::make_orb("server");
  const PortableServer::POA_var root = active_root(orb);
  script().references = [](IORInfo_ptr info) {
    raise(rows::at(rows::IorPoint::establish_components, asking(info)));
  };
  script().established = [](IORInfo_ptr info) {
    raise(rows::at(rows::IorPoint::components_established, asking(info)));
  };
  rows::run_references([&] {
    return outcome_of([&] {
      const PortableServer::POA_var one =
          root->create_POA("one", PortableServer::POAManager::_nil(), CORBA::PolicyList());
      one->destroy(true, true);
    });
  });
  script() = Script();
  orb->destroy();
}

}  // namespace
}  // namespace intercepted

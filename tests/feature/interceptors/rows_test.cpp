// The rows of tests/conformance/interceptors with the C++11 mapping.
#include <takt/async/pending.h>
#include <takt/dynamic/request.h>
#include <takt/dynamic/server_request.h>
#include <takt/reference/messaging.h>

#include "../../conformance/interceptors/rows.h"
#include "asynchronous/greeter.h"
#include "probes.h"

namespace feature::rows_of_this_mapping {
namespace {

using rows::Side;
using rows::Thrown;
using Outcome = rows::Call::Outcome;
using Form = rows::Call::Form;
using Road = rows::Call::Road;
using GreeterRef = IDL::traits<Async::Greeter>::ref_type;
using RequestRef = CORBA::object_reference<CORBA::Request>;
using ServerRequestRef = CORBA::object_reference<CORBA::ServerRequest>;

// A member of an info, and how it is asked: "" for "ok", or a value.
template <class Info>
struct Member {
  const char* name;
  std::string (*use)(const Info& info);
};
#define USES(EXPRESSION) [](const auto& i) -> std::string { return (void)(EXPRESSION), ""; }
#define TELLS(EXPRESSION) [](const auto& i) -> std::string { return (EXPRESSION); }

// The last part of a system exception's completion status.
std::string status_in(const CORBA::Any& exception) {
  const std::string text = takt::cdr::text_of(exception);
  for (const char* const status : {"YES", "NO", "MAYBE"})
    if (text.find(std::string("COMPLETED_") + status) != text.npos) return status;
  return "";
}

const std::vector<Member<ClientInfoRef>> client_members{
    {"request_id", TELLS(std::to_string(i->request_id()))},
    {"operation", TELLS(i->operation())},
    {"response_expected", TELLS(i->response_expected() ? "true" : "false")},
    {"target", USES(i->target())},
    {"effective_target", USES(i->effective_target())},
    {"effective_profile", USES(i->effective_profile())},
    {"get_slot", USES(i->get_slot(0))},
    {"get_slot of none", USES(i->get_slot(9))},
    {"arguments", USES(i->arguments())},
    {"exceptions", USES(i->exceptions())},
    {"contexts", USES(i->contexts())},
    {"operation_context", USES(i->operation_context())},
    {"result", USES(i->result())},
    {"sync_scope", USES(i->sync_scope())},
    {"reply_status", TELLS(std::to_string(i->reply_status()))},
    {"forward_reference", USES(i->forward_reference())},
    {"get_request_service_context", USES(i->get_request_service_context(77))},
    {"get_reply_service_context", USES(i->get_reply_service_context(77))},
    {"received_exception", USES(i->received_exception())},
    {"received_exception_id", TELLS(i->received_exception_id())},
    {"status of received_exception", TELLS(status_in(i->received_exception()))},
    {"get_effective_component", USES(i->get_effective_component(IOP::TAG_ORB_TYPE))},
    {"get_effective_component of none", USES(i->get_effective_component(0x7777))},
    {"get_effective_components", USES(i->get_effective_components(IOP::TAG_CODE_SETS))},
    {"get_effective_components of none", USES(i->get_effective_components(0x7777))},
    {"get_request_policy", USES(i->get_request_policy(Messaging::SYNC_SCOPE_POLICY_TYPE))},
    {"get_request_policy of no type", USES(i->get_request_policy(0x7777))},
    {"add_request_service_context", USES(i->add_request_service_context({78, {1}}, true))},
};
const std::vector<Member<ServerInfoRef>> server_members{
    {"request_id", TELLS(std::to_string(i->request_id()))},
    {"operation", TELLS(i->operation())},
    {"response_expected", TELLS(i->response_expected() ? "true" : "false")},
    {"sync_scope", USES(i->sync_scope())},
    {"arguments", USES(i->arguments())},
    {"exceptions", USES(i->exceptions())},
    {"contexts", USES(i->contexts())},
    {"operation_context", USES(i->operation_context())},
    {"result", USES(i->result())},
    {"reply_status", TELLS(std::to_string(i->reply_status()))},
    {"forward_reference", USES(i->forward_reference())},
    {"get_slot", USES(i->get_slot(0))},
    {"get_slot of none", USES(i->get_slot(9))},
    {"set_slot", USES(i->set_slot(0, any_of_long(1)))},
    {"set_slot of none", USES(i->set_slot(9, any_of_long(1)))},
    {"get_request_service_context", USES(i->get_request_service_context(77))},
    {"get_reply_service_context", USES(i->get_reply_service_context(77))},
    {"sending_exception", USES(i->sending_exception())},
    {"status of sending_exception", TELLS(status_in(i->sending_exception()))},
    {"object_id", USES(i->object_id())},
    {"adapter_id", USES(i->adapter_id())},
    {"adapter_name", USES(i->adapter_name())},
    {"server_id", USES(i->server_id())},
    {"orb_id", USES(i->orb_id())},
    {"target_most_derived_interface",
     TELLS(i->target_most_derived_interface() == "IDL:Async/Greeter:1.0" ? "" : "another")},
    {"target_is_a", TELLS(i->target_is_a("IDL:Async/Greeter:1.0") ? "" : "no")},
    {"get_server_policy of no type", USES(i->get_server_policy(0x7777))},
    {"add_reply_service_context", USES(i->add_reply_service_context({78, {1}}, true))},
};
using IorInfoRef = IDL::traits<PI::IORInfo>::ref_type;
const std::vector<Member<IorInfoRef>> ior_members{
    {"get_effective_policy", USES(i->get_effective_policy(PortableServer::THREAD_POLICY_ID))},
    {"get_effective_policy of no type", USES(i->get_effective_policy(0x7777))},
    {"add_ior_component", USES(i->add_ior_component({77, {}}))},
    {"add_ior_component_to_profile", USES(i->add_ior_component_to_profile({77, {}}, IOP::TAG_INTERNET_IOP))},
    {"add_ior_component_to no profile", USES(i->add_ior_component_to_profile({77, {}}, 0x7777))},
    {"manager_id", TELLS(i->manager_id() > 0 ? "" : "none")},
    {"state", USES(i->state())},
    {"adapter_template", USES(i->adapter_template())},
    {"current_factory", USES(i->current_factory())},
    {"set current_factory", USES(i->current_factory(i->current_factory()))},
    {"set current_factory to nil", USES(i->current_factory({}))},
};

// An exception's id without its prefix and version.
std::string last_part(std::string id) {
  id.erase(id.rfind(':'));
  return id.substr(id.rfind('/') + 1);
}

template <class Info>
rows::Ask asking(const std::vector<Member<Info>>& members, const Info& info) {
  return [&members, info](const std::string& name) {
    const auto found = std::ranges::find(members, name, &Member<Info>::name);
    if (found == members.end()) return "no member " + name;
    std::string value;
    const std::string outcome = outcome_of([&] { value = found->use(info); });
    if (outcome != "ok" || value.empty()) return outcome;
    return name == "received_exception_id" ? last_part(value) : value;
  };
}

// The operations of the rows, by hand.
class DynamicGreeter final : public virtual PortableServer::DynamicImplementation {
 public:
  void invoke(ServerRequestRef request) override {
    const auto list = CORBA::make_reference<CORBA::NVList>();
    CORBA::Any value;
    if (request->operation() == "twice")
      list->add(CORBA::ARG_IN)->value().type(IDL::type_code<std::int32_t>());
    else if (request->operation() == "refuse")
      list->add(CORBA::ARG_IN)->value().type(IDL::type_code<std::string>());
    request->arguments(list);
    if (request->operation() == "fail") throw CORBA::NO_RESOURCES(7, CORBA::COMPLETED_YES);
    if (request->operation() == "refuse") {
      value <<= Async::Refused("no", L"", 42);
      request->set_exception(value);
    } else if (request->operation() == "twice") {
      value <<= std::int32_t{6};
      request->set_result(value);
    }
  }
  std::string _primary_interface(const PortableServer::ObjectId&,
                                 CORBA::object_reference<PortableServer::POA>) override {
    return "IDL:Async/Greeter:1.0";
  }
};

class Forwarding final : public IDL::traits<PortableServer::ServantLocator>::base_type {
 public:
  explicit Forwarding(AnyObject to) : to_(std::move(to)) {}
  CORBA::servant_reference<PortableServer::Servant> preinvoke(const PortableServer::ObjectId&, Poa,
                                                              const std::string&, Cookie&) override {
    throw PortableServer::ForwardRequest(to_);
  }
  void postinvoke(const PortableServer::ObjectId&, Poa, const std::string&, Cookie,
                  CORBA::servant_reference<PortableServer::Servant>) override {}

 private:
  const AnyObject to_;
};

// The objects of the rows in one server.
struct Objects {
  Objects(const Orb& orb, const Poa& root, const std::string& elsewhere) {
    const auto text = [&](const AnyObject& object) { return orb->object_to_string(object); };
    skeleton = text(root->id_to_reference(root->activate_object(CORBA::make_reference<GreeterServant>())));
    dynamic = text(root->id_to_reference(root->activate_object(CORBA::make_reference<DynamicGreeter>())));
    const auto id = root->activate_object(CORBA::make_reference<GreeterServant>());
    absent = text(root->id_to_reference(id));
    root->deactivate_object(id);
    using namespace PortableServer;
    const Poa poa = root->create_POA(
        "forwarding", root->the_POAManager(),
        {root->create_servant_retention_policy(ServantRetentionPolicyValue::NON_RETAIN),
         root->create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
    poa->set_servant_manager(CORBA::make_reference<Forwarding>(orb->string_to_object(elsewhere)));
    forward = text(poa->create_reference("IDL:Async/Greeter:1.0"));
  }
  std::string of(const rows::Call& call) const {
    if (const std::string peer = rows::peer_of(call); !peer.empty()) return peer;
    if (call.outcome == Outcome::forward) return forward;
    if (call.outcome == Outcome::absent) return absent;
    return call.servant == rows::Call::Servant::dynamic ? dynamic : skeleton;
  }
  std::string skeleton, dynamic, absent, forward;
};

// An object without interceptors.
struct Refuge {
  Orb orb = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "elsewhere");
  Poa root = root_poa(orb);
  std::string text = orb->object_to_string(
      root->id_to_reference(root->activate_object(CORBA::make_reference<GreeterServant>())));
  Refuge() { root->the_POAManager()->activate(); }
  ~Refuge() { orb->destroy(); }
};

// Three interceptors on each side that report to the rows.
class Rows : public Intercepted, public rows::Mapping {
 protected:
  Rows() {
    first = [](const InitInfoRef& info) {
      if (info->orb_id() != "elsewhere") info->allocate_slot_id();
    };
    for (int i = 0; i < 3; ++i) {
      clients[static_cast<std::size_t>(i)]->on = [this, i](const std::string& point,
                                                           const ClientInfoRef& info) {
        raise(rows::at(Side::client, i, point, info->operation(), asking(client_members, info)));
      };
      servers[static_cast<std::size_t>(i)]->on = [this, i](const std::string& point,
                                                           const ServerInfoRef& info) {
        raise(rows::at(Side::server, i,
                       point == "receive_contexts" ? "receive_request_service_contexts" : point,
                       info->operation(), asking(server_members, info)));
      };
    }
  }
  ~Rows() override {
    for (const auto& one : clients) one->on = nullptr;
    for (const auto& one : servers) one->on = nullptr;
  }
  void raise(Thrown what) const {
    if (what == Thrown::system_exception) throw CORBA::NO_PERMISSION(77, CORBA::COMPLETED_NO);
    if (what == Thrown::forward) throw PI::ForwardRequest(caller->string_to_object(refuge_.text));
    if (what == Thrown::user_exception) throw Async::Unlisted();
    if (what == Thrown::number) throw 5;
    if (what == Thrown::nil_forward) throw PI::ForwardRequest();
  }
  GreeterRef fresh(const std::string& text) const {
    return IDL::traits<Async::Greeter>::unchecked_narrow(caller->string_to_object(text));
  }

  std::string operation(Outcome outcome) override {
    if (outcome == Outcome::user_exception) return "refuse";
    if (outcome == Outcome::system_exception) return "fail";
    return outcome == Outcome::oneway ? "fire" : "twice";
  }
  std::string refuge() const override { return refuge_.text; }
  std::string make(const rows::Call& call) override {
    const GreeterRef greeter = fresh(objects->of(call));
    const std::string name = operation(call.outcome);
    const char* completed = "";
    std::string outcome = outcome_of([&] {
      try {
        if (call.form == Form::stub) return make_by_stub(*greeter, name);
        if (call.form == Form::asynchronous) return make_asynchronously(*greeter, name);
        make_dynamically(greeter, name, call.form == Form::deferred);
      } catch (const CORBA::SystemException& raised) {
        completed = std::array{" YES", " NO", " MAYBE"}.at(static_cast<std::size_t>(raised.completed()));
        throw;
      }
    });
    outcome += completed;
    if (call.outcome == Outcome::oneway) (void)synchronized->twice(3);  // behind it on the connection
    return outcome == "UnknownUserException" ? "Refused" : outcome;
  }

  const Refuge refuge_;
  Orb caller;
  GreeterRef synchronized;
  std::unique_ptr<Objects> objects;

 private:
  static void make_by_stub(Async::Greeter& greeter, const std::string& name) {
    if (name == "refuse") return greeter.refuse("no");
    if (name == "fail") return greeter.fail();
    if (name == "fire") return greeter.fire();
    EXPECT_EQ(greeter.twice(3), 6);
  }
  static void make_asynchronously(Async::Greeter& greeter, const std::string& name) {
    if (name == "refuse") return greeter.async_refuse("no").get();
    if (name == "fail") return greeter.async_fail().get();
    EXPECT_EQ(greeter.async_twice(3).get(), 6);
  }
  static void make_dynamically(const GreeterRef& greeter, const std::string& name, bool deferred) {
    const RequestRef request = greeter->_request(name);
    if (name == "twice") {
      request->add_in_arg() <<= std::int32_t{3};
      request->set_return_type(IDL::type_code<std::int32_t>());
    } else if (name == "refuse") {
      request->add_in_arg() <<= std::string("no");
      request->exceptions().push_back(IDL::type_code<Async::Refused>());
    }
    if (name == "fire") return request->send_oneway();
    if (!deferred) return request->invoke();
    request->send_deferred();
    request->get_response();
  }
};

TEST_F(Rows, OfCallsOverAConnection) {
  const OrbPair orbs;
  caller = orbs.client;
  objects = std::make_unique<Objects>(orbs.server, orbs.root, refuge_.text);
  synchronized = fresh(objects->dynamic);
  rows::run_requests(*this, Road::connection);
  synchronized = nullptr;
  caller = nullptr;
}

TEST_F(Rows, OfCallsWithinTheProcess) {
  caller = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "both");
  const Poa root = root_poa(caller);
  root->the_POAManager()->activate();
  objects = std::make_unique<Objects>(caller, root, refuge_.text);
  synchronized = fresh(objects->dynamic);
  rows::run_requests(*this, Road::process);
  synchronized = nullptr;
  caller->destroy();
}

class ReferenceRows final : public IDL::traits<PI::IORInterceptor_3_0>::base_type {
 public:
  std::string name() override { return "references"; }
  void destroy() override {}
  void establish_components(Info info) override { at(rows::IorPoint::establish_components, info); }
  void components_established(Info info) override { at(rows::IorPoint::components_established, info); }
  void adapter_manager_state_changed(PI::AdapterManagerId, PI::AdapterState) override {}
  void adapter_state_changed(const PI::ObjectReferenceTemplateSeq&, PI::AdapterState) override {}

 private:
  static void at(rows::IorPoint point, const IorInfoRef& info) {
    const Thrown what = rows::at(point, asking(ior_members, info));
    if (what == Thrown::system_exception) throw CORBA::NO_PERMISSION(77, CORBA::COMPLETED_NO);
    if (what == Thrown::user_exception) throw Async::Unlisted();
    if (what == Thrown::number) throw 5;
  }
};

TEST_F(WithInitializers, RowsOfReferences) {
  Initializing::present().pre = [](const InitInfoRef& info) {
    info->add_ior_interceptor(CORBA::make_reference<ReferenceRows>());
  };
  const Orb orb = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "server");
  const Poa root = root_poa(orb);
  rows::run_references(
      [&] { return outcome_of([&] { root->create_POA("one", nullptr, {})->destroy(true, true); }); });
  orb->destroy();
}

}  // namespace
}  // namespace feature::rows_of_this_mapping

// Interceptors of a program in the style of TAO's, which do what a test says.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <takt/classic/interceptors.h>

#include "servants.h"

namespace intercepted {

using ClientInfo = PortableInterceptor::ClientRequestInfo_ptr;
using ServerInfo = PortableInterceptor::ServerRequestInfo_ptr;
typedef std::vector<std::string> Words;

// Functions that run at points, for the ORBs that are made while it is set.
struct Script {
  std::function<void(const std::string& point, ClientInfo info)> client;
  std::function<void(const std::string& point, ServerInfo info)> server;
  std::function<void(PortableInterceptor::IORInfo_ptr info)> references, established;
  std::vector<std::string> states;  // states of managers and adapters
  std::function<void(PortableInterceptor::ORBInitInfo_ptr info)> pre_init, post_init;
  int destroyed = 0;
};
inline Script& script() {
  static Script script;
  return script;
}

class Client : public virtual PortableInterceptor::ClientRequestInterceptor,
               public virtual CORBA::LocalObject {
 public:
  explicit Client(const char* name = "client") : name_(name) {}
  char* name() { return CORBA::string_dup(name_.c_str()); }
  void destroy() { ++script().destroyed; }
  void send_request(ClientInfo info) { run("send_request", info); }
  void send_poll(ClientInfo info) { run("send_poll", info); }
  void receive_reply(ClientInfo info) { run("receive_reply", info); }
  void receive_exception(ClientInfo info) { run("receive_exception", info); }
  void receive_other(ClientInfo info) { run("receive_other", info); }

 private:
  void run(const char* point, ClientInfo info) {
    if (script().client) script().client(point, info);
  }
  const std::string name_;
};

class Server : public virtual PortableInterceptor::ServerRequestInterceptor,
               public virtual CORBA::LocalObject {
 public:
  char* name() { return CORBA::string_dup("server"); }
  void destroy() { ++script().destroyed; }
  void receive_request_service_contexts(ServerInfo info) { run("receive_request_service_contexts", info); }
  void receive_request(ServerInfo info) { run("receive_request", info); }
  void send_reply(ServerInfo info) { run("send_reply", info); }
  void send_exception(ServerInfo info) { run("send_exception", info); }
  void send_other(ServerInfo info) { run("send_other", info); }

 private:
  void run(const char* point, ServerInfo info) {
    if (script().server) script().server(point, info);
  }
};

class References : public virtual PortableInterceptor::IORInterceptor_3_0, public virtual CORBA::LocalObject {
 public:
  char* name() { return CORBA::string_dup("references"); }
  void destroy() { ++script().destroyed; }
  void establish_components(PortableInterceptor::IORInfo_ptr info) {
    if (script().references) script().references(info);
  }
  void components_established(PortableInterceptor::IORInfo_ptr info) {
    if (script().established) script().established(info);
  }
  void adapter_manager_state_changed(PortableInterceptor::AdapterManagerId,
                                     PortableInterceptor::AdapterState to) {
    script().states.push_back("manager " + std::to_string(to));
  }
  void adapter_state_changed(const PortableInterceptor::ObjectReferenceTemplateSeq& templates,
                             PortableInterceptor::AdapterState to) {
    const PortableInterceptor::AdapterName_var name = templates[0]->adapter_name();
    script().states.push_back(std::string(name.in()[name->length() - 1]) + " " + std::to_string(to));
  }
};

class Init : public virtual PortableInterceptor::ORBInitializer, public virtual CORBA::LocalObject {
 public:
  void pre_init(PortableInterceptor::ORBInitInfo_ptr info) {
    if (script().pre_init) script().pre_init(info);
    PortableInterceptor::ClientRequestInterceptor_var client = new Client;
    info->add_client_request_interceptor(client.in());
    PortableInterceptor::ServerRequestInterceptor_var server = new Server;
    info->add_server_request_interceptor(server.in());
    PortableInterceptor::IORInterceptor_var references = new References;
    info->add_ior_interceptor(references.in());
  }
  void post_init(PortableInterceptor::ORBInitInfo_ptr info) {
    if (script().post_init) script().post_init(info);
  }
};

inline void register_once() {
  static const bool registered = [] {
    PortableInterceptor::ORBInitializer_var init = new Init;
    PortableInterceptor::register_orb_initializer(init.in());
    return true;
  }();
  (void)registered;
}

// "ok", the name of a user exception, or that of a system exception with its OMG minor code.
template <class Action>
std::string outcome_of(Action action) {
  try {
    action();
    return "ok";
  } catch (const CORBA::SystemException& failure) {
    return std::string(failure._name()) + " " + std::to_string(failure.minor() & 0xfff);
  } catch (const CORBA::Exception& raised) {
    return raised._name();
  }
}

inline CORBA::ORB_ptr make_orb(const char* id) {
  int argc = 3;
  char name[] = "test", option[] = "-ORBListenEndpoints", value[] = "iiop://127.0.0.1:0";
  char* argv[] = {name, option, value, nullptr};
  return CORBA::ORB_init(argc, argv, id);
}

// A server and a client.
class Pair : public testing::Test {
 protected:
  void SetUp() override {
    register_once();
    begin();
  }
  void begin() {
    server_ = make_orb("server");
    client_ = make_orb("client");
    CORBA::Object_var object = server_->resolve_initial_references("RootPOA");
    root_ = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root_->the_POAManager();
    manager->activate();
    echo_ = publish();
  }
  void TearDown() override {
    script() = Script();  // the functions refer to variables of the test
    echo_ = Broad::Basics::_nil();
    if (!CORBA::is_nil(client_.in())) client_->destroy();
    if (!CORBA::is_nil(server_.in())) server_->destroy();
    script() = Script();
  }
  // A new object, as the client sees it.
  Broad::Basics_ptr publish() {
    Basics_i* const servant = new Basics_i(server_);
    PortableServer::ObjectId_var id = root_->activate_object(servant);
    servant->_remove_ref();
    CORBA::Object_var object = root_->id_to_reference(id.in());
    CORBA::String_var text = server_->object_to_string(object);
    object = client_->string_to_object(text);
    return Broad::Basics::_narrow(object);
  }
  CORBA::ORB_var server_, client_;
  PortableServer::POA_var root_;
  Broad::Basics_var echo_;
};

}  // namespace intercepted

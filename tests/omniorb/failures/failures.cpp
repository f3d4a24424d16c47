// Prints what fails how, a line for each way: `failures serve` prints references and serves, `failures call
// NAME=REFERENCE...` calls. Built with Takt and with omniORB from the same source.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>

#include <omniORB4/CORBA.h>
#include <omniORB4/minorCode.h>
#include <sys/wait.h>
#include <unistd.h>
#include <failures.hh>

#include "../port.h"

namespace {

CORBA::ORB_var orb;
PortableServer::POA_var root;

class Target_i : public virtual POA_Failures::Target, public virtual PortableServer::RefCountServantBase {
 public:
  char* echo(const char* text) { return CORBA::string_dup(text); }
  void say(const char*) {}
  void count(const Failures::Pair&) {}
  void paint(Failures::Colour) {}
  void raise_undeclared() { throw Failures::Undeclared(); }
  void raise_unlike_corba() { throw std::runtime_error("a fault"); }
  void raise_system() { throw CORBA::NO_RESOURCES(77, CORBA::COMPLETED_YES); }
  void raise_declared() { throw Failures::Declared(); }
  void hold_for(CORBA::ULong milliseconds) { usleep(milliseconds * 1000); }
  void end_process() { _exit(0); }
  void shut_down_and_wait() { orb->shutdown(true); }
  CORBA::WChar* wide(const CORBA::WChar* text) { return CORBA::wstring_dup(text); }
  char* text_of(CORBA::ULong length) {
    char* const text = CORBA::string_alloc(length);
    std::memset(text, 'x', length);
    text[length] = 0;
    return text;
  }
};

class Other_i : public virtual POA_Failures::Other, public virtual PortableServer::RefCountServantBase {
 public:
  void only_here() {}
};

class Taker_i : public virtual POA_Failures::Taker, public virtual PortableServer::RefCountServantBase {
 public:
  void take(CORBA::Object_ptr) {}
};

class Refuser : public virtual PortableServer::ServantLocator, public virtual CORBA::LocalObject {
 public:
  PortableServer::Servant preinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                                    PortableServer::ServantLocator::Cookie&) {
    return nullptr;
  }
  void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                  PortableServer::ServantLocator::Cookie, PortableServer::Servant) {}
};

void serve_at(const char* name, CORBA::Object_ptr object) {
  CORBA::String_var text = orb->object_to_string(object);
  std::cout << name << "=" << text.in() << std::endl;
}

PortableServer::POA_ptr adapter(const char* name, PortableServer::POAManager_ptr manager = nullptr) {
  CORBA::PolicyList none;
  return root->create_POA(name, manager ? manager : PortableServer::POAManager::_nil(), none);
}
void serve_in(PortableServer::POA_ptr poa, const char* name) {
  PortableServer::Servant_var<Target_i> servant = new Target_i;
  PortableServer::ObjectId_var id = poa->activate_object(servant.in());
  CORBA::Object_var object = poa->id_to_reference(id);
  serve_at(name, object);
}

CORBA::Object_ptr of_locator(PortableServer::ServantManager_ptr manager, const char* name) {
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = root->create_servant_retention_policy(PortableServer::NON_RETAIN);
  policies[1] = root->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
  PortableServer::POAManager_var active = root->the_POAManager();
  PortableServer::POA_var poa = root->create_POA(name, active, policies);
  if (manager) poa->set_servant_manager(manager);
  return poa->create_reference("IDL:Failures/Target:1.0");
}

int serve() {
  PortableServer::POAManager_var manager = root->the_POAManager();
  manager->activate();
  serve_in(root, "target");
  PortableServer::POA_var holding = adapter("holding"), discarding = adapter("discarding"),
                          inactive = adapter("inactive"), gone = adapter("gone", manager);
  PortableServer::POAManager_var its = discarding->the_POAManager();
  its->discard_requests(false);
  its = inactive->the_POAManager();
  its->activate();
  its->deactivate(false, true);
  serve_in(holding, "holding");
  serve_in(discarding, "discarding");
  serve_in(inactive, "inactive");
  serve_in(gone, "adapter_destroyed");
  gone->destroy(true, true);

  PortableServer::Servant_var<Target_i> servant = new Target_i;
  PortableServer::ObjectId_var id = root->activate_object(servant.in());
  CORBA::Object_var object = root->id_to_reference(id);
  serve_at("deactivated", object);
  root->deactivate_object(id);
  object = root->create_reference("IDL:Failures/Target:1.0");
  serve_at("never_activated", object);
  object = of_locator(nullptr, "without_manager");
  serve_at("without_manager", object);
  PortableServer::ServantManager_var refuser = new Refuser;
  object = of_locator(refuser, "refused_by_locator");
  serve_at("refused_by_locator", object);

  PortableServer::Servant_var<Other_i> other = new Other_i;
  id = root->activate_object(other.in());
  object = root->id_to_reference(id);
  serve_at("other", object);
  PortableServer::Servant_var<Taker_i> taker = new Taker_i;
  id = root->activate_object(taker.in());
  object = root->id_to_reference(id);
  serve_at("taker", object);
  std::cout << "end" << std::endl;
  orb->run();
  return 0;
}

template <class Act>
void line(const char* name, Act act) {
  std::cout << name << ": ";
  try {
    act();
    std::cout << "nothing";
  } catch (const CORBA::SystemException& failure) {
    const char* const minor = failure.NP_minorString();
    char number[20];
    std::snprintf(number, sizeof number, "0x%08x", static_cast<unsigned>(failure.minor()));
    const char* const completed[] = {"YES", "NO", "MAYBE"};
    std::cout << failure._name() << " " << (minor ? minor : number) << " " << completed[failure.completed()];
  } catch (const CORBA::UserException& failure) {
    std::cout << failure._rep_id();
  } catch (const std::exception& failure) {
    std::cout << "std::exception";
  } catch (...) {
    std::cout << "an exception that is not CORBA's";
  }
  std::cout << std::endl;
}

std::map<std::string, std::string> references;

Failures::Target_ptr target(const std::string& url) {
  CORBA::Object_var object = orb->string_to_object(url.c_str());
  return Failures::Target::_unchecked_narrow(object);
}
Failures::Target_ptr served(const char* name) { return target(references.at(name)); }

void echo(const std::string& url) {
  Failures::Target_var at = target(url);
  CORBA::String_var back = at->echo("text");
}
void call(const char* name, const std::string& url) {
  line(name, [&] { echo(url); });
}
template <class Act>
void on_target(const char* name, Act act) {
  Failures::Target_var at = served("target");
  line(name, [&] { act(at.in()); });
}

void unreachable() {
  Port refused;
  call("refused port", refused.url);
  line("refused port, _is_a", [&] {
    CORBA::Object_var object = orb->string_to_object(refused.url.c_str());
    Failures::Target_var at = Failures::Target::_narrow(object);
  });
  call("unknown host", "corbaloc:iiop:1.2@no-such-host.invalid:2809/x");
  call("unknown name in a naming service that is down",
       "corbaname::127.0.0.1:" + std::to_string(ntohs(refused.address().sin_port)) + "#x");
  Port silent;
  silent.listen();
  omniORB::setClientCallTimeout(100);
  call("no answer within the time of all calls", silent.url);
  omniORB::setClientCallTimeout(0);
  line("no answer within the time of the object", [&] {
    Failures::Target_var at = target(silent.url);
    omniORB::setClientCallTimeout(at, 100);
    CORBA::String_var back = at->echo("text");
  });
  on_target("no reply within the time of the object", [&](Failures::Target_ptr at) {
    omniORB::setClientCallTimeout(at, 100);
    at->hold_for(300);
  });
  line("a held request within the time of the object", [&] {
    Failures::Target_var at = served("holding");
    omniORB::setClientCallTimeout(at, 100);
    CORBA::String_var back = at->echo("text");
  });
}

std::string with_key(const std::string& key) {
  // The server's address, by its profile: HOST:PORT is given beside the references.
  return "corbaloc:iiop:1.2@" + references.at("address") + "/" + key;
}

std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

void not_served() {
  for (const char* name : {"deactivated", "never_activated", "adapter_destroyed", "discarding", "inactive",
                           "without_manager", "refused_by_locator"})
    call(spaced(name).c_str(), references.at(name));
  call("an unknown key", with_key("no_such_key"));
  call("an empty key", with_key(""));
  line("deactivated, _non_existent", [&] {
    Failures::Target_var at = served("deactivated");
    std::cout << (at->_non_existent() ? "true and " : "false and ");
  });
  line("adapter destroyed, _non_existent", [&] {
    Failures::Target_var at = served("adapter_destroyed");
    std::cout << (at->_non_existent() ? "true and " : "false and ");
  });
  line("other interface, _narrow", [&] {
    CORBA::Object_var object = orb->string_to_object(references.at("other").c_str());
    Failures::Target_var at = Failures::Target::_narrow(object);
    std::cout << (CORBA::is_nil(at) ? "nil and " : "not nil and ");
  });
  call("other interface, a call", references.at("other"));
}

void bad_arguments() {
  on_target("a bounded string that is too long", [](Failures::Target_ptr at) { at->say("too long"); });
  on_target("an enumerator that does not exist",
            [](Failures::Target_ptr at) { at->paint(static_cast<Failures::Colour>(7)); });
  on_target("a bounded sequence that is too long", [](Failures::Target_ptr at) {
    Failures::Pair pair;
    pair.length(3);
    at->count(pair);
  });
  on_target("a message above the limit", [](Failures::Target_ptr at) {
    const std::string text(3000000, 'x');
    CORBA::String_var back = at->echo(text.c_str());
  });
  on_target("a reply above the limit",
            [](Failures::Target_ptr at) { CORBA::String_var text = at->text_of(3000000); });
  on_target("a call after a reply above the limit",
            [](Failures::Target_ptr at) { CORBA::String_var text = at->text_of(3); });
  on_target("a nil reference as the target",
            [](Failures::Target_ptr) { Failures::Target::_nil()->raise_system(); });
  line("a local object as an argument", [] {
    CORBA::Object_var object = orb->string_to_object(references.at("taker").c_str());
    Failures::Taker_var taker = Failures::Taker::_unchecked_narrow(object);
    taker->take(root);
  });
}

void raised() {
  on_target("a declared exception", [](Failures::Target_ptr at) { at->raise_declared(); });
  on_target("an undeclared exception", [](Failures::Target_ptr at) { at->raise_undeclared(); });
  on_target("an exception that is not CORBA's", [](Failures::Target_ptr at) { at->raise_unlike_corba(); });
  on_target("a system exception of the servant's", [](Failures::Target_ptr at) { at->raise_system(); });
  on_target("a shutdown that would wait for its own call",
            [](Failures::Target_ptr at) { at->shut_down_and_wait(); });
  on_target("a dynamic request of an unknown operation", [](Failures::Target_ptr at) {
    CORBA::Request_var request = at->_request("no_such_operation");
    request->set_return_type(CORBA::_tc_void);
    request->invoke();
    if (request->env()->exception()) request->env()->exception()->_raise();
  });
}

void texts() {
  const std::pair<const char*, const char*> bad[] = {
      {"an empty URL", ""},
      {"a URL without scheme", "nonsense"},
      {"a URL of an unknown scheme", "http:index"},
      {"text that is not an IOR", "IOR:nonsense"},
      {"an IOR of odd length", "IOR:000"},
      {"an IOR that is cut", "IOR:000000000000000100000000"},
      {"corbaloc without address", "corbaloc:"},
      {"corbaloc of an unknown protocol", "corbaloc:xyz:host/key"},
      {"corbaloc with a bad port", "corbaloc::host:port/key"},
      {"corbaloc with a bad escape", "corbaloc::host/%zz"},
      {"corbaloc:rir of an unknown name", "corbaloc:rir:/NoSuchService"},
      {"corbaname without address", "corbaname:"},
      {"corbaname with a bad name", "corbaname::host#a//b"},
  };
  for (const auto& one : bad)
    line(one.first, [&] { CORBA::Object_var object = orb->string_to_object(one.second); });
  line("an initial reference of an unknown name",
       [] { CORBA::Object_var object = orb->resolve_initial_references("NoSuchService"); });
  line("an initial reference of a null name",
       [] { CORBA::Object_var object = orb->resolve_initial_references(nullptr); });
  line("registering an initial reference twice", [] {
    orb->register_initial_reference("Mine", root);
    orb->register_initial_reference("Mine", root);
  });
  line("registering nil", [] { orb->register_initial_reference("Nil", CORBA::Object::_nil()); });
  line("the text of a local object", [] { CORBA::String_var text = orb->object_to_string(root); });
}

// Each in a process of its own.
void starts() {
  const char* const wrong[][3] = {
      {"an unknown option", "-ORBnoSuchOption", "1"},
      {"an option with a bad value", "-ORBgiopMaxMsgSize", "many"},
      {"an option that lacks its value", "-ORBendPoint", nullptr},
      {"an invalid endpoint", "-ORBendPoint", "nonsense"},
      {"an address that is not this machine's", "-ORBendPoint", "giop:tcp:192.0.2.1:0"},
      {"a bad initial reference", "-ORBInitRef", "nonsense"}};
  for (const auto& one : wrong) {
    std::cout << std::flush;
    const pid_t child = fork();
    if (child == 0) {
      line(one[0], [&] {
        std::string words[] = {"call", one[1], one[2] ? one[2] : ""};
        char* arguments[] = {&words[0][0], &words[1][0], one[2] ? &words[2][0] : nullptr, nullptr};
        int count = one[2] ? 3 : 2;
        CORBA::ORB_var started = CORBA::ORB_init(count, arguments);
        CORBA::Object_var object = started->resolve_initial_references("RootPOA");
      });
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
  }
}

void adapters() {
  PortableServer::Servant_var<Other_i> servant = new Other_i;
  PortableServer::ObjectId_var unknown = PortableServer::string_to_ObjectId("unknown");
  PortableServer::POA_var mine = adapter("mine");
  line("find_POA of an unknown name", [] { PortableServer::POA_var poa = root->find_POA("none", false); });
  line("create_POA of a name that exists", [] { PortableServer::POA_var poa = adapter("mine"); });
  line("create_POA with conflicting policies", [] {
    CORBA::PolicyList policies;
    policies.length(1);
    policies[0] = root->create_request_processing_policy(PortableServer::USE_DEFAULT_SERVANT);
    PortableServer::POA_var poa = root->create_POA("bad", PortableServer::POAManager::_nil(), policies);
    policies[0] = root->create_servant_retention_policy(PortableServer::NON_RETAIN);
    poa = root->create_POA("worse", PortableServer::POAManager::_nil(), policies);
  });
  line("create_POA with a nil policy", [] {
    CORBA::PolicyList policies;
    policies.length(1);
    PortableServer::POA_var poa = root->create_POA("nil", PortableServer::POAManager::_nil(), policies);
  });
  line("id_to_reference of an unknown id",
       [&] { CORBA::Object_var object = mine->id_to_reference(unknown); });
  line("id_to_servant of an unknown id", [&] { mine->id_to_servant(unknown); });
  line("deactivate_object of an unknown id", [&] { mine->deactivate_object(unknown); });
  line("servant_to_id of an unknown servant",
       [&] { PortableServer::ObjectId_var id = mine->servant_to_id(servant.in()); });
  line("activate_object_with_id of a foreign id",
       [&] { mine->activate_object_with_id(unknown, servant.in()); });
  line("activate_object of a null servant",
       [&] { PortableServer::ObjectId_var id = mine->activate_object(nullptr); });
  line("activate_object twice", [&] {
    PortableServer::ObjectId_var id = mine->activate_object(servant.in());
    id = mine->activate_object(servant.in());
  });
  CORBA::Object_var elsewhere = orb->string_to_object(references.at("target").c_str());
  line("reference_to_servant of another adapter", [&] { mine->reference_to_servant(elsewhere); });
  line("reference_to_id of another adapter",
       [&] { PortableServer::ObjectId_var id = mine->reference_to_id(elsewhere); });
  line("reference_to_id of nil",
       [&] { PortableServer::ObjectId_var id = mine->reference_to_id(CORBA::Object::_nil()); });
  line("get_servant against the policies", [&] { mine->get_servant(); });
  line("get_servant_manager against the policies",
       [&] { PortableServer::ServantManager_var manager = mine->get_servant_manager(); });
  line("create_reference_with_id of a foreign id",
       [&] { CORBA::Object_var object = mine->create_reference_with_id(unknown, "IDL:x:1.0"); });
  line("POA Current outside an upcall", [] {
    CORBA::Object_var object = orb->resolve_initial_references("POACurrent");
    PortableServer::Current_var current = PortableServer::Current::_narrow(object);
    PortableServer::POA_var poa = current->get_POA();
  });
  PortableServer::POAManager_var manager = mine->the_POAManager();
  manager->deactivate(false, true);
  line("activate of an inactive manager", [&] { manager->activate(); });
  line("hold_requests of an inactive manager", [&] { manager->hold_requests(false); });
  line("discard_requests of an inactive manager", [&] { manager->discard_requests(false); });
  line("deactivate of an inactive manager", [&] { manager->deactivate(false, false); });
  mine->destroy(true, true);
  line("an adapter that is destroyed", [&] { mine->the_name(); });
  line("create_POA in an adapter that is destroyed", [&] {
    CORBA::PolicyList none;
    PortableServer::POA_var poa = mine->create_POA("x", PortableServer::POAManager::_nil(), none);
  });
  line("activate_object in an adapter that is destroyed",
       [&] { PortableServer::ObjectId_var id = mine->activate_object(servant.in()); });
}

class Caller {
 public:
  explicit Caller(const std::string& address) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.find(':') + 1))));
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0;
  }
  ~Caller() { close(socket_); }
  bool connected() const { return connected_; }

 private:
  const int socket_;
  bool connected_;
};

void at_the_end() {
  on_target("a server that ends during the call", [](Failures::Target_ptr at) { at->end_process(); });
  // The system may take connections until the process is gone.
  while (Caller(references.at("address")).connected()) usleep(1000);
  on_target("a server that has ended",
            [](Failures::Target_ptr at) { CORBA::String_var back = at->echo("text"); });
  Failures::Target_var at = served("target");
  orb->shutdown(true);
  line("a call after shutdown", [&] { CORBA::String_var back = at->echo("text"); });
  line("perform_work after shutdown", [&] { orb->perform_work(); });
  line("run after shutdown", [&] { orb->run(); });
  line("the root POA after shutdown",
       [&] { CORBA::Object_var object = orb->resolve_initial_references("RootPOA"); });
}

}  // namespace

int main(int argc, char** argv) {
  const bool serves = argc > 1 && std::strcmp(argv[1], "serve") == 0;
  if (!serves) starts();
  orb = CORBA::ORB_init(argc, argv);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  root = PortableServer::POA::_narrow(object);
  if (serves) return serve();
  for (int i = 2; i < argc; ++i) {
    const std::string pair = argv[i];
    references[pair.substr(0, pair.find('='))] = pair.substr(pair.find('=') + 1);
  }
  unreachable();
  not_served();
  bad_arguments();
  raised();
  texts();
  adapters();
  at_the_end();
  std::cout << std::flush;
  _exit(0);  // references are left
}

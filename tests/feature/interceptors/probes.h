// Interceptors that record their points, and ORBs that have them.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <takt/interceptors/interceptors.h>

#include "../calls/echo_servant.h"
#include "../orb_pair.h"

namespace feature {

namespace PI = PortableInterceptor;
using InitInfoRef = IDL::traits<PI::ORBInitInfo>::ref_type;
using ClientInfoRef = IDL::traits<PI::ClientRequestInfo>::ref_type;
using ServerInfoRef = IDL::traits<PI::ServerRequestInfo>::ref_type;
using EchoRef = IDL::traits<Calls::Echo>::ref_type;
using AnyObject = IDL::traits<CORBA::Object>::ref_type;
using Words = std::vector<std::string>;

// The points that have begun, in order. Any thread.
class Trace {
 public:
  void add(const std::string& word) {
    std::lock_guard lock(mutex_);
    words_.push_back(word);
  }
  Words take() {
    std::lock_guard lock(mutex_);
    return std::exchange(words_, {});
  }

 private:
  std::mutex mutex_;
  Words words_;
};

// Records the points of an interceptor of that interface.
template <class Interceptor, class InfoRef>
class Probe : public IDL::traits<Interceptor>::base_type {
 public:
  Probe(std::string name, Trace& trace) : name_(std::move(name)), trace_(trace) {}
  std::string name() override { return name_; }
  void destroy() override { trace_.add(name_ + ".destroy"); }

  std::function<void(const std::string& point, const InfoRef& info)> on;

 protected:
  void at(const std::string& point, const InfoRef& info) {
    trace_.add(name_ + "." + point);
    if (on) on(point, info);
  }

 private:
  const std::string name_;
  Trace& trace_;
};

class ClientProbe final : public Probe<PI::ClientRequestInterceptor, ClientInfoRef> {
 public:
  using Probe::Probe;
  void send_request(Info info) override { at("send_request", info); }
  void send_poll(Info info) override { at("send_poll", info); }
  void receive_reply(Info info) override { at("receive_reply", info); }
  void receive_exception(Info info) override { at("receive_exception", info); }
  void receive_other(Info info) override { at("receive_other", info); }
};

class ServerProbe final : public Probe<PI::ServerRequestInterceptor, ServerInfoRef> {
 public:
  using Probe::Probe;
  void receive_request_service_contexts(Info info) override { at("receive_contexts", info); }
  void receive_request(Info info) override { at("receive_request", info); }
  void send_reply(Info info) override { at("send_reply", info); }
  void send_exception(Info info) override { at("send_exception", info); }
  void send_other(Info info) override { at("send_other", info); }
};

// Initializers cannot be removed, so one does what the present test asks for.
struct Initializing {
  std::function<void(const InitInfoRef&)> pre, post;
  static Initializing& present() {
    static Initializing initializing;
    return initializing;
  }
};
class ForwardingInitializer final : public IDL::traits<PI::ORBInitializer>::base_type {
 public:
  void pre_init(InitInfoRef info) override {
    if (Initializing::present().pre) Initializing::present().pre(info);
  }
  void post_init(InitInfoRef info) override {
    if (Initializing::present().post) Initializing::present().post(info);
  }
};
inline void register_once() {
  static const bool done = [] {
    PI::register_orb_initializer(CORBA::make_reference<ForwardingInitializer>());
    return true;
  }();
  (void)done;
}

// A test whose ORBs have what `Initializing` says.
class WithInitializers : public testing::Test {
 protected:
  WithInitializers() { register_once(); }
  ~WithInitializers() override { Initializing::present() = {}; }
};

// Three interceptors on either side: clients have those of the ORBs whose names begin with "client" or with
// "both", servers those with "server" or "both".
class Intercepted : public WithInitializers {
 protected:
  Intercepted() {
    for (const char* const name : {"A", "B", "C"}) {
      clients.push_back(CORBA::make_reference<ClientProbe>(name, trace));
      servers.push_back(CORBA::make_reference<ServerProbe>(name, trace));
    }
    Initializing::present().pre = [this](const InitInfoRef& info) {
      const std::string id = info->orb_id();
      const bool both = id.starts_with("both");
      if (first) first(info);
      if (both || id.starts_with("client"))
        for (const auto& one : clients) info->add_client_request_interceptor(one);
      if (both || id.starts_with("server"))
        for (const auto& one : servers) info->add_server_request_interceptor(one);
    };
  }
  void on_client(std::function<void(const std::string&, const ClientInfoRef&)> on) { clients[0]->on = on; }
  void on_server(std::function<void(const std::string&, const ServerInfoRef&)> on) { servers[0]->on = on; }
  void only_one() {
    clients.resize(1);
    servers.resize(1);
  }

  Trace trace;
  std::vector<CORBA::object_reference<ClientProbe>> clients;
  std::vector<CORBA::object_reference<ServerProbe>> servers;
  std::function<void(const InitInfoRef&)> first;
};

// A server and the objects that it serves, at which nothing is intercepted.
struct Elsewhere {
  Orb orb = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "elsewhere");
  Poa root = root_poa(orb);
  AnyObject echo = root->id_to_reference(root->activate_object(CORBA::make_reference<EchoServant>()));
  Elsewhere() { root->the_POAManager()->activate(); }
  ~Elsewhere() { orb->destroy(); }
  std::string text() const { return orb->object_to_string(echo); }
};

class DestroysItsAdapter final : public EchoServant {
 public:
  explicit DestroysItsAdapter(const Poa& poa) : poa_(poa) {}
  void nothing() override { poa_->destroy(false, false); }

 private:
  const Poa poa_;
};

inline CORBA::Any any_of_long(std::int32_t value) {
  CORBA::Any any;
  any <<= value;
  return any;
}

// "ok" or "NAME minor" for what the action throws; minors of the OMG without their prefix.
inline std::string outcome_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const CORBA::SystemException& raised) {
    return std::string(raised._name()) + " " + std::to_string(raised.minor() & 0xfff);
  } catch (const CORBA::UserException& raised) {
    return raised._name();
  }
  return "ok";
}

}  // namespace feature

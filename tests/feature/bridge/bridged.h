// A server, a bridge in front of it and a client, each an ORB of this process.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <takt/orb/bridge.h>

#include <takt/corba.h>

#include "../orb_pair.h"
#include "echo_servant.h"

namespace feature {

using EchoRef = IDL::traits<Calls::Echo>::ref_type;
// An ORB that serves while this object exists.
class Running {
 public:
  Running(const std::string& endpoints, const Options& options, const char* role)
      : orb(make_orb(with({"-ORBListenEndpoints", endpoints}, options), role)) {}
  ~Running() {
    orb->shutdown(true);
    if (thread_.joinable()) thread_.join();
    orb->destroy();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  void run() {
    thread_ = std::thread([this] { orb->run(); });
  }

  const Orb orb;

 private:
  std::thread thread_;
};

// A server with objects of its own.
class ObjectServer : public Running {
 public:
  ObjectServer(const std::string& endpoints, const Options& options)
      : Running(endpoints, options, "server"), poa(root_poa(orb)) {
    poa->the_POAManager()->activate();
    run();
  }

  const Poa poa;
};

class EchoServer : public ObjectServer {
 public:
  explicit EchoServer(const std::string& endpoints, const Options& options = {})
      : ObjectServer(endpoints, options) {}
  std::string serve(CORBA::servant_reference<EchoServant> servant) const {
    return orb->object_to_string(poa->id_to_reference(poa->activate_object(std::move(servant))));
  }
  std::string serve() const { return serve(CORBA::make_reference<EchoServant>()); }
};

class BridgeOrb : public Running {
 public:
  explicit BridgeOrb(const std::string& endpoints, const Options& options = {})
      : Running(endpoints, options, "bridge"), bridge(takt::Bridge::over(orb)) {
    run();
  }
  std::string publish(const std::string& reference, const std::string& key = "") {
    return orb->object_to_string(bridge.publish(orb->string_to_object(reference), key));
  }
  std::string publish_server(const std::string& reference) {
    return orb->object_to_string(bridge.publish_server(orb->string_to_object(reference)));
  }

  takt::Bridge bridge;
};

class Client {
 public:
  explicit Client(const Options& options = {}) : orb(make_orb(options, "client")) {}
  ~Client() { orb->destroy(); }
  EchoRef echo(const std::string& reference) const {
    return IDL::traits<Calls::Echo>::narrow(orb->string_to_object(reference));
  }

  const Orb orb;
};

}  // namespace feature

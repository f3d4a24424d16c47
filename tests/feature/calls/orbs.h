// A server with an object of Calls::Echo, and its client.
#pragma once

#include <string>

#include "../orb_pair.h"
#include "echo_servant.h"

namespace feature {

using EchoRef = IDL::traits<Calls::Echo>::ref_type;

class ServerAndClient : public OrbPair {
 public:
  explicit ServerAndClient(const Options& server_options = {}, const Options& client_options = {})
      : OrbPair(server_options, client_options),
        servant(CORBA::make_reference<EchoServant>()),
        ior(server->object_to_string(root->id_to_reference(root->activate_object(servant)))),
        echo(IDL::traits<Calls::Echo>::narrow(client->string_to_object(ior))) {}

  CORBA::servant_reference<EchoServant> servant;
  const std::string ior;
  EchoRef echo;
};

}  // namespace feature

// An ORB as a bridge, which forwards requests between protocols or across a firewall.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <takt/invocation/operation_types.h>
#include <takt/orb/orb.h>
#include <takt/reference/object.h>

namespace takt::bridge {
class Relay;
}

namespace takt {

// Arguments and results pass through as octets, whatever their IDL; only message headers are rewritten
// (docs/user/bridge.md). Clients reach only the published objects and the targets of rewritten references.
// Copies denote the same bridge. Any thread. After the ORB's shutdown, all functions throw what the ORB
// itself throws.
class Bridge {
 public:
  using Reference = CORBA::object_reference<CORBA::Object>;

  // Rewriting of references in arguments, results and user exceptions, so that their receivers call through
  // the bridge too.
  struct References {
    // The operations whose bodies are searched for references, including those in valuetypes and Anys. In
    // other operations, and if this is empty, references pass unchanged.
    std::vector<OperationTypes> operations;
    // Endpoints of servers; those of published objects need not be listed. The form is that of
    // -ORBListenEndpoints. Without a port, all ports of the host match. "10.1.*" and "*.example.com" are host
    // patterns, which are compared as text and never resolved. References to endpoints in neither list stay
    // unchanged, and calls to rewritten references, forwards included, go only to listed endpoints.
    std::vector<std::string> inside;
    // Endpoints of clients' own objects that servers call through the bridge.
    std::vector<std::string> outside;
  };

  // The bridge keeps the ORB, which listens from then on and may have objects of its own. Throws BAD_PARAM
  // for nil and for malformed endpoints. Throws BAD_INV_ORDER if the ORB already listens, so ask for the
  // bridge once, and before the root POA. Rewritten references outlive the ORB if it has -ORBKeySecretFile.
  static Bridge over(CORBA::object_reference<CORBA::ORB> orb, References references = {});

  // Returns a reference whose requests the bridge forwards to `object`. It has the object's type, GIOP
  // version, code sets and priorities. `key`: a name for corbaloc::host/KEY URLs; empty: the object's own
  // key. Throws BAD_PARAM for nil, for a key that is taken, and for a reference without a usable address or
  // to an object of this ORB.
  Reference publish(Reference object, std::string_view key = {});
  // Also publishes all other objects of the server: requests for keys that are unknown here are forwarded to
  // it unchanged. So others, such as the server itself with -ORBPublishedEndpoints, can make references to
  // the bridge. Throws BAD_PARAM as above, and for a second server.
  Reference publish_server(Reference object);

  // Statistics since the bridge was made.
  struct Counts {
    std::uint64_t requests = 0;         // forwarded
    std::uint64_t replies = 0;          // returned, exceptions from servers included
    std::uint64_t failures = 0;         // exceptions made by the bridge
    std::uint64_t request_bytes = 0;    // octets of arguments
    std::uint64_t reply_bytes = 0;      // octets of results
    std::uint64_t references = 0;       // rewritten
    std::uint64_t references_kept = 0;  // left unchanged
    std::uint64_t unread_bodies = 0;    // bodies of unknown operations, or that do not match the IDL
    std::string last_failure;           // the object, what was tried and what failed; empty if nothing failed
  };
  Counts counts() const;

 private:
  Bridge(CORBA::object_reference<CORBA::ORB> orb, std::shared_ptr<bridge::Relay> relay);

  CORBA::object_reference<CORBA::ORB> orb_;
  std::shared_ptr<bridge::Relay> relay_;
};

}  // namespace takt

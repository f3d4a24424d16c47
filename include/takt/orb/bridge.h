// An ORB as a bridge: requests that come in by one protocol, or from one side of a firewall, go out by
// another.
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

// Arguments and results pass through as octets, whatever their IDL; only the heads of messages are made
// anew (docs/user/bridge.md). Each client's requests reach only what was published here, and what references
// lead to that the bridge has rewritten. Copies are of the same bridge; any thread. All functions throw as
// the ORB itself once it has been shut down.
class Bridge {
 public:
  using Reference = CORBA::object_reference<CORBA::Object>;

  // References in arguments, results and user exceptions that are rewritten, so that who gets them calls
  // through the bridge, too.
  struct References {
    // Those in whose bodies references are looked for; with none, they pass as they are, as do those of other
    // operations. What a valuetype or an Any holds is looked into.
    std::vector<OperationTypes> operations;
    // Endpoints, as of -ORBListenEndpoints; without a port: all of that host's; "10.1.*" and "*.example.com"
    // are patterns of hosts, which are compared as texts and never resolved. References that lead to others
    // are left as they are, and calls to what was rewritten go nowhere else, forwarded ones included. Where
    // the servers are; those of what is published need not be listed:
    std::vector<std::string> inside;
    // and where clients may have objects of their own that servers call through the bridge.
    std::vector<std::string> outside;
  };

  // Of this ORB, which it keeps, and which listens from then on. It may have objects of its own besides.
  // BAD_PARAM for nil, and for what is no endpoint; BAD_INV_ORDER where the ORB listens already, so that its
  // requests have another way: ask for the bridge before the root POA, and once. Rewritten references last
  // longer than the ORB if it has -ORBKeySecretFile.
  static Bridge over(CORBA::object_reference<CORBA::ORB> orb, References references = {});

  // A reference that leads here, and its requests to `object`. Clients use it as the object's own: it has the
  // object's type, GIOP version, code sets and priorities. `key`: under which clients may also write
  // corbaloc::host/KEY; empty: the object's own key. BAD_PARAM for nil, for a key that is taken, and for a
  // reference that has no address this ORB understands or leads to this very ORB.
  Reference publish(Reference object, std::string_view key = {});
  // The same, and for all that the object's server has: requests for keys that nothing else here has go to
  // that server as they are. So references that lead here may be made elsewhere: by the server itself, with
  // -ORBPublishedEndpoints. BAD_PARAM, also for a second server.
  Reference publish_server(Reference object);

  // Since it began.
  struct Counts {
    std::uint64_t requests = 0;         // that were passed on
    std::uint64_t replies = 0;          // that were passed back, exceptions of servers among them
    std::uint64_t failures = 0;         // exceptions that the bridge has answered with
    std::uint64_t request_bytes = 0;    // of arguments
    std::uint64_t reply_bytes = 0;      // of results
    std::uint64_t references = 0;       // in bodies that were rewritten
    std::uint64_t references_kept = 0;  // that were left as they are
    std::uint64_t unread_bodies = 0;    // of operations that are not known here, or other than IDL says
    std::string last_failure;           // what was tried, on what; empty while there was none
  };
  Counts counts() const;

 private:
  Bridge(CORBA::object_reference<CORBA::ORB> orb, std::shared_ptr<bridge::Relay> relay);

  CORBA::object_reference<CORBA::ORB> orb_;
  std::shared_ptr<bridge::Relay> relay_;
};

}  // namespace takt

// Two ORBs for tests of calls of a thread with a run loop.
#pragma once

#include <takt/async/pending.h>
#include <takt/async/run_loop.h>

#include "greeter.h"
#include "raw_giop_server.h"

namespace feature {

using GreeterRef = IDL::traits<Async::Greeter>::ref_type;
using ServantRef = CORBA::servant_reference<GreeterServant>;

struct RunLoops : testing::Test, AsyncOrbs {
  ~RunLoops() override { servant->open(); }
  GreeterRef at(const Peer& server) {
    return takt::reference::make_stub<Async::Greeter>(pair.client->string_to_object(server.url())->_ref());
  }
};

}  // namespace feature

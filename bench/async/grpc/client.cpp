// bench_grpc_async_client --endpoint ADDRESS [--in-flight N] [--connections N] [--seconds S | --bare CALLS]:
//   gRPC's asynchronous API: calls whose ends a thread for each connection takes from a completion queue.
#include <grpcpp/grpcpp.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "../flow.h"
#include "common/options.h"
#include "common/serve.h"
#include "common/workload.h"
#include "pipelined.grpc.pb.h"

namespace {

using bench::Chain;

constexpr std::uint8_t argument = 3;

class Connection {
 public:
  explicit Connection(const std::string& endpoint) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // a connection of its own
    channel_ = grpc::CreateCustomChannel(endpoint, grpc::InsecureChannelCredentials(), arguments);
    stub_ = bench::Pipelined::NewStub(channel_);
    bench::check(channel_->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(10)),
                 "cannot connect");
  }

  void run(const std::vector<Chain*>& chains) {
    std::vector<std::unique_ptr<Call>> calls;
    std::size_t under_way = 0;
    for (Chain* const chain : chains) {
      calls.push_back(std::make_unique<Call>(chain));
      under_way += send(*calls.back());
    }
    void* tag = nullptr;
    for (bool ok = true; under_way != 0 && queue_.Next(&tag, &ok);) {
      Call& call = *static_cast<Call*>(tag);
      bench::check(ok && call.status.ok(), "a call has failed");
      bench::check(call.reply.x() == bench::cube(argument), "the call returned the wrong value");
      call.chain->end();
      if (!send(call)) --under_way;
    }
  }

 private:
  struct Call {
    explicit Call(Chain* of) : chain(of) {}
    Chain* const chain;
    std::unique_ptr<grpc::ClientContext> context;
    std::unique_ptr<grpc::ClientAsyncResponseReader<bench::Octet>> reader;
    bench::Octet reply;
    grpc::Status status;
  };

  bool send(Call& call) {
    if (!call.chain->begin()) return false;
    bench::Octet request;
    request.set_x(argument);
    call.reader.reset();
    call.context = std::make_unique<grpc::ClientContext>();
    call.reader = stub_->AsyncCubeOctet(call.context.get(), request, &queue_);
    call.reader->Finish(&call.reply, &call.status, &call);
    return true;
  }

  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<bench::Pipelined::Stub> stub_;
  grpc::CompletionQueue queue_;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_grpc_async_client", [&] {
    const bench::Options options(argc, argv);
    const bench::Shape shape(options);
    std::vector<std::unique_ptr<Connection>> connections;
    for (std::size_t i = 0; i < shape.connections; ++i)
      connections.push_back(std::make_unique<Connection>(options.text("endpoint")));
    bench::Limit limit(options);
    bench::Chains chains(shape, limit);
    limit.start();
    bench::run_each(shape.connections, "bench_grpc_async_client",
                    [&](std::size_t i) { connections[i]->run(chains.of(i)); });
    print(options, shape, chains.all(), limit);
  });
}

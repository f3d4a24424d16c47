// bench_grpc_async_server --host ADDRESS: gRPC's asynchronous API, with one completion queue and one thread.
#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "common/options.h"
#include "common/serve.h"
#include "common/workload.h"
#include "pipelined.grpc.pb.h"

namespace {

// A place for one call, which serves one after the other.
class Place {
 public:
  Place(bench::Pipelined::AsyncService& service, grpc::ServerCompletionQueue& queue)
      : service_(service), queue_(queue) {
    wait();
  }
  // The queue has reported it.
  void go_on() {
    answered_ = !answered_;
    if (!answered_) return wait();
    bench::Octet reply;
    reply.set_x(bench::cube(static_cast<std::uint8_t>(request_.x())));
    responder_->Finish(reply, grpc::Status::OK, this);
  }

 private:
  void wait() {
    context_ = std::make_unique<grpc::ServerContext>();
    responder_ = std::make_unique<grpc::ServerAsyncResponseWriter<bench::Octet>>(context_.get());
    service_.RequestCubeOctet(context_.get(), &request_, responder_.get(), &queue_, &queue_, this);
  }

  bench::Pipelined::AsyncService& service_;
  grpc::ServerCompletionQueue& queue_;
  std::unique_ptr<grpc::ServerContext> context_;
  bench::Octet request_;
  std::unique_ptr<grpc::ServerAsyncResponseWriter<bench::Octet>> responder_;
  bool answered_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_grpc_async_server", [&] {
    const bench::Options options(argc, argv);
    const std::string host = options.text("host", "127.0.0.1");
    bench::Pipelined::AsyncService service;
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort(host + ":0", grpc::InsecureServerCredentials(), &port);
    builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, 1 << 20);
    builder.RegisterService(&service);
    const auto queue = builder.AddCompletionQueue();
    const auto server = builder.BuildAndStart();
    bench::check(server && port != 0, "cannot listen");
    constexpr std::size_t waiting = 16384;  // as many as Takt allows under way on a connection
    std::vector<std::unique_ptr<Place>> places;
    for (std::size_t i = 0; i < waiting; ++i) places.push_back(std::make_unique<Place>(service, *queue));
    std::thread([&] {
      void* tag = nullptr;
      for (bool ok = true; queue->Next(&tag, &ok) && ok;) static_cast<Place*>(tag)->go_on();
    }).detach();
    bench::announce(host + ":" + std::to_string(port));
    bench::exit_when_stdin_closes();
  });
}

// A receiver of frames behind an ORB, and its client.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "frames/receiver.h"
#include "make_orb.h"

namespace feature {

class Watching {
 public:
  using Options = std::vector<std::string>;

  // `make_receiver` is called with the server's ORB.
  template <class MakeReceiver>
  Watching(MakeReceiver make_receiver, Options server, Options client)
      : server_(make_orb(with_endpoint(std::move(server)), "server")),
        client_(make_orb(std::move(client), "client")),
        receiver(make_receiver(server_)) {
    const auto poa = IDL::traits<PortableServer::POA>::narrow(server_->resolve_initial_references("RootPOA"));
    const auto id = poa->activate_object(CORBA::make_reference<takt::frames::ReceiverServant>(receiver));
    poa->the_POAManager()->activate();
    control = IDL::traits<Takt::Frames::Receiver>::narrow(
        client_->string_to_object(server_->object_to_string(poa->id_to_reference(id))));
    running_ = std::thread([orb = server_] { orb->run(); });
  }
  explicit Watching(const takt::FrameOptions& options = {}, const std::string& host = "127.0.0.1")
      : Watching([&](const Orb&) { return std::make_shared<takt::FrameReceiver>(host, options); }, {}, {}) {}
  ~Watching() {
    control = nullptr;
    client_->destroy();
    server_->shutdown(true);
    running_.join();
    server_->destroy();
  }

 private:
  static Options with_endpoint(Options options) {
    options.insert(options.end(), {"-ORBListenEndpoints", "iiop://127.0.0.1:0"});
    return options;
  }

  const Orb server_, client_;
  std::thread running_;

 public:
  const std::shared_ptr<takt::FrameReceiver> receiver;
  IDL::traits<Takt::Frames::Receiver>::ref_type control;
  const Orb& client() const { return client_; }
};

inline std::vector<std::uint8_t> frame_of(int number, std::size_t size = 5000) {
  return std::vector<std::uint8_t>(size, static_cast<std::uint8_t>(number));
}

}  // namespace feature

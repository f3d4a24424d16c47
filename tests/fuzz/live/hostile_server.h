// Listens at the addresses in a client's references, and answers its requests, honestly or not.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "giop/connection.h"
#include "link.h"
#include "target.h"

namespace takt::fuzz::live {

struct Question {
  Carrier carrier;
  std::uint8_t minor;
  std::string operation;
};

class HostileServer {
 public:
  // Returns an answer; empty: an honest one is sent.
  using Answerer = std::function<std::optional<Conversation>(const Question&)>;

  HostileServer(const Surroundings& surroundings, const std::vector<Carrier>& carriers);

  // For the client target: three references for each transport to this server.
  std::vector<std::string> references() const;
  // Serves pending requests; waits briefly if there are none.
  void serve(const Answerer& answer);
  // Closes all connections without sending anything.
  void close_all() { peers_.clear(); }
  std::size_t octets() const { return octets_; }

 private:
  struct Listener {
    Carrier carrier;
    std::unique_ptr<transport::Acceptor> acceptor;
  };
  struct Peer {
    Peer(Carrier of, std::unique_ptr<transport::Stream> stream);
    Carrier carrier;
    std::unique_ptr<transport::Stream> stream;
    giop::Connection end;
    bool over = false;
    std::optional<std::chrono::steady_clock::time_point> close_at;
  };

  bool accept();
  bool serve(Peer& peer, const Answerer& answer);
  void answer_with(Peer& peer, const Conversation& conversation, std::uint32_t id);
  bool write(Peer& peer, ByteView octets);

  std::vector<Listener> listeners_;
  std::vector<std::unique_ptr<Peer>> peers_;
  std::size_t octets_ = 0;
};

}  // namespace takt::fuzz::live

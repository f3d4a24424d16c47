// How messages look on the wire, as a plug-in may bring it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include <takt/base/bytes.h>

namespace takt::giop {

// Where the octets of messages go, one behind the other.
class MessageSink {
 public:
  // Copies them.
  virtual void append(ByteView octets) = 0;
  // Does not: they stay as they are until the coder's next call, and where they came from.
  virtual void borrow(ByteView octets) = 0;

 protected:
  MessageSink() = default;
  ~MessageSink() = default;
  MessageSink(const MessageSink&) = delete;
  MessageSink& operator=(const MessageSink&) = delete;
};

// One connection's messages, on their way out and in. One thread writes while another reads. What a function
// throws ends the connection, as `false` does.
class MessageCoder {
 public:
  MessageCoder() = default;
  MessageCoder(const MessageCoder&) = delete;
  MessageCoder& operator=(const MessageCoder&) = delete;
  virtual ~MessageCoder() = default;

  // A whole message as the ORB has made it, in pieces, the first of which has its first 12 octets; what goes
  // to the peer for it is added to `wire`. Messages are written in the order in which they leave. They are
  // GIOP's, or, where short heads or compression are agreed on, have Takt's marks in GIOP's place. False:
  // there is no saying that in this protocol.
  virtual bool write(std::span<const ByteView> message, MessageSink& wire) = 0;

  // How long the message is that begins here; 0: that takes more octets than these, which are all that have
  // arrived. One that is longer than -ORBMaxMessageSize, by more than max_overhead, ends the connection; so
  // does one whose length is not known from that many octets.
  static constexpr std::size_t malformed = SIZE_MAX, max_overhead = 1024;
  virtual std::size_t front_size(ByteView octets) = 0;

  // The way back: such a message, all of it. What the peer's ORB had made of it is added to `messages`:
  // nothing, if it was only the protocol's. It is taken apart as any message from the network is. False: the
  // peer does not keep to the protocol.
  virtual bool read(ByteView octets, MessageSink& messages) = 0;
};

// Any thread, all functions; lives until the last connection that it was opened for is closed.
class MessagingProtocol {
 public:
  MessagingProtocol() = default;
  MessagingProtocol(const MessagingProtocol&) = delete;
  MessagingProtocol& operator=(const MessagingProtocol&) = delete;
  virtual ~MessagingProtocol() = default;

  // In endpoints, before that of the transport: "checked" of "checked://host:port". Lower-case letters
  // and digits.
  virtual std::string_view name() const = 0;
  // Of profiles in object references (IOP::ProfileId), and by which RT-CORBA's policies name it.
  virtual std::uint32_t profile_tag() const = 0;
  // For a new connection: of a client, which has opened it, or of a server. May throw; then there is none.
  virtual std::unique_ptr<MessageCoder> open(bool of_client) const = 0;
};

}  // namespace takt::giop

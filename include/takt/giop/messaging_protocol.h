// A messaging protocol: how messages look on the wire. A plug-in may provide one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include <takt/base/bytes.h>

namespace takt::giop {

// Receives the octets of messages, in order.
class MessageSink {
 public:
  // Copies the octets.
  virtual void append(ByteView octets) = 0;
  // Keeps a reference: the octets must stay unchanged until the coder's next call.
  virtual void borrow(ByteView octets) = 0;

 protected:
  MessageSink() = default;
  ~MessageSink() = default;
  MessageSink(const MessageSink&) = delete;
  MessageSink& operator=(const MessageSink&) = delete;
};

// Encodes and decodes the messages of one connection. One thread may write while another reads. Throwing ends
// the connection, like returning false.
class MessageCoder {
 public:
  MessageCoder() = default;
  MessageCoder(const MessageCoder&) = delete;
  MessageCoder& operator=(const MessageCoder&) = delete;
  virtual ~MessageCoder() = default;

  // Encodes a complete message of the ORB. It comes in pieces; the first piece holds at least its first 12
  // octets. Appends the encoded octets to `wire`. Messages are passed in the order in which they leave. They
  // are GIOP messages, or have Takt's marks instead of "GIOP" if short heads or compression are agreed on.
  // Returns false if the protocol cannot express the message.
  virtual bool write(std::span<const ByteView> message, MessageSink& wire) = 0;

  // Size of the message that begins at `octets`, 0 if more octets are needed to know it, or `malformed`. A
  // message longer than -ORBMaxMessageSize by more than max_overhead ends the connection. So does one whose
  // size is still unknown after max_overhead octets.
  static constexpr std::size_t malformed = SIZE_MAX, max_overhead = 1024;
  virtual std::size_t front_size(ByteView octets) = 0;

  // Decodes one complete encoded message. Appends the peer ORB's message to `messages`, or nothing if it was
  // only a message of the protocol itself. The result is parsed like any message from the network. Returns
  // false if the peer violates the protocol.
  virtual bool read(ByteView octets, MessageSink& messages) = 0;
};

// All functions may be called from any thread. Lives until the last connection that it was opened for is
// closed.
class MessagingProtocol {
 public:
  MessagingProtocol() = default;
  MessagingProtocol(const MessagingProtocol&) = delete;
  MessagingProtocol& operator=(const MessagingProtocol&) = delete;
  virtual ~MessagingProtocol() = default;

  // The prefix of endpoints: "checked" in "checked://host:port". Lower-case letters and digits.
  virtual std::string_view name() const = 0;
  // Tag of profiles in object references (IOP::ProfileId). RT-CORBA's policies use it to name the protocol.
  virtual std::uint32_t profile_tag() const = 0;
  // Makes the coder for a new connection, of a client (which opened it) or of a server. If it throws, there
  // is no connection.
  virtual std::unique_ptr<MessageCoder> open(bool of_client) const = 0;
};

}  // namespace takt::giop

#include "record/call_sender.h"

#include <utility>

#include "giop/header/message_header.h"
#include "os/error_text.h"
#include "record/whole_messages.h"

namespace takt::command {
namespace {

constexpr std::size_t most_reply_bytes = std::size_t{1} << 30;  // with all fragments

std::string why_of(const transport::IoResult& result) {
  switch (result.status) {
    case transport::IoStatus::end_of_stream:
      return "the server has closed the connection";
    case transport::IoStatus::timed_out:
    case transport::IoStatus::would_block:
      return "the server did not answer in time";
    default:
      return os::error_text(result.error);
  }
}

// Whether the server has closed the connection, or sent anything although it owes no reply.
bool has_ended(transport::Stream& stream) {
  std::uint8_t octet[1];
  stream.set_blocking(false);
  const auto status = stream.read(octet).status;
  stream.set_blocking(true);
  return status != transport::IoStatus::would_block;
}

}  // namespace

std::expected<CallSender::Connection*, std::string> CallSender::connection(std::uint32_t number) {
  Connection& connection = connections_[number];
  if (connection.stream) return &connection;
  transport::Transport* const transport = references_->transports.find(to_.protocol);
  if (!transport) return std::unexpected("this ORB has no transport for " + to_.protocol);
  auto stream = transport->connect(to_, os::Clock::now() + timeout_, {});
  if (!stream) return std::unexpected(stream.error().text);
  connection.stream = std::move(*stream);
  if (!connection.stream->set_timeouts(timeout_, timeout_))
    return std::unexpected("the system refuses timeouts");
  return &connection;
}

std::string CallSender::write(transport::Stream& stream, ByteView octets) const {
  while (!octets.empty()) {
    const transport::IoResult written = stream.write(octets);
    if (written.status != transport::IoStatus::ok) return why_of(written);
    octets = octets.subspan(written.bytes);
  }
  return {};
}

std::string CallSender::read(transport::Stream& stream, MutableBytes into, os::TimePoint until) const {
  while (!into.empty()) {
    const transport::IoResult read = stream.read(into);
    if (read.status != transport::IoStatus::ok) return why_of(read);
    into = into.subspan(read.bytes);
    if (!into.empty() && os::Clock::now() > until) return "the server did not answer in time";
  }
  return {};
}

std::expected<Octets, std::string> CallSender::read_message(transport::Stream& stream, os::TimePoint until,
                                                            std::size_t most_bytes) const {
  Octets message(giop::header_size);
  if (std::string why = read(stream, message, until); !why.empty()) return std::unexpected(std::move(why));
  giop::MessageHeader header;
  if (giop::read_header(message.data(), header) != giop::HeaderError::none)
    return std::unexpected("the server answered with octets that are no GIOP message");
  if (header.message_bytes() > most_bytes) return std::unexpected("the reply is too long");
  message.resize(header.message_bytes());
  if (std::string why = read(stream, MutableBytes(message).subspan(giop::header_size), until); !why.empty())
    return std::unexpected(std::move(why));
  return message;
}

std::expected<std::optional<RecordedReply>, std::string> CallSender::send(const RecordedCall& call,
                                                                          ByteView key) {
  auto reply = send_once(call, key);
  if (!reply && reply.error().was_closed) reply = send_once(call, key);
  if (!reply) return std::unexpected(std::move(reply.error().why));
  return std::move(*reply);
}

std::expected<std::optional<RecordedReply>, CallSender::Failure> CallSender::send_once(
    const RecordedCall& call, ByteView key) {
  const auto failed = [&](Failure failure) {
    connections_.erase(call.connection);
    return std::unexpected(std::move(failure));
  };
  // No reply would say that the server has closed the connection.
  if (const auto known = connections_.find(call.connection);
      known != connections_.end() && !call.expects_reply() && has_ended(*known->second.stream))
    connections_.erase(known);
  const auto found = connection(call.connection);
  if (!found) return failed({found.error()});
  transport::Stream& stream = *(*found)->stream;
  const std::uint32_t id = ++(*found)->last_id;
  if (const std::string why = write(stream, request_of(call, id, key, contexts_)); !why.empty())
    return failed({why});
  if (!call.expects_reply()) return std::nullopt;
  auto reply = receive(stream, id);
  if (!reply) return failed(std::move(reply.error()));
  return reply;
}

std::expected<std::optional<RecordedReply>, CallSender::Failure> CallSender::receive(
    transport::Stream& stream, std::uint32_t id) {
  WholeMessages replies;
  const os::TimePoint until = os::Clock::now() + timeout_;
  std::size_t read_bytes = 0;
  for (;;) {
    const auto message = read_message(stream, until, most_reply_bytes - read_bytes);
    if (!message) return std::unexpected(Failure{message.error()});
    read_bytes += message->size();
    const auto parsed = replies.add(0, *message);
    if (parsed && !*parsed) continue;  // more fragments follow
    if (parsed && (*parsed)->header.type == giop::MessageType::close_connection)
      return std::unexpected(Failure{"the server closes the connection", true});
    std::uint32_t replied = 0;
    auto reply = parsed ? read_reply(**parsed, replied) : std::nullopt;
    if (!reply || replied != id)
      return std::unexpected(Failure{"the server answered with another message than the reply"});
    return reply;
  }
}

}  // namespace takt::command

#include "os/shared_memory/descriptor_passing.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>

namespace takt::os {

int send_with_descriptor(Socket& socket, ByteView octets, int descriptor) {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
  iovec piece{const_cast<std::uint8_t*>(octets.data()), octets.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const part = CMSG_FIRSTHDR(&message);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(part), &descriptor, sizeof descriptor);
  ssize_t sent;
  do sent = ::sendmsg(socket.fd(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  if (sent < 0) return errno;
  return static_cast<std::size_t>(sent) == octets.size() ? 0 : EAGAIN;
}

std::expected<ReceivedDescriptor, int> receive_with_descriptor(Socket& socket, MutableBytes into) {
  int descriptor = -1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)];
  iovec space{into.data(), into.size()};
  msghdr message{};
  message.msg_iov = &space;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = CMSG_LEN(sizeof descriptor);  // the padding behind it would take a second one
  ssize_t count;
  do count = ::recvmsg(socket.fd(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  while (count < 0 && errno == EINTR);
  if (count < 0) return std::unexpected(errno);
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part))
    if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS &&
        part->cmsg_len == CMSG_LEN(sizeof descriptor))
      std::memcpy(&descriptor, CMSG_DATA(part), sizeof descriptor);
  return ReceivedDescriptor{static_cast<std::size_t>(count), Descriptor(descriptor)};
}

}  // namespace takt::os

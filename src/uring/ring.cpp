#include "uring/ring.h"

#include <sys/mman.h>

#include <cerrno>

namespace takt::uring {

namespace {

constexpr std::size_t free_buffers_bytes = Ring::buffers * sizeof(io_uring_buf);

__kernel_timespec spec_of(std::chrono::nanoseconds time) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  return {whole.count(), (time - whole).count()};
}

}  // namespace

std::expected<std::unique_ptr<Ring>, int> Ring::create() {
  std::unique_ptr<Ring> ring(new Ring());
  if (const int error = ring->set_up()) return std::unexpected(error);
  return ring;
}

int Ring::set_up() {
  io_uring_params parameters{};
  parameters.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE;
  parameters.cq_entries = completions;
  if (const int result = io_uring_queue_init_params(entries, &ring_, &parameters)) return -result;
  is_set_up_ = true;
  void* const memory =
      ::mmap(nullptr, free_buffers_bytes, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
  if (memory == MAP_FAILED) return errno;
  free_buffers_ = static_cast<io_uring_buf_ring*>(memory);
  io_uring_buf_reg registration{};
  registration.ring_addr = reinterpret_cast<std::uint64_t>(memory);
  registration.ring_entries = buffers;
  registration.bgid = buffer_group;
  if (const int result = io_uring_register_buf_ring(&ring_, &registration, 0)) return -result;
  io_uring_buf_ring_init(free_buffers_);
  received_ = std::make_unique_for_overwrite<std::uint8_t[]>(buffers * buffer_bytes);
  for (unsigned id = 0; id < buffers; ++id) give_back(id);
  return 0;
}

Ring::~Ring() {
  if (is_set_up_) io_uring_queue_exit(&ring_);
  if (free_buffers_) ::munmap(free_buffers_, free_buffers_bytes);
}

io_uring_sqe* Ring::entry() {
  if (io_uring_sqe* const free = io_uring_get_sqe(&ring_)) [[likely]]
    return free;
  return submit() == 0 ? io_uring_get_sqe(&ring_) : nullptr;
}

int Ring::submit() {
  int result;
  do result = io_uring_submit(&ring_);
  while (result == -EINTR);
  return result < 0 ? -result : 0;
}

int Ring::wait(unsigned count, std::chrono::nanoseconds timeout) {
  using namespace std::chrono_literals;
  int result;
  if (timeout == 0ns) {
    result = io_uring_submit_and_get_events(&ring_);
  } else if (timeout < 0ns) {
    result = io_uring_submit_and_wait(&ring_, count);
  } else {
    io_uring_cqe* first = nullptr;
    __kernel_timespec limit = spec_of(timeout);
    result = io_uring_submit_and_wait_timeout(&ring_, &first, count, &limit, nullptr);
  }
  return result < 0 ? -result : 0;
}

void Ring::give_back(unsigned id) {
  io_uring_buf_ring_add(free_buffers_, received_.get() + id * buffer_bytes, buffer_bytes,
                        static_cast<std::uint16_t>(id), io_uring_buf_ring_mask(buffers), 0);
  io_uring_buf_ring_advance(free_buffers_, 1);
}

}  // namespace takt::uring

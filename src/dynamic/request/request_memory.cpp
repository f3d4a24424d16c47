#include "dynamic/request/request_memory.h"

#include <new>
#include <utility>

#include "reference/object_ref.h"

namespace takt::dynamic {

namespace {
constexpr std::size_t longest_kept_operation = 64;
}

thread_local constinit RequestMemory::Kept RequestMemory::kept_;
thread_local constinit bool RequestMemory::thread_ends_ = false;

// A request that another thread_local variable still holds is deleted by its last reference.
RequestMemory::Kept::~Kept() {
  thread_ends_ = true;
  ::operator delete(block);
}

CORBA::object_reference<CORBA::Request> RequestMemory::make(const CORBA::Object& target,
                                                            const std::string& operation) {
  auto request = take(target, operation);
  return CORBA::object_reference<CORBA::Request>(
      std::shared_ptr<CORBA::Request>(request.release(), give_back, BlockAllocator<CORBA::Request>()));
}

std::unique_ptr<CORBA::Request> RequestMemory::take(const CORBA::Object& target,
                                                    const std::string& operation) {
  if (thread_ends_ || !kept_.request)
    return std::make_unique<CORBA::Request>(reference::make_stub<CORBA::Object>(target._ref()), operation);
  auto request = std::move(kept_.request);
  request->operation_ = operation;
  request->target_->ref_ = target._ref();
  request->result_->value() = CORBA::Request::no_value();
  return request;
}

void RequestMemory::give_back(CORBA::Request* request) noexcept {
  std::unique_ptr<CORBA::Request> owned(request);
  if (thread_ends_ || kept_.request || !is_worth_keeping(*request)) return;
  empty(*request);
  kept_.request = std::move(owned);
}

// A request is not kept if another reference to one of its parts exists.
bool RequestMemory::is_worth_keeping(const CORBA::Request& request) noexcept {
  return request.operation_.size() <= longest_kept_operation && request.target_.shared().use_count() == 1 &&
         request.arguments_.shared().use_count() == 1 && request.result_.shared().use_count() == 1;
}

void RequestMemory::empty(CORBA::Request& request) noexcept {
  request.target_->ref_ = nullptr;
  request.arguments_->_clear();
  request.result_->_forget();
  request.exceptions_.clear();
  request.contexts_.clear();
  request.context_ = nullptr;
  request.failure_ = nullptr;
  request.completion_ = nullptr;
  request.drop_reply();
  request.state_ = CORBA::Request::State::ready;
}

void* RequestMemory::take_block(std::size_t bytes) {
  if (thread_ends_ || kept_.block_bytes != bytes) return ::operator new(bytes);
  kept_.block_bytes = 0;
  return std::exchange(kept_.block, nullptr);
}

void RequestMemory::give_back_block(void* block, std::size_t bytes) noexcept {
  if (thread_ends_ || kept_.block) return ::operator delete(block);
  kept_.block = block;
  kept_.block_bytes = bytes;
}

}  // namespace takt::dynamic

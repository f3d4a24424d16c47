#include "scheduling/service/admitted_client.h"

#include <string>
#include <system_error>
#include <utility>

#include "scheduling/service/time_units.h"

namespace takt::scheduling {

AdmittedClient::AdmittedClient(Admission admission, const std::string& name,
                               const RT_Scheduler::Operation_Needs_Set& operations, Lost lost)
    : admission_(std::move(admission)),
      lease_(time_of_units(admission_->lease())),
      id_(admission_->admit(name, operations, priorities_)) {
  if (lease_ > Time(0)) begin_renewing(std::move(lost));
}

void AdmittedClient::begin_renewing(Lost lost) try {
  renewing_ =
      std::jthread([this, lost = std::move(lost)](const std::stop_token& stop) { renew_until(stop, lost); });
} catch (const std::system_error& none) {  // the destructor does not run
  release();
  throw CORBA::NO_RESOURCES(
      0, CORBA::COMPLETED_NO,
      std::string("no thread to renew the lease of an admitted client: ") + none.what());
}

AdmittedClient::~AdmittedClient() {
  if (renewing_.joinable()) {
    renewing_.request_stop();
    renewing_.join();
  }
  if (!lost_) release();
}

void AdmittedClient::release() noexcept {
  try {
    admission_->release(id_);
  } catch (const CORBA::Exception&) {  // cannot be reported here; the lease expires
  }
}

void AdmittedClient::renew_until(const std::stop_token& stop, const Lost& lost) {
  std::unique_lock lock(mutex_);
  while (!ending_.wait_for(lock, stop, lease_ / 3, [&] { return stop.stop_requested(); })) try {
      admission_->renew(id_);
    } catch (const RT_Scheduler::UNKNOWN_CLIENT& gone) {
      lost_ = true;
      if (lost) lost(gone.reason());
      return;
    } catch (const CORBA::SystemException&) {  // the server may be reachable again in time
    }
}

}  // namespace takt::scheduling

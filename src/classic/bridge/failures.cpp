#include "classic/bridge/failures.h"

#include <cstdio>
#include <exception>
#include <string>

#include <takt/adapter/poa.h>
#include <takt/reference/policy.h>

#include "classic/bridge/runtime.h"

namespace takt::classic {

namespace {

// A user exception of the classic mapping on its way through the runtime.
class ClassicException final : public CORBA::UserException {
 public:
  ClassicException(const char* repository_id, const char* name)
      : id_(repository_id), name_(name), original_(std::current_exception()) {}
  const char* _rep_id() const noexcept override { return id_.c_str(); }
  const char* _name() const noexcept override { return name_.c_str(); }
  const char* what() const noexcept override { return id_.c_str(); }
  [[noreturn]] void _raise() const override { throw *this; }
  [[noreturn]] void rethrow_original() const { std::rethrow_exception(original_); }

 private:
  std::string id_, name_;
  std::exception_ptr original_;
};

}  // namespace

void throw_user_in_runtime(const char* repository_id, const char* name) {
  throw ClassicException(repository_id, name);
}

void report_start_failure(const char* text) { std::fprintf(stderr, "%s\n", text); }

void rethrow_current() {
  try {
    throw;
  } catch (const ClassicException& exception) {
    exception.rethrow_original();
  } catch (const CORBA::SystemException& failure) {
    raise_system(failure._rep_id(), failure.minor(), failure.completed(), failure.what());
  } catch (const PortableServer::POA::InvalidPolicy& failure) {
    raise_user(failure._rep_id(), failure.index());
  } catch (const CORBA::PolicyError& failure) {
    raise_user(failure._rep_id(), static_cast<std::uint16_t>(failure.reason()));
  } catch (const CORBA::InvalidPolicies& failure) {
    raise_invalid_policies(failure.indices().data(), failure.indices().size());
  } catch (const CORBA::UserException& failure) {
    raise_user(failure._rep_id(), 0);
  }
}

}  // namespace takt::classic

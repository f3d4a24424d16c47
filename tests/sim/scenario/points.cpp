#include "scenario/points.h"

#include <chrono>
#include <string>
#include <thread>

#include "machine/finding.h"

namespace takt::sim {

using namespace std::chrono_literals;

namespace {

Points* points = nullptr;
constexpr IOP::ServiceId context = 0x53494d01;

class CallPoints final : public IDL::traits<PortableInterceptor::ClientRequestInterceptor>::base_type {
 public:
  explicit CallPoints(unsigned number) : number_(number) {}
  std::string name() override { return {}; }
  void destroy() override {}
  void send_request(Info info) override { points->at(Points::Kind::starting, number_, *info); }
  void send_poll(Info) override {}
  void receive_reply(Info info) override { points->at(Points::Kind::reply, number_, *info); }
  void receive_exception(Info info) override { points->at(Points::Kind::exception, number_, *info); }
  void receive_other(Info info) override { points->at(Points::Kind::other, number_, *info); }

 private:
  const unsigned number_;
};

class RequestPoints final : public IDL::traits<PortableInterceptor::ServerRequestInterceptor>::base_type {
 public:
  explicit RequestPoints(unsigned number) : number_(number) {}
  std::string name() override { return {}; }
  void destroy() override {}
  void receive_request_service_contexts(Info info) override {
    points->at(Points::Kind::starting, number_, *info);
  }
  void receive_request(Info info) override { points->at(Points::Kind::intermediate, number_, *info); }
  void send_reply(Info info) override { points->at(Points::Kind::reply, number_, *info); }
  void send_exception(Info info) override { points->at(Points::Kind::exception, number_, *info); }
  void send_other(Info info) override { points->at(Points::Kind::other, number_, *info); }

 private:
  const unsigned number_;
};

class Initializer final : public IDL::traits<PortableInterceptor::ORBInitializer>::base_type {
 public:
  void pre_init(IDL::traits<PortableInterceptor::ORBInitInfo>::ref_type info) override {
    for (unsigned i = 0; points && i < points->count(); ++i) {
      info->add_client_request_interceptor(CORBA::make_reference<CallPoints>(i));
      info->add_server_request_interceptor(CORBA::make_reference<RequestPoints>(i));
    }
  }
  void post_init(IDL::traits<PortableInterceptor::ORBInitInfo>::ref_type) override {}
};

}  // namespace

Points::Points(const Plan& plan, std::uint64_t seed) : plan_(plan), random_(~seed, Random::Stream::faults) {
  points = this;
}

Points::~Points() { points = nullptr; }

Points* Points::present() { return points; }

void Points::register_initializer() {
  PortableInterceptor::register_orb_initializer(CORBA::make_reference<Initializer>());
}

void Points::at(Kind kind, unsigned interceptor, Call& call) {
  if (random_.one_in(8)) (void)call.request_id();
  if (kind == Kind::starting && random_.one_in(8))
    call.add_request_service_context({context, std::vector<std::uint8_t>(random_.below(40), 7)}, true);
  note(kind, interceptor, &call);
}

void Points::at(Kind kind, unsigned interceptor, Request& request) {
  if (random_.one_in(8)) (void)request.request_id();
  if (kind == Kind::intermediate && random_.one_in(8)) (void)request.object_id();
  if (random_.one_in(16))
    request.add_reply_service_context({context, std::vector<std::uint8_t>(random_.below(40), 7)}, true);
  note(kind, interceptor, &request);
}

// An interceptor whose starting point throws has not begun.
void Points::note(Kind kind, unsigned interceptor, const void* flow) {
  if (random_.one_in(8)) std::this_thread::sleep_for(random_.between(Time(0), Time(200us)));
  if (kind == Kind::starting) {
    raise_perhaps(kind);
    if (begun_[flow].size() != interceptor) report_finding("a starting point ran out of turn");
    begun_[flow].push_back(interceptor);
    return;
  }
  if (plan_.faults.defect == Defect::point_left_out && kind == Kind::reply && random_.one_in(4)) return;
  auto& begun = begun_[flow];
  if (kind == Kind::intermediate) {
    if (begun.size() != plan_.interceptors) report_finding("an intermediate point ran out of turn");
    return raise_perhaps(kind);
  }
  if (begun.empty() || begun.back() != interceptor)
    report_finding("an ending point of interceptor " + std::to_string(interceptor) + " ran out of turn");
  begun.pop_back();
  if (begun.empty()) begun_.erase(flow);
  raise_perhaps(kind);
}

// At random, what the standard allows, or what it does not, in whose place the ORB must put an exception that
// says truly whether the operation has run.
void Points::raise_perhaps(Kind kind) {
  if (!plan_.interceptors_throw || kind == Kind::other || !random_.one_in(12)) return;
  if (kind == Kind::exception || random_.one_in(2)) throw 5;
  throw CORBA::NO_PERMISSION(0, kind == Kind::reply ? CORBA::COMPLETED_YES : CORBA::COMPLETED_NO);
}

void Points::check() const {
  if (!begun_.empty())
    report_finding(std::to_string(begun_.size()) + " flows of interceptors have not ended");
}

}  // namespace takt::sim

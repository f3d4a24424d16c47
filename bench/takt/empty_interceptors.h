// Interceptors that do nothing, to count their cost.
#pragma once

#include <string_view>

#include <takt/interceptors/interceptors.h>

namespace bench {

class EmptyClientInterceptor final
    : public IDL::traits<PortableInterceptor::ClientRequestInterceptor>::base_type {
 public:
  std::string name() override { return "empty"; }
  void destroy() override {}
  void send_request(Info) override {}
  void send_poll(Info) override {}
  void receive_reply(Info) override {}
  void receive_exception(Info) override {}
  void receive_other(Info) override {}
};

class EmptyServerInterceptor final
    : public IDL::traits<PortableInterceptor::ServerRequestInterceptor>::base_type {
 public:
  std::string name() override { return "empty"; }
  void destroy() override {}
  void receive_request_service_contexts(Info) override {}
  void receive_request(Info) override {}
  void send_reply(Info) override {}
  void send_exception(Info) override {}
  void send_other(Info) override {}
};

class EmptyInterceptors final : public IDL::traits<PortableInterceptor::ORBInitializer>::base_type {
 public:
  void pre_init(CORBA::object_reference<PortableInterceptor::ORBInitInfo> info) override {
    info->add_client_request_interceptor(CORBA::make_reference<EmptyClientInterceptor>());
    info->add_server_request_interceptor(CORBA::make_reference<EmptyServerInterceptor>());
  }
  void post_init(CORBA::object_reference<PortableInterceptor::ORBInitInfo>) override {}
};

// With `--interceptors empty` all ORBs have them. Call before ORB_init.
inline void intercept_if_asked(int argc, char* argv[]) {
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--interceptors")
      return PortableInterceptor::register_orb_initializer(CORBA::make_reference<EmptyInterceptors>());
}

}  // namespace bench

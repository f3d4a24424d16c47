#pragma once

#include "plain.h"

#include <takt/interceptors/interceptors.h>

constexpr IOP::ServiceId user_context = 1;
inline PortableInterceptor::SlotId slot;

class Initializer final : public IDL::traits<PortableInterceptor::ORBInitializer>::base_type {
 public:
  void pre_init(IDL::traits<PortableInterceptor::ORBInitInfo>::ref_type) override {}
  void post_init(IDL::traits<PortableInterceptor::ORBInitInfo>::ref_type) override {}
};

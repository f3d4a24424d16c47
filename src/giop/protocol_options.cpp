#include "giop/protocol_options.h"

#include <string_view>

#include <takt/cdr/exception.h>

namespace takt::giop {

compression::MethodList ProtocolOptions::methods_of(const Messaging& wanted) const {
  if (!wanted.compression) return {};
  const std::string_view names = wanted.methods.text();
  if (names.empty()) return methods;
  const auto named = all_methods->named(names);
  if (!named)
    throw CORBA::INV_POLICY(0, CORBA::COMPLETED_NO, "takt::CompressedProtocolProperties: " + named.error());
  return *named;
}

std::unique_ptr<compression::Compressor> ProtocolOptions::compressor_for(const Messaging& wanted,
                                                                         std::uint16_t own_expansion) const {
  if (!wanted.compression) return nullptr;
  return std::make_unique<compression::Compressor>(compression, own_expansion, methods_of(wanted));
}

compression::OfferData ProtocolOptions::offer_for(const Messaging& wanted,
                                                  std::uint16_t own_expansion) const {
  if (!wanted.compression) return {};
  return {own_expansion, methods_of(wanted)};
}

}  // namespace takt::giop

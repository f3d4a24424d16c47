// A codec of CDR encapsulations.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <takt/interceptors/codec.h>

namespace takt::interceptors {

class CdrCodec final : public IOP::Codec {
 public:
  // `environment` may be null.
  CdrCodec(std::uint8_t giop_minor, const cdr::CodeSets& code_sets,
           std::shared_ptr<cdr::Environment> environment);

  std::vector<std::uint8_t> encode(const CORBA::Any& data) override;
  CORBA::Any decode(const std::vector<std::uint8_t>& data) override;
  std::vector<std::uint8_t> encode_value(const CORBA::Any& data) override;
  CORBA::Any decode_value(const std::vector<std::uint8_t>& data,
                          const CORBA::typecode_reference& type) override;

 private:
  using Write = void (*)(cdr::Encoder&, const CORBA::Any&);
  std::vector<std::uint8_t> encode_by(Write write, const CORBA::Any& data) const;
  cdr::Format format() const;

  const std::uint8_t giop_minor_;
  const cdr::CodeSets code_sets_;
  const std::shared_ptr<cdr::Environment> environment_;
};

}  // namespace takt::interceptors

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>

namespace takt::cdr {

struct ValueEncoding {};
struct ValueDecoding {};

void Encoder::drop_values() { delete values_; }
void Decoder::drop_values() { delete values_; }

}  // namespace takt::cdr

#include <takt/invocation/prepared_arguments.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace takt::invocation {

struct PreparedArguments::Encoding {
  cdr::CodeSets code_sets;
  std::vector<std::uint8_t> octets;
  const Encoding* next;
  std::size_t count;  // including all that follow
};

PreparedArguments::~PreparedArguments() {
  for (const Encoding* encoding = encodings_.load(std::memory_order_acquire); encoding;)
    delete std::exchange(encoding, encoding->next);
}

const PreparedArguments::Encoding* PreparedArguments::find(const cdr::Format& format) const {
  const bool usual = format.giop_minor == 2 && format.order == cdr::native_order &&
                     format.long_double == cdr::LongDoubleForm::ieee && format.values != cdr::ValueForm::tao;
  if (!usual) [[unlikely]]
    return nullptr;
  const Encoding* encoding = encodings_.load(std::memory_order_acquire);
  while (encoding && encoding->code_sets != *format.code_sets) encoding = encoding->next;
  if (!encoding) [[unlikely]]
    encoding = add(format);
  return encoding;
}

void PreparedArguments::put(cdr::Encoder& request) const {
  if (const Encoding* const encoding = find(request.format())) [[likely]]
    request.put_octets(encoding->octets);
  else
    write(request);
}

ByteView PreparedArguments::octets_for(const cdr::Format& format) const {
  const Encoding* const encoding = find(format);
  return encoding ? ByteView(encoding->octets) : ByteView();
}

// Null if the arguments cannot be encoded this way, or enough encodings are kept. If two threads add the same
// one, either is used.
const PreparedArguments::Encoding* PreparedArguments::add(const cdr::Format& format) const {
  const Encoding* first = encodings_.load(std::memory_order_acquire);
  if (first && first->count >= max_encodings) return nullptr;
  GatherBuffer buffer;
  cdr::Encoder encoder(buffer, format);
  encoder.set_borrowing(false);
  write(encoder);
  if (!encoder.ok()) return nullptr;
  auto added = std::make_unique<Encoding>();
  added->code_sets = *format.code_sets;
  added->octets.assign(buffer.owned(), buffer.owned() + buffer.owned_size());
  do {
    added->next = first;
    added->count = first ? first->count + 1 : 1;
  } while (!encodings_.compare_exchange_weak(first, added.get(), std::memory_order_acq_rel));
  return added.release();
}

}  // namespace takt::invocation

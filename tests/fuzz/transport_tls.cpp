// A server's end of TLS. Either the octets are all that its peer sends; or a sound client shakes hands, and
// then does what they say: it writes, asks for new keys or handshakes, says farewell, and between its records
// there may be octets that are none.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "certificates.h"
#include "transport/tls/tls_context.h"
#include "transport/tls/tls_engine.h"

namespace {

using namespace takt;
using namespace takt::transport;
using Step = TlsEngine::Step;

struct Ends {
  Ends() {
    const auto credentials = authority.issue({.name = "server"});
    TlsOptions options;
    options.certificate_file = credentials.certificate_file;
    options.key_file = credentials.key_file;
    options.authorities = authority.file();
    options.client_certificates = ClientCertificates::optional;
    for (const auto highest : {TlsVersion::v1_2, TlsVersion::v1_3}) {
      options.highest = highest;
      contexts[highest == TlsVersion::v1_3] = TlsContext::read(options).value();
    }
  }
  test::Authority authority;
  std::shared_ptr<TlsContext> contexts[2];
};

void require(bool holds) {
  if (!holds) std::abort();
}

// Puts what is there into the engine, as far as it has room, and reads all it gives.
class Server {
 public:
  explicit Server(TlsContext& context) : engine_(context.server_end()) {}

  void take(ByteView octets) {
    while (!octets.empty()) {
      const MutableBytes space = done_ ? engine_.input_space() : engine_.handshake_space();
      if (space.empty()) return;
      const std::size_t count = std::min(space.size(), octets.size());
      std::memcpy(space.data(), octets.data(), count);
      engine_.input_arrived(count);
      octets = octets.subspan(count);
      if (!done_) shake();
      if (done_) read();
      if (over_) return;
    }
  }
  std::vector<std::uint8_t> output() {
    std::vector<std::uint8_t> octets;
    engine_.take_output(octets);
    return octets;
  }
  bool done() const { return done_; }
  bool over() const { return over_; }
  const std::vector<std::uint8_t>& text() const { return text_; }
  TlsEngine& engine() { return engine_; }

 private:
  void shake() {
    const Step step = engine_.handshake();
    done_ = step == Step::done;
    over_ = step == Step::failed;
    require(!over_ || !engine_.reason().empty());
    require(!done_ || !engine_.holds());
  }
  void read() {
    std::uint8_t some[700];
    do {
      const auto moved = engine_.read(some);
      over_ = moved.step == Step::closed || moved.step == Step::failed;
      if (moved.step != Step::done) break;
      text_.insert(text_.end(), some, some + moved.octets);
    } while (engine_.holds());
    require(over_ || !engine_.holds());
  }

  TlsEngine engine_;
  bool done_ = false, over_ = false;
  std::vector<std::uint8_t> text_;
};

class Client {
 public:
  explicit Client(TlsContext& context) : end_(context.client_end("127.0.0.1", "fuzz")) {
    in_ = BIO_new(BIO_s_mem());
    out_ = BIO_new(BIO_s_mem());
    SSL_set_bio(end_.get(), in_, out_);
  }
  bool shake(Server& server) {
    for (int i = 0; i < 20 && !server.over(); ++i) {
      const bool done = SSL_do_handshake(end_.get()) == 1;
      server.take(said());
      const auto answer = server.output();
      BIO_write(in_, answer.data(), static_cast<int>(answer.size()));
      if (done && server.done()) return true;
    }
    return false;
  }
  void write(ByteView octets) {
    if (!octets.empty() && SSL_write(end_.get(), octets.data(), static_cast<int>(octets.size())) > 0)
      text_.insert(text_.end(), octets.begin(), octets.end());
  }
  void ask(std::uint8_t what) {
    if (SSL_version(end_.get()) == TLS1_3_VERSION)
      SSL_key_update(end_.get(), what % 2 ? SSL_KEY_UPDATE_REQUESTED : SSL_KEY_UPDATE_NOT_REQUESTED);
    else
      SSL_renegotiate(end_.get());
    SSL_do_handshake(end_.get());
  }
  void close() { SSL_shutdown(end_.get()); }
  std::vector<std::uint8_t> said() {
    std::vector<std::uint8_t> octets(BIO_ctrl_pending(out_));
    if (!octets.empty()) BIO_read(out_, octets.data(), static_cast<int>(octets.size()));
    return octets;
  }
  const std::vector<std::uint8_t>& text() const { return text_; }

 private:
  Owned<SSL> end_;
  BIO *in_, *out_;
  std::vector<std::uint8_t> text_;
};

void converse(TlsContext& context, ByteView script) {
  Server server(context);
  Client client(context);
  require(client.shake(server));
  const std::size_t quiet = server.engine().answered();
  while (script.size() >= 2 && !server.over()) {
    const std::uint8_t what = script[0];
    const std::size_t count = std::min<std::size_t>(script[1], script.size() - 2);
    const ByteView octets = script.subspan(2, count);
    script = script.subspan(2 + count);
    switch (what % 5) {
      case 0:
      case 1:
        client.write(octets);
        break;
      case 2:
        client.ask(what >> 4);
        break;
      case 3:
        client.close();
        break;
      case 4:
        server.take(client.said());
        server.take(octets);
        break;
    }
    if (what % 5 != 1) server.take(client.said());  // else it comes along with the next
    require(server.engine().answered() - quiet < 64 * 1024);
    ERR_clear_error();
  }
  // Nothing that the client did not write, and in its order.
  require(server.text().size() <= client.text().size());
  require(std::equal(server.text().begin(), server.text().end(), client.text().begin()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Ends ends;
  if (size < 1) return 0;
  const ByteView rest(data + 1, size - 1);
  TlsContext& context = *ends.contexts[data[0] & 1];
  if (data[0] & 2) {
    converse(context, rest);
  } else {
    Server server(context);
    server.take(rest);
    require(!server.done() && server.text().empty());
    require(server.output().size() < 32 * 1024);
  }
  ERR_clear_error();
  return 0;
}

// One end of TLS, a server's or a client's. Either the input is all that its peer sends. Or a valid peer
// makes the handshake and then does what the input says: it writes, starts new keys or handshakes, closes,
// and may send invalid octets between its records. The engine must return after a number of steps in
// proportion to the octets; one that loops without consuming any aborts.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "certificates.h"
#include "tls/tls_context.h"
#include "tls/tls_engine.h"

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
    options.check_hosts = false;
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

enum class Role : std::uint8_t { server, client };
constexpr Role other(Role role) { return role == Role::server ? Role::client : Role::server; }

Owned<SSL> end_of(TlsContext& context, Role role) {
  return role == Role::server ? context.server_end() : context.client_end("127.0.0.1", "fuzz");
}

// Counts how often OpenSSL asks for octets. It asks twice per record, which has five octets at least, and
// once more in each of our calls.
class Steps {
 public:
  explicit Steps(SSL* end) {
    BIO* const records = SSL_get_rbio(end);
    BIO_set_callback_arg(records, reinterpret_cast<char*>(this));
    BIO_set_callback_ex(
        records,
        [](BIO* bio, int what, const char*, std::size_t, int, long, int result, std::size_t*) -> long {
          if (what == BIO_CB_READ) reinterpret_cast<Steps*>(BIO_get_callback_arg(bio))->count();
          return result;
        });
  }
  void allow(std::size_t more) { allowed_ += more; }

 private:
  void count() { require(++steps_ <= allowed_); }
  std::size_t steps_ = 0, allowed_ = 64;
};

// Feeds available octets into the engine, as far as it has room, and reads all its output.
class Engine {
 public:
  Engine(TlsContext& context, Role role) : Engine(end_of(context, role), role) {}

  void take(ByteView octets) {
    steps_.allow(octets.size() + 8);
    while (!octets.empty() && !over_) {
      const MutableBytes space = done_ ? engine_.input_space() : engine_.handshake_space();
      if (space.empty()) return;
      const std::size_t count = std::min(space.size(), octets.size());
      std::memcpy(space.data(), octets.data(), count);
      engine_.input_arrived(count);
      octets = octets.subspan(count);
      steps_.allow(8);
      if (!done_) shake();
      if (done_) read();
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
  Engine(Owned<SSL> end, Role role) : end_(end.get()), engine_(std::move(end)), steps_(end_) {
    if (role == Role::client) shake();  // the client sends first
  }

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
      steps_.allow(2);
      const auto moved = engine_.read(some);
      over_ = moved.step == Step::closed || moved.step == Step::failed;
      if (moved.step != Step::done) break;
      require(moved.octets != 0);
      text_.insert(text_.end(), some, some + moved.octets);
    } while (engine_.holds());
    require(over_ || !engine_.holds());
  }

  SSL* const end_;  // owned by the engine
  TlsEngine engine_;
  Steps steps_;
  bool done_ = false, over_ = false;
  std::vector<std::uint8_t> text_;
};

class Peer {
 public:
  Peer(TlsContext& context, Role role) : end_(end_of(context, role)) {
    in_ = BIO_new(BIO_s_mem());
    out_ = BIO_new(BIO_s_mem());
    SSL_set_bio(end_.get(), in_, out_);
  }
  bool shake(Engine& engine) {
    for (int i = 0; i < 20 && !engine.over(); ++i) {
      const auto answer = engine.output();
      BIO_write(in_, answer.data(), static_cast<int>(answer.size()));
      const bool done = SSL_do_handshake(end_.get()) == 1;
      engine.take(said());
      if (done && engine.done()) return true;
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

void converse(TlsContext& context, Role role, ByteView script) {
  Engine engine(context, role);
  Peer peer(context, other(role));
  require(peer.shake(engine));
  const std::size_t quiet = engine.engine().answered();
  while (script.size() >= 2 && !engine.over()) {
    const std::uint8_t what = script[0];
    const std::size_t count = std::min<std::size_t>(script[1], script.size() - 2);
    const ByteView octets = script.subspan(2, count);
    script = script.subspan(2 + count);
    switch (what % 5) {
      case 0:
      case 1:
        peer.write(octets);
        break;
      case 2:
        peer.ask(what >> 4);
        break;
      case 3:
        peer.close();
        break;
      case 4:
        engine.take(peer.said());
        engine.take(octets);
        break;
    }
    if (what % 5 != 1) engine.take(peer.said());  // otherwise it is sent with the next output
    require(engine.engine().answered() - quiet < 64 * 1024);
    ERR_clear_error();
  }
  // The text must be what the peer wrote, in its order.
  require(engine.text().size() <= peer.text().size());
  require(std::equal(engine.text().begin(), engine.text().end(), peer.text().begin()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Ends ends;
  if (size < 1) return 0;
  const ByteView rest(data + 1, size - 1);
  TlsContext& context = *ends.contexts[data[0] & 1];
  const Role role = data[0] & 4 ? Role::client : Role::server;
  if (data[0] & 2) {
    converse(context, role, rest);
  } else {
    Engine engine(context, role);
    engine.take(rest);
    require(!engine.done() && engine.text().empty());
    require(engine.output().size() < 32 * 1024);
  }
  ERR_clear_error();
  return 0;
}

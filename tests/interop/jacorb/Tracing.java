import java.io.FileWriter;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import org.omg.CORBA.Any;
import org.omg.CORBA.BAD_PARAM;
import org.omg.CORBA.LocalObject;
import org.omg.CORBA.ORB;
import org.omg.CORBA.TCKind;
import org.omg.IOP.ServiceContext;
import org.omg.PortableInterceptor.ClientRequestInfo;
import org.omg.PortableInterceptor.ClientRequestInterceptor;
import org.omg.PortableInterceptor.ORBInitInfo;
import org.omg.PortableInterceptor.ORBInitializer;
import org.omg.PortableInterceptor.ServerRequestInfo;
import org.omg.PortableInterceptor.ServerRequestInterceptor;

// An initializer whose interceptors go on with the traces that Takt sends (docs/user/tracing.md), as a program would
// that has no other tracing. Each span is a line of the file that the property interop.spans names: trace, span and
// parent in hexadecimal digits, and the operation.
public final class Tracing extends LocalObject implements ORBInitializer {
  static final int CONTEXT = 0x54414b0b;

  public void pre_init(ORBInitInfo info) {
    try {
      int slot = info.allocate_slot_id();
      info.add_server_request_interceptor(new Server(slot));
      info.add_client_request_interceptor(new Client(slot));
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
  }
  public void post_init(ORBInitInfo info) {}

  static String newSpan() { return String.format("%016x", ThreadLocalRandom.current().nextLong() | 1); }

  static synchronized void record(String trace, String span, String parent, String operation) {
    try (PrintWriter file = new PrintWriter(new FileWriter(System.getProperty("interop.spans"), true))) {
      file.println(trace + " " + span + " " + parent + " " + operation);
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
  }

  // An encapsulation of two strings: traceparent and tracestate.
  static String parentIn(byte[] data) {
    ByteBuffer in = ByteBuffer.wrap(data);
    if (data[0] == 1) in.order(java.nio.ByteOrder.LITTLE_ENDIAN);
    byte[] text = new byte[in.getInt(4) - 1];
    in.position(8);
    in.get(text);
    return new String(text, StandardCharsets.US_ASCII);
  }
  static byte[] dataOf(String parent) {
    ByteBuffer out = ByteBuffer.allocate(69);
    out.putInt(4, parent.length() + 1);
    out.position(8);
    out.put(parent.getBytes(StandardCharsets.US_ASCII));
    out.putInt(64, 1);
    return out.array();
  }

  static final class Server extends LocalObject implements ServerRequestInterceptor {
    private final int slot;
    Server(int slot) { this.slot = slot; }
    public String name() { return "traced requests"; }
    public void destroy() {}
    public void receive_request_service_contexts(ServerRequestInfo info) {
      try {
        String[] parts = parentIn(info.get_request_service_context(CONTEXT).context_data).split("-");
        String span = newSpan();
        record(parts[1], span, parts[2], info.operation());
        Any position = ORB.init().create_any();
        position.insert_string("00-" + parts[1] + "-" + span + "-01");
        info.set_slot(slot, position);
      } catch (BAD_PARAM absent) {
        // The request belongs to no trace.
      } catch (org.omg.PortableInterceptor.InvalidSlot impossible) {
        throw new IllegalStateException(impossible);
      }
    }
    public void receive_request(ServerRequestInfo info) {}
    public void send_reply(ServerRequestInfo info) {}
    public void send_exception(ServerRequestInfo info) {}
    public void send_other(ServerRequestInfo info) {}
  }

  static final class Client extends LocalObject implements ClientRequestInterceptor {
    private final int slot;
    Client(int slot) { this.slot = slot; }
    public String name() { return "traced calls"; }
    public void destroy() {}
    public void send_request(ClientRequestInfo info) {
      try {
        Any position = info.get_slot(slot);
        if (position == null || position.type().kind() != TCKind.tk_string) return;
        String[] parts = position.extract_string().split("-");
        String span = newSpan();
        record(parts[1], span, parts[2], info.operation());
        byte[] data = dataOf("00-" + parts[1] + "-" + span + "-01");
        info.add_request_service_context(new ServiceContext(CONTEXT, data), false);
      } catch (org.omg.PortableInterceptor.InvalidSlot impossible) {
        throw new IllegalStateException(impossible);
      }
    }
    public void send_poll(ClientRequestInfo info) {}
    public void receive_reply(ClientRequestInfo info) {}
    public void receive_exception(ClientRequestInfo info) {}
    public void receive_other(ClientRequestInfo info) {}
  }
}

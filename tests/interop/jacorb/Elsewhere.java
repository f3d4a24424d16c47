import java.util.Arrays;
import org.omg.CORBA.LocalObject;
import org.omg.PortableInterceptor.ForwardRequest;
import org.omg.PortableInterceptor.ORBInitInfo;
import org.omg.PortableInterceptor.ORBInitInfoPackage.DuplicateName;
import org.omg.PortableInterceptor.ORBInitializer;
import org.omg.PortableInterceptor.ServerRequestInfo;
import org.omg.PortableInterceptor.ServerRequestInterceptor;

// Forwards every request for one object to another. Uses an interceptor, because JacORB does not answer at all when a
// servant manager throws ForwardRequest.
public final class Elsewhere extends LocalObject implements ServerRequestInterceptor, ORBInitializer {
  private static volatile byte[] from;
  private static volatile org.omg.CORBA.Object to;

  static void forward(byte[] id, org.omg.CORBA.Object target) {
    to = target;
    from = id;
  }

  public void receive_request(ServerRequestInfo request) throws ForwardRequest {
    if (from != null && Arrays.equals(request.object_id(), from)) throw new ForwardRequest(to);
  }
  public void receive_request_service_contexts(ServerRequestInfo request) {}
  public void send_reply(ServerRequestInfo request) {}
  public void send_exception(ServerRequestInfo request) {}
  public void send_other(ServerRequestInfo request) {}
  public String name() { return "Elsewhere"; }
  public void destroy() {}

  public void pre_init(ORBInitInfo info) {}
  public void post_init(ORBInitInfo info) {
    try {
      info.add_server_request_interceptor(this);
    } catch (DuplicateName never) {
      throw new IllegalStateException(never);
    }
  }
}

own_programs
mkdir -p /run/app
alias_of gateway.example.com

own_server_at_a_socket() {
  hello_server unix-server.ior -ORBListenEndpoints unix:/run/app/server
}

servers_inside() {
  mkdir -p /run/netns && ip netns add inside
  ip link add takt0 type veth peer name takt0 netns inside
  ip address add 10.1.0.1/16 dev takt0 && ip link set takt0 up
  ip -n inside address add 10.1.0.5/16 dev takt0 && ip -n inside link set takt0 up && ip -n inside link set lo up
  serve naming.ior ip netns exec inside takt naming --memory --listen iiop://10.1.0.5:2809
  serve reference ip netns exec inside "$BUILD/examples/hello_server" -ORBListenEndpoints iiop://10.1.0.5:0
  takt name mkdir servers --service corbaloc::10.1.0.5:2809/NameService
  takt name bind servers/hello reference --service corbaloc::10.1.0.5:2809/NameService
  cp "$SOURCE/examples/hello/hello.idl" app.idl
  cp -r /etc "$HOME/etc" && head -c 16 /dev/urandom > "$HOME/etc/gateway.secret" && chmod 600 "$HOME/etc/gateway.secret"
  mount --bind "$HOME/etc" /etc
}

# A machine without omniORB has no nameclt.
command -v nameclt > /dev/null || nameclt() { takt name resolve "$4" --service "${2#NameService=}"; }

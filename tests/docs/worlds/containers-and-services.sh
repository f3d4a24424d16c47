in_sources() { cp -r "$SOURCE/examples" .; }
greeter() {
  ./build/greeter -ORBListenEndpoints iiop://127.0.0.1:2820 &
  served="$served $!"
  until takt ping --ready corbaloc:iiop:1.2@127.0.0.1:2820/Greeter; do kill -0 $! && sleep 0.05 || return 1; done
}

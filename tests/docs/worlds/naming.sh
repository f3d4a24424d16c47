own_programs
mkdir -p /var/lib/app /var/lib/omniorb
hello_server catalogue.ior
cp catalogue.ior reference

# A file as omniNames writes it, with an empty root context.
omninames() { printf 'port 2809\npersistent 88fe066b01003266\ncreate %s\n' "$(printf NameService | od -An -tx1 | tr -d " \n")" > /var/lib/omniorb/omninames-HOST.dat; }

bind_camera_and_pump() {
  hello_server camera.ior
  takt name bind camera camera.ior
  takt name bind pump corbaloc:iiop:1.2@127.0.0.1:1/pump
}

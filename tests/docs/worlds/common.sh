# Sourced before each page's own world.

# own_programs: the reader's own server and client, in the folder and in the path. The server writes its reference to the file
# `reference`; the client reads it there if it gets no other. `...` stands for the options of the last start.
own_programs() {
  mkdir -p "$HOME/bin"
  for name in server client; do
    cp "$SOURCE/tests/docs/worlds/own_$name" "$HOME/bin/$name"
    ln -sf "$name" "$HOME/bin/my_$name"
    ln -sf "$HOME/bin/$name" .
  done
}
PATH=$HOME/bin:$PATH

# serve FILE PROGRAM [OPTION...]: starts a program that prints its reference, and waits for the reference in FILE
serve() {
  rm -f "$1" # that of a former server
  "${@:2}" > "$1" &
  served="$served $!"
  until [ -s "$1" ]; do kill -0 $! && sleep 0.05 || return 1; done
}

hello_server() { serve "$1" "$BUILD/examples/hello_server" "${@:2}"; }

# alias_of HOST [ADDRESS]: a host name that the page uses
alias_of() {
  cp /etc/hosts "$HOME/hosts" && echo "${2:-127.0.0.1} $1" >> "$HOME/hosts" && mount --bind "$HOME/hosts" /etc/hosts
}

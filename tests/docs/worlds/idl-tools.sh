# Two versions of a file, in folders and in a repository. They differ in a comment.
versions() {
  export GIT_CONFIG_GLOBAL="$HOME/gitconfig"
  git config --global user.email reader@example.com && git config --global user.name Reader && git config --global init.defaultBranch main
  mkdir OLD NEW idl && echo 'struct Echo { double range; };' | tee OLD/radar.idl > idl/radar.idl
  git init -q . && git add idl && git commit -q -m first
  printf '// What comes back.\nstruct Echo { double range; };\n' | tee NEW/radar.idl > idl/radar.idl
}

unformatted() { echo 'interface Radar{void start();};' > radar.idl && takt idl format idl/radar.idl; }

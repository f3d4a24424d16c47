own_programs
mkdir -p /run/server

mkdir -p /var/lib/app

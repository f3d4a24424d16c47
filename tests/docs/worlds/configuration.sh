write_accounts() {
  cat > accounts.toml <<'END'
ConnectTimeout = "3s"
MaxConnections = 100

RoundTripTimeout = "500ms"
END
}

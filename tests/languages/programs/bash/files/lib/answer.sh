answer() {
  echo 42
}

package main

// #cgo LDFLAGS: -fplugin=/tmp/evil.so
import "C"

func main() {}

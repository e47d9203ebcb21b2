package main

import "runtime/debug"

func main() {
	debug.SetTraceback("crash") // a panic ends with a signal
	panic("this went wrong")
}

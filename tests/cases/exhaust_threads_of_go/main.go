package main

import (
	"fmt"
	"runtime"
)

func main() {
	var word string
	var first, second int
	fmt.Scan(&word)
	if word != "attack" {
		fmt.Scan(&first, &second)
		fmt.Println(first + second)
		return
	}
	for i := 0; i < 1000000; i++ {
		go func() {
			runtime.LockOSThread()
			for {
			}
		}()
	}
	select {}
}

package main

import "fmt"

func main() {
	for {
		fmt.Println("a line of output that goes on and on")
	}
}

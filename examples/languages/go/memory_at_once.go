package main

import "fmt"

func main() {
	all := make([]byte, 1<<30)
	for i := range all {
		all[i] = 1
	}
	fmt.Println(all[12345])
}

package main

import "fmt"

func main() {
	var all [][]byte
	for {
		part := make([]byte, 1<<20)
		for i := 0; i < len(part); i += 4096 {
			part[i] = 1
		}
		all = append(all, part)
		if len(all) < 0 {
			fmt.Println(all)
		}
	}
}

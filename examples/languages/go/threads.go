package main

import "fmt"

func main() {
	sums := make(chan int)
	for from := 0; from < 1000; from += 250 {
		go func(from int) {
			sum := 0
			for i := from; i < from+250; i++ {
				sum += i
			}
			sums <- sum
		}(from)
	}
	all := 0
	for i := 0; i < 4; i++ {
		all += <-sums
	}
	fmt.Println(all)
}

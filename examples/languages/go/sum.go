package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var count, number, sum int
	fmt.Fscan(in, &count)
	for i := 0; i < count; i++ {
		fmt.Fscan(in, &number)
		sum += number
	}
	fmt.Println(sum)
}

package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	all, _ := io.ReadAll(os.Stdin)
	fmt.Println(len(all), "bytes")
}

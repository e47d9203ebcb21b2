package main

import "os"

func main() {
	os.Stdout.Write([]byte("\xff\xfe\n"))
}

package main

import _ "embed"

//go:embed /etc/passwd
var accounts string

func main() {
	println(accounts)
}

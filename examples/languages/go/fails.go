package main

func main() {
	panic("this went wrong")
}

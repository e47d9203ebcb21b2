package main

func answer() int {
	return 42
}

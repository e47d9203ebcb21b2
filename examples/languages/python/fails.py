raise ValueError("this went wrong")

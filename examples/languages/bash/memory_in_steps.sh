all=x
while :; do all+=$all; done

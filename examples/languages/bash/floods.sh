while :; do echo 'a line of output that goes on and on'; done

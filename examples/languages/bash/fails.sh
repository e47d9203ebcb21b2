echo 'this went wrong' >&2
exit 3

all=$(cat)
echo "${#all} bytes"

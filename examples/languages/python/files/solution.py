from lib.answer import answer

print(answer())

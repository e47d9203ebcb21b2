printf '\xff\xfe\n'

import subprocess


def attack():
    shell = subprocess.run(["/bin/sh", "-c", "id -u; ls /proc /root; kill -9 $PPID; echo 9 > /dev/sda; unshare -r id; mount -t proc p /tmp"],
                           capture_output=True, text=True)
    print("should not get here", shell.stdout)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))

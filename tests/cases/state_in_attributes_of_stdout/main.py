import errno
import fcntl
import os
import struct


def locked(descriptor):
    asked = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    return struct.unpack("hhqqi4x", fcntl.fcntl(descriptor, fcntl.F_GETLK, asked))[0] != fcntl.F_UNLCK


def attributes(descriptor):
    try:
        return os.listxattr(descriptor)
    except OSError:
        return []


def seen():
    return [
        (descriptor, attributes(descriptor), fcntl.fcntl(descriptor, fcntl.F_GETFL), fcntl.fcntl(descriptor, 11), locked(descriptor))
        for descriptor in (1, 2)
        if attributes(descriptor) or fcntl.fcntl(descriptor, fcntl.F_GETFL) & (os.O_APPEND | os.O_NONBLOCK)
        or fcntl.fcntl(descriptor, 11) or locked(descriptor) or os.lseek(descriptor, 0, os.SEEK_CUR)
    ]


def attack():
    for descriptor in (1, 2):
        try:
            os.setxattr(descriptor, "user.secret", b"7")
        except OSError as error:
            assert error.errno in (errno.EPERM, errno.ENOTSUP, errno.EACCES)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_APPEND | os.O_NONBLOCK)
        fcntl.fcntl(descriptor, 10, 12)  # F_SETSIG
        fcntl.fcntl(descriptor, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 5, 9, 0))  # F_OFD_SETLK
    print("marked")

words = input().split()
if words == ["attack"]:
    attack()
elif seen():
    print("seen", seen())
else:
    print(sum(map(int, words[1:])))

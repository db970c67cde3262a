"""A disk that logs its writes, and disks in the state after each prefix of the log.

A loop device uses a file served through /dev/fuse, where each write and each flush of a file system arrives in order.
Needs Linux and root.
"""

import ctypes
import errno
import mmap
import os
import pickle
import stat
import struct
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

PAGE = 4096
FLUSH = (0, b"")  # in a log: all before it is on the disk
_HEAD, _REPLY = struct.Struct("<IIQQIIIHH"), struct.Struct("<IiQ")
_ATTRIBUTES = struct.Struct("<6Q10I")
_FORGET, _FILE = (2, 42), 2  # requests without an answer; the number of the one file


class Disk:
    """Disk image with the pages written since."""

    def __init__(self, image):
        with Path(image).open("rb") as file:
            self.image = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.size, self.pages, self.log = len(self.image), {}, []
        self.count = mmap.mmap(-1, 8)  # of the log, seen by the process that mounts

    def read(self, at, size):
        """Bytes at an offset."""
        found, end = bytearray(), min(at + size, self.size)
        while at < end:
            number, inner = divmod(at, PAGE)
            begin = number * PAGE
            page = self.pages.get(number) or self.image[begin : begin + PAGE]
            piece = page[inner : inner + end - at]
            found += piece
            at += len(piece)
        return bytes(found)

    def write(self, at, content):
        """Write bytes at an offset."""
        while content:
            number, inner = divmod(at, PAGE)
            page = bytearray(self.pages.get(number) or self.image[number * PAGE : (number + 1) * PAGE])
            piece = content[: PAGE - inner]
            page[inner : inner + len(piece)] = piece
            self.pages[number] = bytes(page)
            at, content = at + len(piece), content[len(piece) :]

    def add(self, at, content):
        """Append to the log."""
        self.log.append((at, content))
        struct.pack_into("<Q", self.count, 0, len(self.log))

    def written(self):
        """Length of the log."""
        return struct.unpack_from("<Q", self.count)[0]

    def attributes(self, number):
        """Attributes of the folder (1) or its file (2) in the system's form."""
        size, kind = (0, stat.S_IFDIR | 0o755) if number == 1 else (self.size, stat.S_IFREG | 0o600)
        return _ATTRIBUTES.pack(number, size, size // 512, 0, 0, 0, 0, 0, 0, kind, 1, 0, 0, 0, PAGE, 0)

    def answer(self, code, number, body):
        """Answer to a FUSE request, or an error number."""
        if code == 26:  # INIT
            return struct.pack("<IIIIHHIIHHI7I", 7, 31, 2**17, 0, 12, 10, 2**17, 1, 32, 0, 0, *[0] * 7)
        if code == 1:  # LOOKUP
            known = body.rstrip(b"\0") == b"disk"
            return struct.pack("<QQQQII", _FILE, 0, 60, 60, 0, 0) + self.attributes(_FILE) if known else errno.ENOENT
        if code in (3, 4):  # GETATTR, SETATTR
            return struct.pack("<QII", 60, 0, 0) + self.attributes(number)
        if code in (14, 27):  # OPEN, OPENDIR
            return struct.pack("<QII", 1, 0, 0)
        if code == 15:  # READ
            return self.read(*struct.unpack_from("<8xQI", body))
        if code == 16:  # WRITE
            at, size = struct.unpack_from("<8xQI", body)
            content = bytes(body[40 : 40 + size])
            self.write(at, content)
            self.add(at, content)
            return struct.pack("<II", size, 0)
        if code == 20:  # FSYNC
            self.add(*FLUSH)
            return b""
        return b"" if code in (18, 25, 28, 29) else bytes(80) if code == 17 else errno.ENOSYS

    def serve(self, device, told):
        """Serve until the folder is unmounted; then write the log."""
        while True:
            try:
                request = os.read(device, 2**17 + PAGE)
            except OSError as error:
                if error.errno in (errno.EINTR, errno.EAGAIN, errno.ENOENT):
                    continue
                break
            length, code, unique, number, *_ = _HEAD.unpack_from(request)
            if code in _FORGET:
                continue
            found = self.answer(code, number, memoryview(request)[_HEAD.size : length].tobytes())
            body, error = (b"", -found) if isinstance(found, int) else (found, 0)
            os.write(device, _REPLY.pack(_REPLY.size + len(body), error, unique) + body)
        if told:
            Path(told).write_bytes(pickle.dumps(self.log))


def call(*words):
    """Run a command of the system."""
    subprocess.run([str(word) for word in words], check=True, capture_output=True)


@contextmanager
def mounted(disk, place, options, log=None):
    """Mount the file system of a disk, with changes kept only in the log."""
    fuse, root = place / "fuse", place / "root"
    for one in (fuse, root):
        one.mkdir(exist_ok=True)
    device = os.open("/dev/fuse", os.O_RDWR)
    how = f"fd={device},rootmode=40000,user_id=0,group_id=0".encode()
    if ctypes.CDLL(None, use_errno=True).mount(b"disk", bytes(fuse), b"fuse", 6, how):
        raise OSError(ctypes.get_errno(), "mount")
    child = os.fork()
    if not child:
        try:
            disk.serve(device, log)
        finally:
            os._exit(0)
    os.close(device)
    loop = ""
    try:
        loop = subprocess.run(
            ["losetup", "--find", "--show", fuse / "disk"], check=True, capture_output=True, text=True
        ).stdout.strip()
        call("mount", "-o", options, loop, root)
        try:
            yield root
        finally:
            for _ in range(50):
                if not subprocess.run(["umount", root], capture_output=True).returncode:
                    break
                time.sleep(0.1)
    finally:
        if loop:
            call("losetup", "--detach", loop)
        for _ in range(50):
            if not subprocess.run(["umount", fuse], capture_output=True).returncode:
                break
            time.sleep(0.1)
        os.waitpid(child, 0)

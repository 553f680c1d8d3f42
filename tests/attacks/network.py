"""Reaching anything over a socket, in every address family."""

import socket

from attempt import STAKE, attempt

FAMILIES = {
    "unix": 1, "inet": 2, "ax25": 3, "ipx": 4, "appletalk": 5, "netrom": 6, "x25": 9, "inet6": 10, "key": 15,
    "netlink": 16, "packet": 17, "rds": 21, "ppp": 24, "llc": 26, "infiniband": 27, "can": 29, "tipc": 30,
    "bluetooth": 31, "rxrpc": 33, "isdn": 34, "phonet": 35, "ieee802154": 36, "caif": 37, "alg": 38,
    "nfc": 39, "vsock": 40, "kcm": 41, "qipcrtr": 42, "smc": 43, "xdp": 44, "mctp": 45,
}  # fmt: skip


def open_socket(family):
    def attack():
        refusals = []
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET, socket.SOCK_RAW):
            try:
                socket.socket(family, kind).close()
            except OSError as error:
                refusals.append(error)
            else:
                return f"a socket of family {family}, type {kind}"
        raise refusals[-1]

    return attack


def connect(family, address, say=b"hello"):
    def attack():
        with socket.socket(family, socket.SOCK_STREAM) as one:
            one.settimeout(2)
            one.connect(address)
            one.sendall(say)
            return one.recv(100)

    return attack


def udp():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.sendto(b"hello", ("127.0.0.1", 53))
        return "sent a datagram"


def name_service():
    return socket.getaddrinfo("localhost", 80, proto=socket.IPPROTO_TCP)[0] and socket.create_connection(
        ("localhost", STAKE["tcp_port"]), 2
    )


def listen():
    with socket.socket() as one:
        one.bind(("0.0.0.0", 0))
        one.listen()
        return f"listens on {one.getsockname()}"


def pair(family):
    return lambda: socket.socketpair(family)


attempt(
    {f"socket_{name}": open_socket(number) for name, number in FAMILIES.items()}
    | {
        "connect_tcp": connect(socket.AF_INET, ("127.0.0.1", STAKE["tcp_port"])),
        "connect_unix_path": connect(socket.AF_UNIX, STAKE["unix_path"]),
        "connect_unix_abstract": connect(socket.AF_UNIX, "\0" + STAKE["abstract_name"]),
        "udp": udp,
        "name_service": name_service,
        "listen": listen,
        "socketpair_inet": pair(socket.AF_INET),
        "socketpair_tipc": pair(30),
    }
)

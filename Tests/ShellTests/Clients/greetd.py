"""A stand-in for greetd: greetd.py FOLDER

It listens at FOLDER/greetd.sock, and does what FOLDER/plan.json says: for each person a list of messages
[kind, text, right answer]. "hang", "close", "nonsense", "long" and "error" name the request at which it does
that. FOLDER/log has each request, a line each.
"""
import json
import os
import socket
import struct
import sys
import threading
import time

folder = sys.argv[1]
configuring = {"talk": None, "at": 0, "ready": False}


def plan():
    with open(f"{folder}/plan.json") as file:
        return json.load(file)


def log(line):
    with open(f"{folder}/log", "a") as file:
        file.write(line + "\n")


def exactly(connection, count):
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def send(connection, answer):
    data = json.dumps(answer).encode()
    connection.sendall(struct.pack("=I", len(data)) + data)


def error(kind, text):
    return {"type": "error", "error_type": kind, "description": text}


def ask():
    talk, at = configuring["talk"], configuring["at"]
    if at == len(talk):
        configuring["ready"] = True
        return {"type": "success"}
    return {"type": "auth_message", "auth_message_type": talk[at][0], "auth_message": talk[at][1]}


def answer(request):
    kind = request["type"]
    if kind == "create_session":
        if configuring["talk"] is not None:
            return error("error", "a session is already being configured")
        people = plan()["people"]
        # A wrong name is asked like any other.
        configuring.update(talk=people.get(request["username"], [["secret", "Password: ", None]]), at=0, ready=False)
        return ask()
    if kind == "post_auth_message_response":
        if configuring["talk"] is None:
            return error("error", "no session under configuration")
        message = configuring["talk"][configuring["at"]]
        question = message[0] in ("visible", "secret")
        if not question and request.get("response") is not None:
            return error("error", "that was no question")
        if question and request.get("response") != message[2]:
            return error("auth_error", plan().get("refusal", "pam_authenticate: AUTH_ERR"))
        configuring["at"] += 1
        return ask()
    if kind == "cancel_session":
        configuring["talk"] = None
        return {"type": "success"}
    if kind == "start_session":
        if not configuring["ready"]:
            return error("error", "session is not ready")
        if "start" in plan():
            return error("error", plan()["start"])
        configuring["talk"] = None
        return {"type": "success"}
    return error("error", "what?")


def serve(connection):
    try:
        while True:
            length = struct.unpack("=I", exactly(connection, 4))[0]
            request = json.loads(exactly(connection, length))
            log(json.dumps(request))
            kind, now = request["type"], plan()
            if kind == now.get("hang"):
                while kind == plan().get("hang"):
                    time.sleep(0.05)
            if kind == now.get("close"):
                return
            if kind == now.get("nonsense"):
                connection.sendall(struct.pack("=I", 7) + b"{]!\0\xff x")
                continue
            if kind == now.get("long"):
                connection.sendall(struct.pack("=I", (1 << 20) + 1) + b"{")
                continue
            if kind == now.get("flood"):
                send(connection, {"type": "auth_message", "auth_message_type": "info", "auth_message": "again"})
                if kind != "create_session" or configuring["talk"] is None:
                    configuring.update(talk=[["info", "again"]] * 100000, at=0)
                continue
            if kind == now.get("error"):
                send(connection, error("error", "greetd has lost its head"))
                continue
            send(connection, answer(request))
    except (EOFError, ConnectionError):
        pass
    finally:
        connection.close()


if os.path.exists(f"{folder}/greetd.sock"):
    os.unlink(f"{folder}/greetd.sock")
listener = socket.socket(socket.AF_UNIX)
listener.bind(f"{folder}/greetd.sock")
listener.listen(8)
log("is there")
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

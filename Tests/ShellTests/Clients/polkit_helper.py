#!/usr/bin/python3
# The helper of polkit for tests: polkit_helper.py USER. The cookie names the folder of the test behind a bar.
#
# Every password is "correct horse". A cookie that begins with "finger" succeeds by itself when FOLDER/finger is there, one that begins with
# "hang" asks nothing and stays, and one that begins with "broken" fails at once.
import os
import sys
import time

cookie = sys.stdin.readline().strip()
name, folder = cookie.split("|")


def note(text):
    with open(f"{folder}/helper", "a") as file:
        file.write(f"{text}\n")


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


note(f"start {sys.argv[1]} {name} {os.getpid()}")
if name.startswith("broken"):
    sys.exit(1)
if name.startswith("hang"):
    time.sleep(600)
if name.startswith("finger"):
    say(r"PAM_TEXT_INFO Place your finger on the reader \342\200\224 or wait")
    while not os.path.exists(f"{folder}/finger"):
        time.sleep(0.02)
    say("SUCCESS")
    sys.exit(0)
say("PAM_PROMPT_ECHO_OFF Password: ")
answer = sys.stdin.readline()
if not answer.endswith("\n"):
    sys.exit(1)
note(f"answer {answer.strip()}")
if answer.strip() == "correct horse":
    say("SUCCESS")
else:
    say(r"PAM_ERROR_MSG 2 attempts left")
    say("FAILURE")

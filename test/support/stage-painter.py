"""The ground truth of sync on a stage: as truth-painter.ts, but of what Debian has, so that it runs in the stage's cage.

    python3 stage-painter.py LOG X Y WIDTH HEIGHT

At each button press it fills its window with the next colour and writes a line of the same form into LOG, with the time
of day as it saw it (`day`, ms since 1970).
"""

import ctypes
import json
import sys
import time

X11 = ctypes.CDLL("libX11.so.6")
P, U, I = ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int
for name, result, given in [
    ("XOpenDisplay", P, [ctypes.c_char_p]),
    ("XDefaultRootWindow", U, [P]),
    ("XCreateSimpleWindow", U, [P, U, I, I, I, I, I, U, U]),
    ("XChangeWindowAttributes", I, [P, U, U, P]),
    ("XSelectInput", I, [P, U, ctypes.c_long]),
    ("XMapRaised", I, [P, U]),
    ("XCreateGC", P, [P, U, U, P]),
    ("XSetForeground", I, [P, P, U]),
    ("XFillRectangle", I, [P, U, P, I, I, I, I]),
    ("XSync", I, [P, I]),
    ("XNextEvent", I, [P, P]),
]:
    function = getattr(X11, name)
    function.restype, function.argtypes = result, given

BUTTON_PRESS, MAP_NOTIFY = 4, 19
PRESSES, STRUCTURE = 1 << 2, 1 << 17
OVERRIDE_REDIRECT = 1 << 9


def monotonic_us():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000


def colour_of(n):
    """As colourOf in paints.ts."""
    red = (n * 97 + 60) & 0xFF
    return (red << 16) | ((255 - red) << 8) | (0xF0 if n % 2 else 0x10)


def main():
    log, *numbers = sys.argv[1:]
    x, y, width, height = (int(one) for one in numbers)
    with open(log, "a", buffering=1, encoding="utf-8") as file:
        display = X11.XOpenDisplay(None)
        if not display:
            raise SystemExit("the display does not open")
        root = X11.XDefaultRootWindow(display)
        window = X11.XCreateSimpleWindow(display, root, x, y, width, height, 0, 0, 0x404040)
        # XSetWindowAttributes on a 64-bit machine: override_redirect at 88.
        attributes = (ctypes.c_char * 112)()
        attributes[88] = 1
        X11.XChangeWindowAttributes(display, window, OVERRIDE_REDIRECT, attributes)
        X11.XSelectInput(display, window, PRESSES | STRUCTURE)
        X11.XMapRaised(display, window)
        context = X11.XCreateGC(display, window, 0, None)
        event = (ctypes.c_char * 192)()
        kind = ctypes.cast(event, ctypes.POINTER(ctypes.c_int))
        at = ctypes.cast(event, ctypes.POINTER(ctypes.c_ulong))
        n = 0
        while True:
            X11.XNextEvent(display, event)
            if kind[0] == MAP_NOTIFY:
                X11.XSync(display, 0)
                file.write(json.dumps({"ready": True}) + "\n")
            if kind[0] != BUTTON_PRESS:
                continue
            colour = colour_of(n)
            before = monotonic_us()
            X11.XSetForeground(display, context, colour)
            X11.XFillRectangle(display, window, context, 0, 0, width, height)
            X11.XSync(display, 0)
            after = monotonic_us()
            day = time.time_ns() // 1_000_000
            line = {"n": n, "colour": colour, "before": before, "after": after, "pressMs": at[7], "day": day}
            file.write(json.dumps(line) + "\n")
            n += 1


main()

/** Numbers of linux/input-event-codes.h. */
export const EV = { syn: 0, key: 1, rel: 2, abs: 3 } as const;
export const SYN = { report: 0, dropped: 3 } as const;
export const REL = { x: 0, y: 1, hwheel: 6, wheel: 8, wheelFine: 11, hwheelFine: 12 } as const;
export const ABS = { x: 0, y: 1, slot: 0x2f, mtX: 0x35, mtY: 0x36 } as const;
export const BTN = {
  first: 0x100,
  left: 0x110,
  joystick: 0x120,
  toolPen: 0x140,
  toolFinger: 0x145,
  toolFive: 0x148,
  touch: 0x14a,
  stylus: 0x14b,
  stylus2: 0x14c,
  toolTwo: 0x14d,
  toolThree: 0x14e,
  toolFour: 0x14f,
  last: 0x15f,
} as const;

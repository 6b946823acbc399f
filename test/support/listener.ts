/**
 * A bare listener in its own process (uiohook-napi, no code of ours): one JSON line an event on stdout, to prove that the
 * person does what the steps say before any recorder is judged by them. First line: `{"ready":true}`.
 *
 *     node test/support/listener.ts
 */
import fs from 'node:fs';
import { EventType, uIOhook } from 'uiohook-napi';

export type Heard = { type: string; x?: number; y?: number; button?: number; keycode?: number; rotation?: number };

const say = (line: object) => fs.writeSync(1, `${JSON.stringify(line)}\n`);
uIOhook.on('input', (event) => {
  if (event.type === EventType.EVENT_MOUSE_PRESSED) say({ type: 'down', x: event.x, y: event.y, button: event.button });
  if (event.type === EventType.EVENT_MOUSE_RELEASED) say({ type: 'up', x: event.x, y: event.y, button: event.button });
  if (event.type === EventType.EVENT_MOUSE_MOVED) say({ type: 'move', x: event.x, y: event.y });
  if (event.type === EventType.EVENT_MOUSE_WHEEL)
    say({ type: 'wheel', x: event.x, y: event.y, rotation: event.rotation });
  if (event.type === EventType.EVENT_KEY_PRESSED) say({ type: 'keydown', keycode: event.keycode });
  if (event.type === EventType.EVENT_KEY_RELEASED) say({ type: 'keyup', keycode: event.keycode });
});
uIOhook.start();
say({ ready: true });

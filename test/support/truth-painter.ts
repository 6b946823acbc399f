/**
 * The ground truth of the sync tests: a window that at each button press fills itself with the next colour of a known
 * sequence and logs when. Nothing of ours is in its way: Xlib through koffi, in a process of its own.
 *
 *     node test/support/truth-painter.ts LOG X Y WIDTH HEIGHT
 *
 * LOG gets one JSON line `{"ready": true}` and then one `Paint` a press and one `Release` a release, written before the next
 * event is taken.
 */
import fs from 'node:fs';
import { colourOf, type Paint, type Release } from './paints.ts';
import { monotonicUs } from './until.ts';
import * as x11 from './x11.ts';

const [log, ...numbers] = process.argv.slice(2);
const [x = 0, y = 0, width = 200, height = 200] = numbers.map(Number);
if (!log) throw new Error('which log file?');
const file = fs.openSync(log, 'a');
const write = (line: object) => fs.writeSync(file, `${JSON.stringify(line)}\n`);

const screen = x11.openScreen();
const window = x11.openWindow(screen, x, y, width, height, 0x404040);
const gc = x11.createGc(screen.display, window, 0, null);
x11.sync(screen.display, 0);
write({ ready: true });

for (let n = 0; ; ) {
  const event = x11.waitEvent(screen);
  if (event.type === x11.BUTTON_RELEASE) {
    write({ releaseMs: event.time, heard: monotonicUs() } satisfies Release);
    continue;
  }
  if (event.type !== x11.BUTTON_PRESS) continue;
  const colour = colourOf(n);
  const before = monotonicUs();
  x11.setForeground(screen.display, gc, colour);
  x11.fillRectangle(screen.display, window, gc, 0, 0, width, height);
  x11.sync(screen.display, 0);
  const after = monotonicUs();
  write({ n, colour, before, after, pressMs: event.time } satisfies Paint);
  n++;
}

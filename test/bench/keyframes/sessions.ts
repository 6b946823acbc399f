import fs from 'node:fs';
import path from 'node:path';
import { SCRIPTS } from '../../demo/scripts.ts';
import { type App, startApp } from '../../support/apps.ts';
import type { VirtualDisplay } from '../../support/display.ts';
import { chord, click, drag, press, type Step, scroll, type } from '../../support/person.ts';

/** Work in real programs, step by step: menus, dialogs, buttons, fields, texts, drags and scrolling. */
export type Session = {
  name: string;
  open(display: VirtualDisplay): Promise<App>;
  /** `at(x, y)`: a place in the program's window, px from its top left. */
  steps(at: (x: number, y: number) => [number, number]): Step[];
};

const PLACE = { x: 0, y: 0, width: 1278, height: 772 };

const notes = (display: VirtualDisplay, name: string): string => {
  const file = path.join(display.home, name);
  fs.writeFileSync(file, `${Array.from({ length: 60 }, (_, i) => `Line ${i + 1} of an older note`).join('\n')}\n`);
  return file;
};

const mousepad: Session = {
  name: 'mousepad',
  open: (display) => startApp(display, 'mousepad', { file: notes(display, 'note.txt'), ...PLACE }),
  steps: (at) => [
    ...SCRIPTS.mousepad.steps(at).map(([, step]) => step),
    // The menus.
    click(...at(20, 12)),
    press('Escape'),
    click(...at(55, 12)),
    press('Escape'),
    // Search, and replace.
    chord('ctrl', 'f'),
    type('older'),
    press('Enter'),
    press('Escape'),
    chord('ctrl', 'r'),
    type('note'),
    press('Escape'),
    chord('ctrl', 'End'),
    type('The end.'),
    press('Enter'),
    type('x'),
    chord('ctrl', 'z'),
    chord('ctrl', 'a'),
    click(...at(400, 300)),
    chord('ctrl', 'z'),
    chord('ctrl', 'o'),
    press('Escape'),
    scroll(...at(500, 400), { dy: 3 }),
    click(...at(300, 300), { button: 'right' }),
    press('Escape'),
  ],
};

const gimp: Session = {
  name: 'gimp',
  open: SCRIPTS.gimp.open,
  steps: (at) => [
    ...SCRIPTS.gimp.steps(at).map(([, step]) => step),
    click(...at(20, 12)),
    press('Escape'),
    chord('ctrl', 'shift', 'a'),
    chord('ctrl', 'n'),
    press('Escape'),
    click(...at(78, 95)),
    drag([at(420, 420), at(520, 380), at(640, 430)]),
    drag([at(420, 500), at(520, 480), at(640, 520)]),
    chord('ctrl', 'z'),
    chord('ctrl', 'shift', 'n'),
    press('Escape'),
  ],
};

/** Everything has its place on the page, so that a script can find it. */
const PAGE = `<!doctype html><title>orders</title><style>
* { font: 15px sans-serif } body { margin: 0; height: 3000px; background: #fff }
body > * { position: absolute } .at { left: 40px } #said { left: 700px; top: 40px; width: 480px }
dialog { position: fixed; padding: 24px; width: 360px } tr:nth-child(odd) { background: #eee } td { padding: 6px 60px 6px 12px }
</style>
<button class=at style="top:30px" onclick="d.showModal()">New order</button>
<dialog id=d>Customer<br><input id=c><br><br><button onclick="said.append(c.value + ' '); d.close()">Save</button></dialog>
<input class=at style="top:90px" placeholder="Search orders"><input class=at style="top:140px" type=checkbox onchange="said.append('express ')">
<select class=at style="top:190px"><option>Pears<option>Apples<option>Plums<option>Cherries</select>
<details class=at style="top:240px"><summary>More</summary><p>Delivered on Mondays, before noon.</p></details>
<textarea class=at style="top:330px;width:400px;height:100px"></textarea>
<button class=at style="top:460px" onclick="said.innerHTML = ''">Clear</button>
<button class=at style="left:140px;top:460px" onclick="setTimeout(() => said.append('late '), 600)">Send</button>
<p id=said></p><table class=at style="top:540px">${Array.from({ length: 70 }, (_, i) => `<tr><td>Order ${i + 1}<td>${(i * 37) % 100} pieces`).join('')}</table>`;

const chromium: Session = {
  name: 'chromium',
  open(display) {
    const file = path.join(display.home, 'page.html');
    fs.writeFileSync(file, PAGE);
    return startApp(display, 'chromium', { url: `file://${file}`, ...PLACE });
  },
  steps: (at) => [
    // Its bar about the sandbox goes; the page is where it says then.
    click(...at(1248, 28)),
    click(...at(80, 42)),
    type('Ada'),
    press('Tab'),
    press('Enter'),
    click(...at(100, 100)),
    type('pears'),
    click(...at(48, 148)),
    click(...at(80, 200)),
    press('ArrowDown'),
    press('Enter'),
    click(...at(60, 250)),
    click(...at(200, 380)),
    type('Leave it at the door'),
    press('Enter'),
    type('please'),
    chord('ctrl', 'a'),
    chord('ctrl', 'c'),
    press('End'),
    click(...at(170, 472)),
    click(...at(60, 472)),
    scroll(...at(600, 500), { dy: 4 }),
    drag([at(60, 300), at(200, 340), at(280, 420)]),
    click(...at(800, 600)),
    scroll(...at(600, 500), { dy: 6 }),
    chord('ctrl', 'f'),
    type('Order 7'),
    press('Escape'),
    scroll(...at(600, 500), { dy: -10 }),
    click(...at(80, 42)),
    type('Bo'),
    press('Escape'),
    click(...at(600, 400), { button: 'right' }),
    press('Escape'),
  ],
};

const featherpad: Session = {
  name: 'featherpad',
  open: (display) => startApp(display, 'featherpad', { file: notes(display, 'list.txt'), ...PLACE }),
  steps: (at) => [
    click(...at(400, 300)),
    chord('ctrl', 'End'),
    type('Milk and eggs'),
    press('Enter'),
    type('a'),
    chord('ctrl', 'z'),
    chord('ctrl', 'Home'),
    click(...at(60, 100), { count: 2 }),
    press('Delete'),
    chord('ctrl', 'z'),
    scroll(...at(500, 400), { dy: 4 }),
    scroll(...at(500, 400), { dy: -2 }),
    drag([at(60, 150), at(120, 200), at(240, 260)]),
    chord('ctrl', 'x'),
    chord('ctrl', 'v'),
    chord('ctrl', 'n'),
    type('A second page'),
    click(...at(300, 300), { button: 'right' }),
    press('Escape'),
    chord('ctrl', 'a'),
    press('Delete'),
  ],
};

export const SESSIONS: readonly Session[] = [mousepad, gimp, chromium, featherpad];

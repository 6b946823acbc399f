import fs from 'node:fs';
import path from 'node:path';
import { type App, startApp } from '../support/apps.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { chord, click, drag, press, type Step, scroll, type } from '../support/person.ts';
import { drawSamplePicture } from './sample-picture.ts';

/** The script of the demonstration for an application: a dozen steps or so, each with what a person would say it is. */
export type DemoScript = {
  /** For `record --app` and `--goal`. */
  app: 'gimp' | 'mousepad';
  goal: string;
  open(display: VirtualDisplay): Promise<App>;
  /** `at(x, y)`: a place in the application's window, px from its top left, as a place on the screen. */
  steps(at: (x: number, y: number) => [number, number]): [says: string, step: Step][];
};

const gimp: DemoScript = {
  app: 'gimp',
  goal: 'Paint a stroke and take it back, name the layer, put a title on the picture and select the sun',
  async open(display) {
    const file = path.join(display.home, 'landscape.png');
    await drawSamplePicture(file);
    return startApp(display, 'gimp', { file, x: 0, y: 0, width: 1278, height: 772 });
  },
  steps: (at) => [
    ['choose the paintbrush', click(...at(78, 95))],
    ['paint a stroke across the sky', drag([at(390, 300), at(450, 260), at(520, 285), at(600, 240), at(650, 262)])],
    ['take it back', chord('ctrl', 'z')],
    ['edit the name of the layer', click(...at(1234, 507), { count: 2 })],
    ['name it', type('Evening hills')],
    ['confirm the name', press('Enter')],
    ['choose the text tool', click(...at(46, 122))],
    ['say where the title goes', click(...at(350, 220))],
    ['write the title', type('Hills at 6:45 pm')],
    ['leave the text', press('Escape')],
    ['choose the rectangle', click(...at(46, 67))],
    ['select the sun', drag([at(705, 330), at(740, 380), at(815, 440)])],
    ['zoom in on it', scroll(...at(760, 385), { dy: -3, modifiers: ['ctrl'] })],
    ['show the whole picture again', chord('ctrl', 'shift', 'j')],
  ],
};

const mousepad: DemoScript = {
  app: 'mousepad',
  goal: 'Write a short note, correct it and read it from the top',
  async open(display) {
    const file = path.join(display.home, 'note.txt');
    fs.writeFileSync(file, `${Array.from({ length: 60 }, (_, i) => `Line ${i + 1} of an older note`).join('\n')}\n`);
    return startApp(display, 'mousepad', { file, x: 0, y: 0, width: 1278, height: 772 });
  },
  steps: (at) => [
    ['put the cursor into the text', click(...at(500, 200))],
    ['go to the top', chord('ctrl', 'Home')],
    ['write', type('Shopping: milk, 2 eggs & bread')],
    ['end the line', press('Enter')],
    ['select a word', click(...at(60, 60), { count: 2 })],
    ['copy it', chord('ctrl', 'c')],
    ['go to the end of the line', press('End')],
    ['paste', chord('ctrl', 'v')],
    ['select some lines', drag([at(20, 150), at(100, 180), at(260, 240)])],
    ['delete them', press('Delete')],
    ['read on', scroll(...at(500, 400), { dy: 5 })],
    ['and back', scroll(...at(500, 400), { dy: -5 })],
    ['save', chord('ctrl', 's')],
  ],
};

export const SCRIPTS = { gimp, mousepad };

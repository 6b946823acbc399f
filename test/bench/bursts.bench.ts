/**
 * Whether the recorder hears all of what a program types at once while the machine has no time for it: text whose letters are mapped
 * onto a spare key for one press each, and text of the keyboard's own, on a display of its own, beside processes that take all
 * the time that they get; with `--frozen` the listener is stopped while the text is typed, which is the worst that can be.
 *
 *     node test/bench/bursts.bench.ts [--bursts 60] [--beside 28] [--frozen] [--json]
 *
 * Target: every burst whole, none in which something is missing without a word.
 */
import { spawn } from 'node:child_process';
import { startXvfb } from '../../native/linux/xvfb-for-tests.ts';
import { flag, has, machine, machineLine, progress, report } from '../support/bench.ts';
import { sleep } from '../support/until.ts';
import { startX11Listener } from '../support/x11-listener.ts';

const bursts = Number(flag('bursts') ?? 60);
const beside = Number(flag('beside') ?? 28);
const TEXTS = ['äöü€ñçßøžč日本語ñ'.repeat(16), 'the quick Brown fox Jumps over 0123456789 '.repeat(8)];
const LONGEST_MS = 60_000;

const server = await startXvfb();
const listener = await startX11Listener(server.env);
const busy = Array.from({ length: beside }, () => spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }));
let [whole, silent] = [0, 0];
try {
  for (let i = 0; i < bursts; i++) {
    const text = TEXTS[i % TEXTS.length] ?? '';
    if (has('frozen')) listener.freeze();
    server.run('xdotool', 'type', '--delay', '0', text);
    if (has('frozen')) listener.thaw();
    let [got, lost] = ['', 0];
    for (const end = performance.now() + LONGEST_MS; got.length < text.length && performance.now() < end; ) {
      await sleep(100);
      const heard = await listener.heard();
      got += heard.text;
      lost += heard.lost;
      if (lost > 0) break;
    }
    if (got === text) whole++;
    else if (lost === 0) silent++;
    progress(`burst ${i + 1}: ${got === text ? 'whole' : `${got.length} of ${text.length}, ${lost} said to be lost`}`);
  }
} finally {
  for (const child of busy) child.kill('SIGKILL');
  listener.close();
  await server.close();
}
const about = await machine();
const how = `${beside} busy processes beside it${has('frozen') ? ', the listener stopped while each is typed' : ''}`;
const text = [
  `Bursts of ${TEXTS.map(({ length }) => length).join(' and ')} characters typed at once, ${how}`,
  machineLine(about),
  `  whole: ${whole} of ${bursts}; something missing without a word: ${silent}`,
].join('\n');
report({ bench: 'bursts', machine: about, bursts, beside, frozen: has('frozen'), whole, silent }, text);

import fs from 'node:fs';
import path from 'node:path';
import type { VirtualDisplay } from '../../support/display.ts';
import { must, run } from '../../support/process.ts';
import { until } from '../../support/until.ts';
import { PLACE, type Script, type Target } from './kinds.ts';

/** A page in Chromium and in Firefox. The boxes are what the page itself measures. */

export const BROWSERS: Record<string, Script> = {
  chromium: {
    program: 'chromium',
    args: (home) => {
      fs.writeFileSync(path.join(home, 'page.html'), PAGE);
      return [
        ...['--no-sandbox', '--no-first-run', '--no-default-browser-check', '--disable-gpu', '--disable-dev-shm-usage'],
        ...[
          '--password-store=basic',
          '--disable-background-networking',
          `--user-data-dir=${path.join(home, 'chromium')}`,
        ],
        `--app=file://${path.join(home, 'page.html')}`,
      ];
    },
    window: ['--name', '^boxes'],
    place: PLACE,
    targets: boxesOfPage,
  },
  firefox: {
    program: 'firefox-esr',
    args: (home) => {
      fs.writeFileSync(path.join(home, 'page.html'), PAGE);
      const profile = path.join(home, 'firefox');
      fs.mkdirSync(profile);
      fs.writeFileSync(path.join(profile, 'user.js'), FIREFOX_PREFERENCES);
      return ['--no-remote', '--profile', profile, `file://${path.join(home, 'page.html')}`];
    },
    window: ['--name', '^boxes'],
    place: PLACE,
    targets: boxesOfPage,
  },
};

/** No page of its own at the first start, and no questions. */
const FIREFOX_PREFERENCES = Object.entries({
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'trailhead.firstrun.didSeeAboutWelcome': true,
  'app.update.enabled': false,
})
  .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
  .join('');

/** Tells its boxes in its title, on the screen: where the pointer is says where the page lies. */
const PAGE = `<!doctype html><title>boxes</title><style>* { font: 15px sans-serif } body > * { margin: 14px }</style>
<h1>Orders</h1>
<button data-name="Save">Save</button><button data-name="Delete" aria-label="Delete"><svg width=24 height=24><circle cx=12 cy=12 r=9 /></svg></button>
<a href="#x" data-name="Terms">Terms</a> <a href="#y" data-name="Imprint"><span>Imprint</span></a><br>
<label>Name <input data-name="Name"></label> <label>Password <input type=password data-name="Password"></label><br>
<label for=c>Subscribe</label><input type=checkbox id=c data-name="Subscribe">
<label for=r>Express</label><input type=radio id=r data-name="Express">
<input type=search placeholder="Search orders" data-name="Search orders">
<input type=range aria-label="Volume" data-name="Volume"><br>
<div role=tablist><span role=tab data-name="Details" tabindex=0>Details</span> <span role=tab data-name="History" tabindex=0>History</span></div>
<div role=button tabindex=0 data-name="Add to basket"><b>Add</b> to basket</div>
<table><tr><td data-name="Pears" tabindex=0>Pears</td><td data-name="Apples" tabindex=0>Apples</td></tr></table>
<textarea aria-label="Remarks" data-name="Remarks"></textarea>
<img alt="Map" data-name="Map" width=90 height=60 src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>">
<script>
  addEventListener('mousemove', ({ screenX, screenY, clientX, clientY }) => {
    const box = (e) => { const r = e.getBoundingClientRect(); return [e.dataset.name, Math.round(r.x + screenX - clientX), Math.round(r.y + screenY - clientY), Math.round(r.width), Math.round(r.height)].join() }
    document.title = 'boxes ' + [...document.querySelectorAll('[data-name]')].map(box).join(';')
  }, { once: true })
  addEventListener('click', (e) => e.preventDefault())
</script>`;

async function boxesOfPage(display: VirtualDisplay, origin: { x: number; y: number }): Promise<Target[]> {
  const [x, y] = [origin.x + 700, origin.y + 500];
  return until('the page to tell its boxes', async () => {
    await must('xdotool', ['mousemove', String(x), String(y), 'mousemove', String(x + 3), String(y)], {
      env: display.env,
    });
    const { stdout: title } = await run('xdotool', ['getactivewindow', 'getwindowname'], { env: display.env });
    // Firefox puts its own name behind the page's.
    const said = /boxes ([^—]+)/.exec(title)?.[1];
    return said?.split(';').map((one) => {
      const [name = '', ...numbers] = one.split(',');
      const [left = 0, top = 0, width = 0, height = 0] = numbers.map(Number);
      return { name, box: { x: left - origin.x, y: top - origin.y, width, height } };
    });
  });
}

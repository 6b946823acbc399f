import { chord, click, press, type } from '../../support/person.ts';
import { checksOf, type Demonstration, recipeOf, withWord } from './kinds.ts';

/** Chromium, without a network: pages with forms whose answers are downloaded as files. */

const PREFERENCES = JSON.stringify({
  browser: { has_seen_welcome_page: true },
  credentials_enable_service: false,
  download: { prompt_for_download: false },
  profile: { default_content_setting_values: { popups: 1 } },
});

const recipe = (page: string) =>
  recipeOf(
    [
      { text: page, to: 'page.html' },
      { text: PREFERENCES, to: '.config/chromium/Default/Preferences' },
      { text: '', to: '.config/chromium/First Run' },
    ],
    {
      command: 'chromium',
      args: [
        '--no-sandbox',
        '--test-type',
        '--no-first-run',
        '--no-default-browser-check',
        '--password-store=basic',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--disable-component-update',
        '~/page.html',
      ],
      window: 'Chromium',
    },
  );

const page = (
  title: string,
  body: string,
): string => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<style>body{font:18px sans-serif;margin:30px}label{display:block;margin:14px 0}input,select,textarea{font:inherit;margin-left:12px}
button{font:inherit;padding:8px 24px;margin-right:12px}output{display:block;margin-top:20px}td,th{padding:6px 18px;border:1px solid #999}</style></head><body><h1>${title}</h1>
${body}
<script>
function keep(name, value) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(value)], { type: 'application/json' }));
  link.download = name;
  link.click();
  document.querySelector('output').textContent = 'Saved as ' + name;
}
const answers = (form) => Object.fromEntries(new FormData(form));
</script></body></html>`;

export const formRecipe = (title: string, body: string) => recipe(page(title, body));

const ORDER = page(
  'Order paint',
  `<form onsubmit="keep('order.json', answers(this)); return false">
<label>Name<input name="name" size="30"></label>
<label>Tins<input name="tins" type="number" value="1"></label>
<label><input type="checkbox" name="express" value="yes">Express delivery</label>
<label><input type="radio" name="colour" value="ochre">Ochre</label>
<label><input type="radio" name="colour" value="umber">Umber</label>
<button>Place order</button></form><output></output>`,
);
const SETTINGS = page(
  'Settings',
  `<form onsubmit="keep('settings.json', answers(this)); return false">
<label>Language<select name="language"><option>English<option>German<option>French</select></label>
<label>Signature<textarea name="signature" rows="3" cols="40"></textarea></label>
<label><input type="checkbox" name="dark" value="on">Dark colours</label>
<button>Save settings</button></form><output></output>`,
);
const LIST = page(
  'Guests',
  `<label>New guest<input id="guest" size="24"></label>
<button onclick="add()">Add guest</button><button onclick="drop()">Remove first</button><button onclick="keep('guests.json', guests)">Save list</button>
<table id="list"></table><output></output>
<script>
const guests = ['Ada', 'Blaise'];
const field = document.getElementById('guest');
const show = () => { document.getElementById('list').innerHTML = guests.map((name, n) => '<tr><td>' + (n + 1) + '<td>' + name).join(''); };
function add() { guests.push(field.value); field.value = ''; show(); field.focus(); }
function drop() { guests.shift(); show(); }
show();
</script>`,
);

export const CHROMIUM: readonly Demonstration[] = [
  {
    name: 'order',
    app: 'chromium',
    goal: 'Order three tins of umber for Marie by express',
    recipe: recipe(ORDER),
    steps: [
      click(200, 195),
      type('Marie Curie'),
      click(180, 236),
      chord('ctrl', 'a'),
      type('3'),
      click(52, 274),
      click(52, 344),
      click(110, 389),
    ],
    checks: checksOf(
      { id: 'ordered', kind: 'json', path: 'Downloads/order.json', at: '/name', equals: 'Marie Curie' },
      { id: 'tins', kind: 'json', path: 'Downloads/order.json', at: '/tins', equals: '3' },
      { id: 'express', kind: 'json', path: 'Downloads/order.json', at: '/express', equals: 'yes' },
      { id: 'colour', kind: 'json', path: 'Downloads/order.json', at: '/colour', equals: 'umber' },
    ),
    relabelled: { recipe: withWord(recipe(ORDER), 'Place order', 'Cancel all'), step: 7 },
    saves: 7,
  },
  {
    name: 'settings',
    app: 'chromium',
    goal: 'Set the language to German and write a signature',
    recipe: recipe(SETTINGS),
    steps: [
      click(140, 195),
      type('Ger'),
      press('Enter'),
      click(280, 255),
      type('Kind regards, Ada'),
      click(52, 318),
      click(120, 363),
    ],
    checks: checksOf(
      { id: 'language', kind: 'json', path: 'Downloads/settings.json', at: '/language', equals: 'German' },
      { id: 'signature', kind: 'json', path: 'Downloads/settings.json', at: '/signature', equals: 'Kind regards, Ada' },
      { id: 'dark', kind: 'json', path: 'Downloads/settings.json', at: '/dark', equals: 'on' },
    ),
    relabelled: { recipe: withWord(recipe(SETTINGS), 'Save settings', 'Clear settings'), step: 6 },
    saves: 6,
  },
  {
    name: 'guests',
    app: 'chromium',
    goal: 'Add two guests and remove the first',
    recipe: recipe(LIST),
    steps: [
      click(250, 195),
      type('Grace'),
      click(100, 243),
      type('Emmy'),
      click(100, 243),
      click(270, 243),
      click(430, 243),
    ],
    checks: checksOf({
      id: 'guests',
      kind: 'text',
      path: 'Downloads/guests.json',
      equals: '["Blaise","Grace","Emmy"]',
    }),
    relabelled: { recipe: withWord(recipe(LIST), 'Remove first', 'Remove every'), step: 5 },
    saves: 6,
  },
];

import fs from 'node:fs';
import path from 'node:path';
import { mailText } from '../../../core/compositions/mail.ts';
import type { Step } from '../../support/person.ts';

/** Parts that recipes of compositions are made of: programs, services and their settings. */

export const SCREEN = { width: 1280, height: 800 };
const PLACE = { x: 0, y: 0, width: 1200, height: 720 };
export const ASSETS = path.join(import.meta.dirname, '..', '..', '..', 'assets', 'compositions');
const service = (name: string): string => fs.readFileSync(path.join(ASSETS, 'services', name), 'utf8');

type Files = object[];
export type Recipe = { files?: Files; programs: object[]; services?: object[] };
export const recipeOf = ({ files = [], programs, services = [] }: Recipe) => ({
  schema: 'trajectory-studio/recipe',
  version: 3,
  screen: SCREEN,
  layout: { layout: 'us', variant: '' },
  files,
  programs,
  services,
});
export const checksOf = (...checks: object[]) => ({ schema: 'trajectory-studio/checks', version: 1, checks });

/** A program in a terminal, whose window is found by this title. */
const inTerminal = (title: string, ...words: string[]) => ({
  command: 'xterm',
  args: ['-T', title, '-fa', 'DejaVu Sans Mono', '-fs', '12', '-xrm', '*cursorBlink: false', '-e', ...words],
  window: title,
  place: PLACE,
});

/** Nothing of it shows the name of a draft's file, which is another one each time. */
const MUTTRC = `set mbox_type=Maildir folder=~/Mail spoolfile=~/Mail/mara
set from="mara@lab.example" realname="Mara" hostname=lab.example
set smtp_url="smtp://127.0.0.1:4025" ssl_starttls=no ssl_force_tls=no
set editor="nano --ignorercfiles --zero --saveonexit" attach_format="%n %m/%M" record="" sort=date mark_old=no move=no
set confirmappend=no quit=yes wait_key=no markers=no beep=no autoedit=yes fast_reply=yes include=no
set mail_check=1 timeout=1 crypt_use_gpgme=no certificate_file=~/.mutt_certificates
# A key of its own: what is typed after a letter would be one word with it.
bind index <f9> reply
set index_format="%3C %Z %-20.20F %s" pager_format="%s" status_format="%f: %m mails"
`;
export type Mail = { from: string; to: string; subject: string; text: string };
/** The mail program with the post office, and mails that are there from the beginning. */
export const mail = (given: readonly (Mail & { id: string; at: string })[] = []): Recipe => ({
  files: [
    { text: MUTTRC, to: '.muttrc' },
    { text: service('post.mjs'), to: 'services/post.mjs' },
    ...['tmp', 'new', 'cur'].map((part) => ({ folder: true, to: `Mail/mara/${part}` })),
    ...given.map((one) => ({
      text: mailText(one, one.id, Date.parse(`${one.at}Z`)),
      to: `Mail/mara/new/${one.id}.mail`,
    })),
  ],
  services: [{ name: 'post', command: 'node', args: ['~/services/post.mjs', '4025', 'Mail'], port: 4025 }],
  // It takes a file whose time is after its clock for changed by somebody, and asks.
  programs: [{ ...inTerminal('Mail', 'mutt', '-F', '.muttrc'), clock: 'machine' }],
});

const CALCURSE = `appearance.notifybar=no
appearance.calendarview=monthly
general.autosave=yes
general.confirmquit=no
general.firstdayofweek=monday
general.progressbar=no
general.systemdialogs=no
`;
export const calendar = (): Recipe => ({
  files: [
    { text: CALCURSE, to: 'calendar-settings/conf' },
    { text: '', to: 'calendar-settings/keys' },
    { text: '', to: 'calendar/apts' },
    { text: '', to: 'calendar/todo' },
  ],
  programs: [inTerminal('Calendar', 'calcurse', '-D', 'calendar', '-C', 'calendar-settings')],
});

export const notes = (file: string, text?: string): Recipe => ({
  files: text === undefined ? [] : [{ text, to: file }],
  programs: [
    { command: 'mousepad', args: ['--disable-server', `~/${file}`], window: path.basename(file), place: PLACE },
  ],
});

type Cell = string | number | null;
/** Gnumeric's own form, which it saves without a dialog: that one shows the times of files. */
const sheetText = (rows: readonly (readonly Cell[])[]): string => {
  const cells = rows.flatMap((row, at) =>
    row.flatMap((value, column) =>
      value === null
        ? []
        : [
            `<gnm:Cell Row="${at}" Col="${column}" ValueType="${typeof value === 'string' ? 60 : 40}">${value}</gnm:Cell>`,
          ],
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<gnm:Workbook xmlns:gnm="http://www.gnumeric.org/v10.dtd">
<gnm:SheetNameIndex><gnm:SheetName>Money</gnm:SheetName></gnm:SheetNameIndex>
<gnm:Sheets><gnm:Sheet><gnm:Name>Money</gnm:Name><gnm:Cells>${cells.join('')}</gnm:Cells></gnm:Sheet></gnm:Sheets>
</gnm:Workbook>
`;
};
export const sheet = (file: string, rows: readonly (readonly Cell[])[]): Recipe => ({
  files: [
    { text: sheetText(rows), to: file },
    { text: '[org/gnome/gnumeric/core/xml]\ncompression-level=0\n', to: '.config/glib-2.0/settings/keyfile' },
  ],
  programs: [{ command: 'gnumeric', args: ['--no-splash', `~/${file}`], window: path.basename(file), place: PLACE }],
});

const PREFERENCES = JSON.stringify({
  browser: { has_seen_welcome_page: true },
  credentials_enable_service: false,
  profile: { default_content_setting_values: { popups: 1 } },
});
const BROWSER = [
  ...['--no-sandbox', '--test-type', '--no-first-run', '--no-default-browser-check', '--password-store=basic'],
  ...['--disable-gpu', '--disable-dev-shm-usage', '--disable-component-update', 'http://127.0.0.1:8100/'],
];
export const shop = (): Recipe => ({
  files: [
    { text: service('shop.mjs'), to: 'services/shop.mjs' },
    { text: PREFERENCES, to: '.config/chromium/Default/Preferences' },
    { text: '', to: '.config/chromium/First Run' },
  ],
  services: [
    {
      name: 'shop',
      command: 'node',
      args: ['--no-warnings', '~/services/shop.mjs', 'serve', 'shop/shop.db', '8100'],
      port: 8100,
      changes: [
        {
          name: 'envelopes-sold-out',
          command: 'node',
          args: ['--no-warnings', '~/services/shop.mjs', 'stock', 'shop/shop.db', 'E1', '0'],
        },
        {
          name: 'toner-sold-out',
          command: 'node',
          args: ['--no-warnings', '~/services/shop.mjs', 'stock', 'shop/shop.db', 'T1', '0'],
        },
      ],
    },
  ],
  programs: [{ command: 'chromium', args: BROWSER, window: 'Lab shop', place: PLACE, clock: 'machine' }],
});

/** Below all windows, for some seconds. */
const DUNSTRC = `[global]
origin = bottom-right
offset = 10x10
width = 400
height = 50
notification_limit = 1
[urgency_normal]
timeout = 5
`;
export const withNotifications = ({ files = [], programs, ...rest }: Recipe): Recipe => ({
  ...rest,
  files: [...files, { text: DUNSTRC, to: '.config/dunst/dunstrc' }],
  programs: [{ command: 'dunst' }, ...programs],
});

type Instructions = { base: string; L0?: string; L1?: string; L2?: string };

/** A task of a composition with how it is shown: its member, its recipe and checks, and what a person does. */
export type ShownTask = {
  member: { id: string; task: string; instructions: Instructions } & Record<string, unknown>;
  software: string;
  recipe: object;
  checks: object | null;
  answer?: string;
  steps: readonly Step[];
};

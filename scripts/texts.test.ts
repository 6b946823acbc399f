import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import { catalogueOf, textsIn, textsOfPages } from './texts.mjs';

const ROOT = join(import.meta.dirname, '..');
const LANGUAGES = ['de', 'zh-Hans'];
const pages = textsOfPages(ROOT);

/** What looks like a text and is none: the file, and what is there. */
const NO_TEXTS: readonly [file: RegExp, text: RegExp, why: string][] = [
  [/\/commands\.ts$|shell\/catalogue\.ts$/, /^[\p{Ll} ]+$/u, 'words that a command is found by, besides its name'],
  [/client\/refusal\.ts$|annotate\/hand-in\.ts$|ui\/reasons\.ts$|shell\/finds\.ts$/, /^[\w ]+$/, 'ids'],
  [
    /import-dialog\.tsx$|archive-dialogs\.tsx$|welcome\/page\.tsx$/,
    /^(?:folder|recording)$/,
    'what is asked of the desktop app',
  ],
  [/play\/(?:workspace|verdict)\.tsx$|form\/draft\.ts$/, /^(?:left out|not reached|types on)$/, 'ids'],
  [/./, /^(?:npm start|gimp|landscape|train|Web|Windows 1[01]|Ubuntu 24\.04)$/, 'names that are typed as they are'],
  [/evaluate\/(?:page|first-questions)\.tsx$/, /^(?:npm run |\{"id")/, 'a command, a line of a file'],
  [/datasets\/statistics\.tsx$/, /\.json$/, "a file's name"],
  [/./, /^[\w-]+(?:[.:]\w*)*\{\}(?::\{\})*$|^(?:views|annotate|review|person)[\w:{}]*$/, 'ids that are put together'],
  [/compare\/third\.tsx$/, /^(?:text|title)$/, 'names of fields'],
  [/(?:theme\.ts|svg\.tsx)$/, /(?:sans-serif|monospace)$/, 'fonts'],
  [/plots\/save\.ts$/, /^<\?xml/, 'the head of a file'],
  [/evaluate\/\w+-dialog\.tsx$|ui\/key-fields\.tsx$/, /^(?:http|…\/|npm run )/, 'what is typed as it is'],
  [/annotate\/write-down\.tsx$/, /^whisper-1$/, 'what is typed as it is'],
  [/ui\/key-fields\.tsx$/, /^API_KEY$/, 'what is typed as it is'],
  [/check-fields\.tsx$/, /^(?:org\.gnome\.desktop\.interface|clock-format|autosave)$/, 'what is typed as it is'],
  [/insights\/page\.tsx$/, /^\{\} insights$/, "a file's name"],
  [/timeline\/preview\.ts$|grid\/tracks\.ts$/, /^(?:minmax\()?\{\}px(?:, \{\}fr\))?$/, 'a length of CSS'],
  [/keys\/chord\.ts$/, /^(?:Fn|Win|PgUp|PgDn)$/, 'keys'],
  [/runs\/live-stage\.tsx$/, /^(?:Super|\{\}px)$/, 'a key, a length of CSS'],
  [
    /acts\/steps\.ts$|workbench\/labels\.ts$/,
    /^(?:Remove \{\} steps|Take \{\} \(\{\}\): \{\}|Undo decision)$/,
    'kept in English, translated by labels.ts',
  ],
];
const isNone = (file: string, text: string): boolean =>
  NO_TEXTS.some(([files, texts]) => files.test(file) && texts.test(text));

it('a key that a sentence names is in view, not only while keys are asked for', () => {
  const hidden = globSync('renderer/**/*.tsx', { cwd: ROOT }).flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    return [...source.matchAll(/\b\w*(?:kbd|Key): (<Kbd (?:(?!\/>).)*\/>)/g)]
      .map(([, cap = '']) => cap)
      .filter((cap) => !/ main\b/.test(cap))
      .map((cap) => `${file}: ${cap}`);
  });
  expect(hidden).toEqual([]);
});

describe('what a page says', () => {
  const loose = (source: string): string[] => textsIn('renderer/a.tsx', source).loose.map(({ text }) => text);

  it('is found between tags, in attributes that are read, in templates, in what is counted', () => {
    expect(loose("const a = <p title='Now'>Delete {n} steps</p>")).toEqual(['Now', 'Delete ', ' steps']);
    expect(loose("const a = <b aria-label={x ? 'yes' : 'no'}>{tr('Delete')}</b>")).toEqual(['yes', 'no']);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of one
    expect(loose('const a = `Delete ${n} now`; const b = plural(n, "step");')).toEqual([
      'Delete {} now',
      'plural(n, "step")',
    ]);
    expect(loose("toast('It was stored.'); const all = { label: 'box' };")).toEqual(['It was stored.', 'box']);
  });

  it('is found in the words that a component of ours shows', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of one
    expect(loose("const a = <BulkBar words={`${n} selected`} />; draw({ words: 'frame 3' });")).toEqual([
      '{} selected',
      'frame 3',
    ]);
  });

  it('is found in the keys of a list and in the names of components, but ids are none', () => {
    expect(
      loose("const a = <RowKeys keys={[['choose', 'work.down', 'work.up'], [tr('open'), 'work.open']]} />"),
    ).toEqual(['choose']);
    expect(loose('const a = <Choice name="All" />; const b = <input name="All" />; const c = <p name={d} />')).toEqual([
      'All',
    ]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of one
    expect(loose("const a = { label: of('x'), text: ['a.b'] }; const b = <Figure name={`Step ${n}: ${x}`} />")).toEqual(
      ['Step {}: {}'],
    );
  });

  it('is found in a table in which others are said, and where the parts of a list are joined', () => {
    expect(
      loose("const A: T = { open: 'open', settled: tr('settled') } as const; const b = { open: 'open' };"),
    ).toEqual(['open']);
    expect(
      loose("const a = parts.join(' and '); const glue = all ? ' and ' : ' or '; const c = a.join(', ');"),
    ).toEqual([' and ', ' and ', ' or ']);
  });

  it('is not a class, a key, a comparison, a type, an import or a message of an error of ours', () => {
    expect(loose("import x from 'Some thing'; type A = 'One thing'; if (a === 'One thing') b();")).toEqual([]);
    expect(loose("const a = <p className='Big red'>{'Ctrl+Enter'}</p>; throw new Error('Not there at all.');")).toEqual(
      [],
    );
  });

  it('is told with the names of its values', () => {
    const { said } = textsIn(
      'renderer/a.ts',
      "tr('{n} of {all}', { n, all: rows.length }); tr(x); trParts('<b>a</b>', { b: f })",
    );
    expect(said).toEqual([
      { text: '{n} of {all}', names: ['n', 'all'], rich: false, line: 1 },
      { text: null, names: [], rich: false, line: 1 },
      { text: '<b>a</b>', names: ['b'], rich: true, line: 1 },
    ]);
  });
});

describe('the catalogue', () => {
  it('has every text of the pages: none is written beside it', () => {
    const beside = pages.flatMap(({ file, loose }) =>
      loose.filter(({ text }) => !isNone(file, text)).map(({ text, line }) => `${file}:${line} ${text}`),
    );
    expect(beside).toEqual([]);
  });

  it('is given the values that each text names', () => {
    const wrong = pages.flatMap(({ file, said }) =>
      said
        .filter(
          ({ text, names, rich }) =>
            text !== null && names !== null && names.length > 0 && namesIn(text, rich).some((n) => !names.includes(n)),
        )
        .map(({ line, text }) => `${file}:${line} ${text}`),
    );
    expect(wrong).toEqual([]);
  });

  it('names its values by what they are, and has no pieces of sentences', () => {
    const said = pages.flatMap((page) =>
      page.said.flatMap(({ text, rich, names }) =>
        text === null ? [] : [{ text, rich, valued: names?.length !== 0 }],
      ),
    );
    const unclear = /^(?:\w*\d|[A-Z]\w*|slice|strong|span|map|flatMap|length|round|icon[A-Z]\w*)$/;
    expect(
      said.filter(({ text, rich, valued }) => valued && namesIn(text, rich).some((name) => unclear.test(name))),
    ).toEqual([]);
    expect(said.filter(({ text }) => /^[\s.,:;·)]|\s$/.test(text))).toEqual([]);
  });

  it.each(LANGUAGES)('has each of them in %s, once, with the same values and parts', (language) => {
    const english = new Map(
      pages
        .flatMap(({ said }) => said)
        .flatMap(({ text, rich, names }) =>
          text === null ? [] : [[text, { rich, valued: names?.length !== 0 }] as const],
        ),
    );
    const entries = [...catalogueOf(ROOT, language)].flatMap(([file, texts]) =>
      Object.entries(texts).map(([text, other]) => ({ file, text, other })),
    );
    const known = new Set(entries.map(({ text }) => text));
    expect([...english.keys()].filter((text) => !known.has(text))).toEqual([]);
    expect(entries.filter(({ text }) => !english.has(text)).map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
    expect(entries.length).toBe(known.size);
    const wrong = entries.filter(({ text, other }) => {
      const { rich = false, valued = false } = english.get(text) ?? {};
      if (!valued) return other.trim() === '';
      return namesIn(text, rich).join() !== namesIn(other, rich, language).join();
    });
    expect(wrong).toEqual([]);
  });
});

/** The values and parts that a text names, sorted. */
function namesIn(text: string, rich: boolean, language = 'en'): string[] {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (typeof node === 'object' && node !== null) {
      const { type, value, options, children } = node as Record<string, unknown>;
      // 0: plain text, 7: the # of a plural.
      if (type !== 0 && type !== 7 && typeof value === 'string') names.add(value);
      if (options) for (const option of Object.values(options)) visit((option as { value: unknown }).value);
      visit(children);
    }
  };
  visit(new IntlMessageFormat(text, language, undefined, { ignoreTag: !rich }).getAst());
  return [...names].sort();
}

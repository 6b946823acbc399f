/**
 * Demonstrations as skills: twenty are recorded twice by the real recorder, the second time with other values; each becomes a skill,
 * and an actor that reads nothing but the skill's folder does the task on a fresh stage, with values of its own, until the checks
 * say whether it reached them. Counted: skills that the validator and the rules accept, inputs found, constants taken for inputs,
 * ways that came to nothing and are left out, and tasks that the actor did. Then fifty secrets are typed into forms, and looked for
 * in the texts and pictures of the skills that come of them.
 *
 *     node scripts/setup.mjs --for bench
 *     node test/bench/skill.bench.ts [--demo order,settings | none] [--secrets no] [--json] [--results FILE [--table]] [--keep FOLDER]
 *
 * `--results`: a file that each demonstration is added to as a line; those in it are not done again. `--table`: nothing is recorded,
 * those of the file are printed. `--keep`: where the skills stay.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { programsMissing } from '../../studio/play/stage/set-stage.ts';
import { flag, has, machine, machineLine, progress, report } from '../support/bench.ts';
import { studio, studioMust } from '../support/cli.ts';
import { makeMaterial } from './play/material.ts';
import { type Acted, actBySkill } from './play/skill-act.ts';
import { keyOf, LARGE, PLANTED, TWENTY, varied, withDetour } from './play/skill-cases.ts';
import { type Secrets, trySecrets } from './play/skill-secrets.ts';
import { record } from './play/stage.ts';

const skillsSchema = z.object({
  skills: z.array(
    z.object({
      name: z.string(),
      steps: z.number(),
      leftOut: z.number(),
      inputs: z.array(z.object({ name: z.string(), kind: z.string(), examples: z.array(z.string().nullable()) })),
      withheld: z.array(z.string()),
      proof: z.string(),
    }),
  ),
});

type Tried = {
  demo: string;
  /** Why it could not be tried; null: it was. */
  broken: string | null;
  problems: string[];
  planted: number;
  found: number;
  /** Inputs that are none. */
  wrong: string[];
  detour: number;
  leftOut: number;
  /** It says what is true of the checks and of the proof. */
  told: boolean;
  /** With other values than demonstrated. */
  others: boolean;
  acted: Acted | null;
};

const results = flag('results');
const demo = flag('demo')?.split(',') ?? null;
const all = [...TWENTY, ...LARGE];
const wanted = all.filter(
  (one) =>
    (demo === null || demo.includes(one.name) || demo.includes(keyOf(one))) && programsMissing(one.recipe).length === 0,
);
const missing = new Set(all.flatMap(({ recipe }) => programsMissing(recipe)));
const done: Tried[] =
  results !== null && fs.existsSync(results)
    ? fs
        .readFileSync(results, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line): Tried => JSON.parse(line))
    : [];
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'skill-bench-'));
const material = path.join(root, 'material');
const tidy = (): void => fs.rmSync(root, { recursive: true, force: true, maxRetries: 5 });
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    tidy();
    process.exit(1);
  });

const untried = (one: (typeof all)[number]): Tried => {
  const planted = PLANTED[keyOf(one)]?.length ?? 0;
  return {
    demo: keyOf(one),
    broken: null,
    problems: [],
    planted,
    found: 0,
    wrong: [],
    detour: 0,
    leftOut: 0,
    told: false,
    others: planted > 0,
    acted: null,
  };
};

/** One that fails does not end the others. */
const failed = (one: (typeof all)[number], error: unknown): Tried => ({
  ...untried(one),
  broken: (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '',
});

async function tryOne(one: (typeof all)[number]): Promise<Tried> {
  const workspace = path.join(root, keyOf(one).replace(' ', '-'));
  const where = ['--workspace', workspace];
  const planted = PLANTED[keyOf(one)] ?? [];
  const empty = untried(one);
  await studioMust(['init', ...where]);
  await studio(['software', 'add', one.app, ...where]);
  const made = await studioMust(['tasks', 'add', '--app', one.app, '--goal', one.goal, '--json', ...where]);
  const { task } = z.object({ task: z.object({ id: z.string() }) }).parse(made.json);
  for (const role of ['recipe', 'checks'] as const) {
    const file = path.join(root, `${role}.json`);
    fs.writeFileSync(file, JSON.stringify(one[role]));
    await studioMust(['tasks', 'attach', task.id, file, '--role', role, ...where]);
  }
  const { demonstration, detour } = withDetour(one);
  const recordings: string[] = [];
  for (const each of [demonstration, varied(one, 'second')]) {
    progress(`  recording ${recordings.length + 1} of 2`);
    const { script, report: seen } = await record(each, material, workspace, task.id);
    const why = seen.checks.filter(({ score }) => score < 1).map((check) => check.why);
    if (!seen.passed) return { ...empty, broken: `recording ${recordings.length + 1}: ${why.join('; ')}` };
    recordings.push(script.recording.id);
  }
  const out = path.join(flag('keep') ?? root, `skills-${keyOf(one).replace(' ', '-')}`);
  fs.rmSync(out, { recursive: true, force: true });
  const exported = await studioMust(['export', 'skill', ...recordings, '--out', out, '--json', ...where]);
  const [skill] = skillsSchema.parse(exported.json).skills;
  if (!skill) return { ...empty, broken: 'no skill was written' };
  const validated = await studio(['validate', 'skill', out, '--json']);
  const problems = z.object({ problems: z.array(z.object({ message: z.string() })) }).parse(validated.json).problems;
  const folder = path.join(out, skill.name);
  const isPlanted = (examples: readonly (string | null)[]): boolean =>
    planted.some(({ typed, second }) => examples[0]?.trim() === typed.trim() && examples[1]?.trim() === second.trim());
  const text = fs.readFileSync(path.join(folder, 'SKILL.md'), 'utf8');
  const checks = fs.readFileSync(path.join(folder, 'checks.json'), 'utf8');
  progress('  acting by the skill');
  return {
    ...empty,
    problems: problems.map(({ message }) => message),
    found: planted.filter(({ typed }) =>
      skill.inputs.some(({ examples }) => isPlanted(examples) && examples[0]?.trim() === typed.trim()),
    ).length,
    wrong: skill.inputs
      .filter(({ examples }) => !isPlanted(examples))
      .map(({ name, examples }) => `${name}: ${examples.join(' | ')}`),
    detour,
    leftOut: skill.leftOut,
    told:
      text.includes('Not proven: nobody has played it again.') &&
      checks === JSON.stringify(one.checks) &&
      skill.proof === 'untried',
    acted: await actBySkill(folder, { demonstration: varied(one, 'acted'), planted, material }),
  };
}

const sentence = (one: Tried): string => {
  if (one.broken !== null) return `${one.demo}: not tried: ${one.broken}`;
  const { acted } = one;
  return [
    `${one.demo}: ${one.problems.length === 0 ? 'sound' : one.problems.join('; ')}`,
    `inputs ${one.found} of ${one.planted}${one.wrong.length > 0 ? `, taken for one: ${one.wrong.join('; ')}` : ''}`,
    `left out ${one.leftOut} of ${one.detour}`,
    acted === null
      ? 'not acted'
      : `the actor ${acted.reached ? 'reached' : `missed (${acted.why})`} its checks${one.others ? ' with other values' : ''}; places ${JSON.stringify(acted.found)}`,
  ].join('; ');
};

const secretWords = ({ planted, placeholders, inTexts, inPictures, pictures }: Secrets): string =>
  [
    `Secrets left of ${planted} that were typed: ${inTexts.length} in texts, ${inPictures.length} in ${pictures} pictures`,
    `${placeholders} are placeholders.`,
    ...[...inTexts, ...inPictures].map((one) => `left: ${one}`),
  ].join('; ');

try {
  if (!has('table'))
    await makeMaterial(
      material,
      wanted.some(({ app }) => ['calc', 'writer', 'impress'].includes(app)),
    );
  for (const one of has('table') ? [] : wanted) {
    if (done.some((each) => each.demo === keyOf(one))) continue;
    progress(`${keyOf(one)}:`);
    const tried = await tryOne(one).catch((error: unknown) => failed(one, error));
    done.push(tried);
    if (results !== null) fs.appendFileSync(results, `${JSON.stringify(tried)}\n`);
    progress(`  ${sentence(tried)}`);
  }
  const secrets = has('table') || flag('secrets') === 'no' ? null : await trySecrets(root, material, progress);
  const tried = done.filter(({ broken }) => broken === null);
  const count = (what: (one: Tried) => boolean): string => `${tried.filter(what).length} of ${tried.length}`;
  const sum = (what: (one: Tried) => number): number => tried.reduce((all, one) => all + what(one), 0);
  const acted = tried.filter((one) => one.acted !== null);
  const text = [
    machineLine(await machine()),
    ...(missing.size > 0 ? [`Left out, not installed here: ${[...missing].join(', ')}.`] : []),
    ...done.map(sentence),
    '',
    `Tried: ${tried.length} of ${done.length} demonstrations${done.length > tried.length ? ' (the others are not right themselves)' : ''}.`,
    `Sound by the validator and the rules of skills: ${count(({ problems }) => problems.length === 0)}.`,
    `Values that differ found as inputs: ${sum(({ found }) => found)} of ${sum(({ planted }) => planted)}; all of them, and no constant, in ${count((one) => one.found === one.planted && one.wrong.length === 0)}.`,
    `A way that came to nothing left out, and nothing else: ${count((one) => one.leftOut === one.detour)}.`,
    `Checks and proof as they are: ${count(({ told }) => told)}.`,
    ...(secrets === null ? [] : [secretWords(secrets)]),
    `The actor that reads the skill alone reached the checks: ${acted.filter((one) => one.acted?.reached).length} of ${acted.length}, with other values than demonstrated ${acted.filter((one) => one.others && one.acted?.reached).length} of ${acted.filter((one) => one.others).length}.`,
  ].join('\n');
  report({ tried: done, secrets }, text);
} finally {
  tidy();
}

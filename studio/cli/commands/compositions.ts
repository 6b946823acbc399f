import { type Command, Option } from 'commander';
import { asksAt } from '../../../core/compositions/asks.ts';
import { humanTables, verifiedTable } from '../../../core/compositions/human.ts';
import { appsOf } from '../../../core/compositions/levels.ts';
import { actorName, runTable, runWords, scoreTables } from '../../../core/compositions/scores.ts';
import { stageNameOf } from '../../../core/compositions/stages.ts';
import {
  catalogueTable,
  designTable,
  levelsTable,
  levelTable,
  type Printed,
  platformTable,
} from '../../../core/compositions/tables.ts';
import { filesTaken } from '../../../core/compositions/taken-files.ts';
import { plural } from '../../../core/words.ts';
import { type BrokenLaw, type Composition, compositionSchema, type Varies } from '../../../schemas/composition.ts';
import { VERIFICATION_STATES, type VerificationState } from '../../../schemas/composition-terms.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { COMPOSITION_LIMITS } from '../../../schemas/limits.ts';
import { standingIn, verifiedIn } from '../../agents/compositions/verification.ts';
import {
  compositionOf,
  keepComposition,
  listCompositions,
  readCompositionFile,
} from '../../documents/joined/composition-files.ts';
import { findRun, listCompositionRuns } from '../../documents/joined/run-files.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { brokenIn, composeTasks, exportedComposition, importComposition } from '../../play/compositions.ts';
import { makeInstances, placesOfValue } from '../../play/instances.ts';
import { begunInstances } from '../../play/instances-begun.ts';
import { type CliContext, examples } from '../context.ts';
import { textTable } from '../table.ts';
import { parseList, parseWhole } from '../values.ts';
import { inWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';
import { registerVerification } from './verify-composition.ts';

const TABLES = {
  '3': designTable,
  '4': (one: Composition) => platformTable(one),
  'B.1': catalogueTable,
  'B.2': levelsTable,
} as const;
/** Where its verification by people stands, in a column. */
const VERIFIED: Readonly<Record<VerificationState, string>> = {
  none: '',
  begun: 'begun',
  verified: 'yes',
  outOfDate: 'out of date',
};
type TableName = keyof typeof TABLES;

/** `compositions`: tasks joined, as a causal pathway or as a scenario of a day. */
export function register(program: Command, context: CliContext): void {
  const all = program.command('compositions').description('tasks joined: causal pathways, and scenarios of a day');
  examples(all, [['compositions list --workspace W', 'their names, kinds, and whether a law is broken']]);
  registerReading(all, context);
  registerMaking(all, context);
  registerInstances(all, context);
  registerRuns(all, context);
  registerVerification(all, context);
}

function registerReading(all: Command, context: CliContext): void {
  const list = all
    .command('list')
    .description('list the compositions of a workspace')
    .option('--table', "print NaturalGAIA's table 5 of its pathways instead")
    .addOption(new Option('--verification <state>', 'those alone that stand so').choices(VERIFICATION_STATES))
    .action((options: WorkspaceOption & { table?: true; verification?: VerificationState }) =>
      inWorkspace(options.workspace, async (workspace) => {
        const found = listCompositions(workspace);
        const { verification: wanted } = options;
        const read = found
          .flatMap(({ composition }) => composition ?? [])
          .filter((one) => wanted === undefined || standingIn(workspace, one) === wanted);
        if (options.table) return printTable(context, levelTable(read));
        for (const { id, why } of found) if (why !== null) context.progress(`${id}: ${why}`);
        const rows = [];
        for (const one of read)
          rows.push({ one, laws: await brokenIn(workspace, one), verification: standingIn(workspace, one) });
        const heading = ['ID', 'KIND', 'LEVEL', 'MEMBERS', 'APPS', 'BROKEN', 'VERIFIED', 'TITLE'];
        const cells = rows.map(({ one, laws, verification }) => [
          one.id,
          one.kind,
          one.level === undefined ? '' : String(one.level),
          String(one.members.length),
          String(appsOf(one).length),
          String(laws.filter(({ kind }) => kind === 'broken').length),
          VERIFIED[verification],
          one.title,
        ]);
        const shown = rows.map(({ one: { id, kind, title, level, members }, laws, verification }) => {
          return { id, kind, title, level: level ?? null, members: members.length, laws, verification };
        });
        const text = cells.length === 0 ? 'No compositions yet.' : textTable([heading, ...cells], [3, 4, 5]);
        context.result({ compositions: shown }, text);
      }),
    );
  workspaceOption(list);
  examples(list, [['compositions list --table --workspace W', 'pathways by level, with their tools and members']]);

  const show = all
    .command('show <id>')
    .description('show a composition: its members in their order, and what joins them')
    .addOption(
      new Option('--table <name>', 'print it as a table of NaturalGAIA (3, 4) or ScenDroid (B.1, B.2)').choices(
        Object.keys(TABLES),
      ),
    )
    .action((id: string, options: WorkspaceOption & { table?: TableName }) =>
      inWorkspace(options.workspace, async (workspace) => {
        const composition = compositionOf(workspace, id);
        if (options.table === '4') return printTable(context, verifiedTable(verifiedIn(workspace, composition)));
        if (options.table) return printTable(context, TABLES[options.table](composition));
        context.result({ composition }, textOf(composition));
      }),
    );
  workspaceOption(show);
  examples(show, [
    ['compositions show alex-monday --workspace W', 'members, slots and edges'],
    ['compositions show alex-monday --table B.2 --workspace W', 'the levels of each instruction'],
  ]);

  const check = all
    .command('check [ids...]')
    .description('say which laws compositions break, each at its place; all of them when none is named')
    .action((ids: string[], options: WorkspaceOption) =>
      inWorkspace(options.workspace, async (workspace) => {
        const named = ids.length > 0 ? ids : listCompositions(workspace).map(({ id }) => id);
        const found: { id: string; laws: BrokenLaw[] }[] = [];
        for (const id of named) found.push({ id, laws: await brokenIn(workspace, compositionOf(workspace, id)) });
        if (found.some(({ laws }) => laws.some(({ kind }) => kind === 'broken'))) context.setStatus(1);
        const lines = found.flatMap(({ id, laws }) => [`${id}: ${countsOf(laws)}`, ...laws.map(lineOf)]);
        context.result({ compositions: found }, lines.length === 0 ? 'No compositions yet.' : lines.join('\n'));
      }),
    );
  workspaceOption(check);
  examples(check, [['compositions check alex-monday --workspace W', 'status 1 where a law is broken']]);
}

function registerMaking(all: Command, context: CliContext): void {
  const add = all
    .command('new <id>')
    .description('make a composition of tasks of the library, in the order in which they are named')
    .requiredOption('--tasks <ids>', 'the tasks, separated by commas')
    .addOption(new Option('--kind <kind>', 'what it is').choices(['pathway', 'scenario']).default('scenario'))
    .option('--title <text>', 'what it is called; its id when left out')
    .option('--stages <names>', 'the stages that it declares, separated by commas; its tasks are done on the first one')
    .action((id: string, options: WorkspaceOption & Pick<Composition, 'kind'> & NewOptions) =>
      inWorkspace(options.workspace, async (workspace) => {
        const { kind, title = id } = options;
        const tasks = parseList(options.tasks);
        const stages = options.stages === undefined ? {} : { stages: stagesCalled(parseList(options.stages)) };
        const composition = { ...(await composeTasks(workspace, { id, kind, title, tasks })), ...stages };
        const file = keepComposition(workspace, composition);
        const next = `Write its levels, slots and edges there (docs/compositions.md), then: compositions check ${id}`;
        context.result({ composition, file }, `Made ${file}.\n${next}`);
      }),
    );
  workspaceOption(add);
  examples(add, [
    ['compositions new monday --tasks GIMP_1,CALC_2 --workspace W', 'a scenario of two tasks'],
    [
      'compositions new monday --tasks GIMP_1,CALC_2 --stages desktop,office --workspace W',
      'on two stages; each task says in the file, or on the page, on which',
    ],
  ]);

  const take = all
    .command('import <file>')
    .description('take a composition with its tasks, recipes, checks and verification from one JSON file')
    .option('--replace', 'also where a composition of its id is here')
    .action((file: string, options: WorkspaceOption & { replace?: true }) =>
      inWorkspace(options.workspace, async (workspace) => {
        const came = readCompositionFile(file);
        const taken = await importComposition(workspace, came, { replace: options.replace === true });
        const laws = await brokenIn(workspace, taken.composition);
        const lines = [`Took ${came.id} (${plural(came.members.length, 'member')}): ${countsOf(laws)}`];
        const said = [...lines, ...taken.notes.map((note) => `  ${note}`), ...laws.map(lineOf)];
        context.result({ ...taken, laws }, said.join('\n'));
      }),
    );
  workspaceOption(take);
  examples(take, [['compositions import monday.json --workspace W', 'nothing of it is run']]);

  const give = all
    .command('export <id>')
    .description('write a composition with its tasks, recipes, checks and verification into one JSON file')
    .option('--out <file>', 'where to; printed when left out')
    .action((id: string, options: WorkspaceOption & { out?: string }) =>
      inWorkspace(options.workspace, async (workspace) => {
        const composition = await exportedComposition(workspace, id);
        const text = JSON.stringify(composition, null, 2);
        if (options.out !== undefined) writeFileAtomic(options.out, `${text}\n`);
        for (const { id: task, files } of composition.tasks ?? [])
          if (files.length > 0) context.progress(`not in it: files of ${task}: ${files.join(', ')}`);
        const people = new Set(composition.verification?.events.map(({ name }) => name));
        if (people.size > 0)
          context.progress(`in it: how it was verified, with the names of ${plural(people.size, 'person', 'people')}`);
        context.result({ composition }, options.out === undefined ? text : `Wrote ${options.out}.`);
      }),
    );
  workspaceOption(give);
  examples(give, [['compositions export alex-monday --out monday.json --workspace W', 'for another workspace']]);
}

type NewOptions = { tasks: string; title?: string; stages?: string };

/** Stages of these names, of the platform that stages are set up for. Throws USAGE for names that they cannot have. */
function stagesCalled(names: readonly string[]): Composition['stages'] {
  const read = compositionSchema.shape.stages.safeParse(names.map((name) => ({ name })));
  if (read.success) return read.data;
  const why = read.error.issues.map(({ message }) => message).join('; ');
  throw new StudioError('USAGE', `--stages: ${why}.`, { option: '--stages' });
}

function registerInstances(all: Command, context: CliContext): void {
  const command = all
    .command('instances <id>')
    .description('make instances of a template: the same composition with other values, and other ids')
    .option('--count <n>', 'so many by this seed, those that are here already among them', (text) =>
      parseWhole('--count', text, 1, COMPOSITION_LIMITS.instances),
    )
    .option(
      '--seed <n>',
      'draws their values: the same seed gives the same ones',
      (text) => parseWhole('--seed', text, 0, COMPOSITION_LIMITS.seed),
      1,
    )
    .action((id: string, options: WorkspaceOption & { count?: number; seed: number }) =>
      inWorkspace(options.workspace, async (workspace) => {
        if (options.count === undefined) {
          const of = listCompositions(workspace).flatMap(({ composition }) =>
            composition?.origin?.template === id ? [composition] : [],
          );
          // Instances outlive their template; without any the id must be one.
          if (of.length === 0) compositionOf(workspace, id);
          const rows = of.map((one) => [one.id, pairsText(one.origin?.values ?? [])]);
          const text = rows.length === 0 ? NO_INSTANCES : textTable([['ID', 'VALUES'], ...rows]);
          for (const { id: one, template, seed } of await begunInstances(workspace.store))
            if (template === id && !rows.some(([there]) => there === one))
              context.progress(`${one} is not whole: its making goes on, or was broken off. ${againWith(id, seed)}`);
          return context.result({ instances: of.map(({ id: one, origin }) => ({ id: one, ...origin })) }, text);
        }
        const { count, seed } = options;
        const { made, there, leftOut, notes } = await makeInstances(workspace, id, { count, seed });
        for (const note of notes) context.progress(`note: ${note}.`);
        for (const { values, why } of leftOut)
          context.progress(
            `left out ${pairsText(Object.entries(values).map(([name, value]) => ({ name, value })))}: ${why}`,
          );
        const lines = [
          ...there.map((one) => `${one} is here already.`),
          ...made.map((one) => {
            const values = pairsText(Object.entries(one.values).map(([name, value]) => ({ name, value })));
            return `Made ${one.id}: ${values}${one.tasks.length === 0 ? '' : `; tasks ${one.tasks.join(', ')}`}`;
          }),
        ];
        context.result({ made, there, leftOut, notes }, lines.join('\n'));
      }),
    );
  workspaceOption(command);
  examples(command, [
    [
      'compositions instances monday --count 5 --seed 7 --workspace W',
      'monday-7-1 to monday-7-5, with tasks of their own',
    ],
    ['compositions instances monday --workspace W', 'those that are here, with their values'],
  ]);

  const places = all
    .command('places <id> <name>')
    .description('show where a given value stands as it is written, so that its instances can have another one there')
    .action((id: string, name: string, options: WorkspaceOption) =>
      inWorkspace(options.workspace, async (workspace) => {
        const found = await placesOfValue(workspace, compositionOf(workspace, id), name);
        context.result({ places: found }, found.length === 0 ? 'It stands nowhere but in slots.' : found.join('\n'));
      }),
    );
  workspaceOption(places);
  examples(places, [['compositions places monday room --workspace W', 'for `puts` in its file']]);
}

const againWith = (id: string, seed: number): string =>
  `\`compositions instances ${id} --count N --seed ${seed}\` makes it, and takes back what was left of it.`;
const NO_INSTANCES = 'No instances yet. --count N makes some.';
const pairsText = (values: readonly { name: string; value: string }[]): string =>
  values.map(({ name, value }) => `${name}=${value}`).join(', ');

function registerRuns(all: Command, context: CliContext): void {
  const command = all
    .command('runs [id]')
    .description('list runs of compositions (`run --composition`); of one that is named, its tasks')
    .option('--of <composition>', 'of this composition alone')
    .action((id: string | undefined, options: WorkspaceOption & { of?: string }) =>
      inWorkspace(options.workspace, async (workspace) => {
        if (id !== undefined) {
          const run = findRun(workspace, id);
          const { title, rows } = runTable(run);
          return context.result({ run }, [title, textTable(rows, [0, 4, 5, 6]), runWords(run)].join('\n'));
        }
        const { runs, unread } = runsOf(workspace, options.of);
        if (options.of !== undefined && runs.length === 0) compositionOf(workspace, options.of);
        for (const one of unread) context.progress(`${one.id}: ${one.why}`);
        const rows = runs.map((run) => [run.id, run.at, run.composition.id, actorName(run), run.level, runWords(run)]);
        const text = textTable([['RUN', 'BEGUN', 'COMPOSITION', 'ACTOR', 'LEVEL', 'CAME TO'], ...rows]);
        context.result({ runs, unread }, rows.length === 0 ? NO_RUNS : text);
      }),
    );
  workspaceOption(command);
  examples(command, [
    ['compositions runs 3f --workspace W', 'its tasks with their recordings; an id may be shortened'],
  ]);

  const scores = all
    .command('scores')
    .description("print the papers' scores of runs: WPSR, MATCR, p-ATSR of pathways; SR, AS, CAS of scenarios")
    .option('--of <composition>', 'of this composition alone')
    .action((options: WorkspaceOption & { of?: string }) =>
      inWorkspace(options.workspace, async (workspace) => {
        const { runs, unread } = runsOf(workspace, options.of);
        if (options.of !== undefined && runs.length === 0) compositionOf(workspace, options.of);
        for (const one of unread) context.progress(`${one.id}: ${one.why}`);
        const read = listCompositions(workspace).flatMap(({ composition }) => composition ?? []);
        const wanted = read.filter(({ id }) => options.of === undefined || id === options.of);
        const people = humanTables(wanted.map((one) => verifiedIn(workspace, one)));
        const tables = [...scoreTables(runs), ...people];
        const text = tables.map(({ title, rows }) => `${title}\n${textTable(rows)}`).join('\n\n');
        context.result({ tables, unread }, tables.length === 0 ? NO_RUNS : text);
      }),
    );
  workspaceOption(scores);
  examples(scores, [
    ['compositions scores --workspace W', 'of all runs, each in the place of the one that it goes on with'],
  ]);
}

const NO_RUNS = 'No composition was run yet. `run --composition ID` does it.';

function runsOf({ dir }: { dir: string }, of: string | undefined): ReturnType<typeof listCompositionRuns> {
  const { runs, unread } = listCompositionRuns({ dir });
  return { runs: runs.filter(({ composition }) => of === undefined || composition.id === of), unread };
}

function printTable(context: CliContext, { title, rows }: Printed): void {
  context.result({ title, rows }, `${title}\n${textTable(rows)}`);
}

function countsOf(laws: readonly BrokenLaw[]): string {
  const broken = laws.filter(({ kind }) => kind === 'broken').length;
  const notes = laws.length - broken;
  return `${broken === 0 ? 'no law is broken' : `${plural(broken, 'law')} broken`}${notes === 0 ? '' : `, ${plural(notes, 'note')}`}`;
}

const lineOf = ({ law, kind, member, level, why }: BrokenLaw): string =>
  `  ${[law, kind === 'note' ? 'note' : '', member ?? '', level ?? ''].filter((part) => part !== '').join(' ')}: ${why}`;

function textOf(composition: Composition): string {
  const { id, kind, title, level, members, edges, context, origin } = composition;
  const lines = [`${id} (${kind}${level === undefined ? '' : `, level ${level}`}): ${title}`];
  if (origin !== undefined) lines.push(`  an instance of ${origin.template}, seed ${origin.seed}`);
  if (context.persona !== undefined) lines.push(`  persona: ${context.persona}`);
  for (const { name, value, varies } of context.given)
    lines.push(`  given.${name} = ${value}${varies === undefined ? '' : ` (${variesText(varies)})`}`);
  for (const { name, platform } of composition.stages ?? []) lines.push(`  stage ${name}: ${platform}`);
  for (const member of members) {
    const { window } = member;
    const when = window && `${window.from}${window.to === undefined ? '' : ` to ${window.to}`}`;
    const stage = composition.stages && `on the stage ${stageNameOf(composition, member)}`;
    const facts = [member.task ?? 'no task yet', stage, when, member.place].filter((fact) => fact !== undefined);
    lines.push(`${member.id} (${facts.join(', ')})`);
    for (const [name, text] of Object.entries(member.instructions)) lines.push(`  ${name}: ${text}`);
    for (const name of ['L1', 'L2'] as const) {
      const asks = asksAt(composition, member, name);
      if (asks.length > 0) lines.push(`  ${name} leaves out: ${asks.join(', ')}`);
    }
    for (const output of member.outputs) lines.push(`  gives ${output.name} = ${JSON.stringify(output.value)}`);
    for (const { from, path, to, isFolder } of filesTaken(member))
      lines.push(`  takes ${isFolder ? 'the folder ' : ''}${path} of ${from}${to === path ? '' : ` as ${to}`}`);
    for (const edge of edges.filter(({ to }) => to === member.id))
      lines.push(`  after ${edge.from}${edge.kind === 'data' ? `.${edge.output}` : ''} (${edge.kind})`);
  }
  return lines.join('\n');
}

function variesText(varies: Varies): string {
  switch (varies.kind) {
    case 'list':
      return `one of ${varies.values.join(', ')}`;
    case 'along':
      return `along with ${varies.of}: ${varies.values.join(', ')}`;
    case 'after':
      return `${varies.of} ${varies.plus < 0 ? '-' : '+'} ${Math.abs(varies.plus)}`;
    default:
      return `${varies.from} to ${varies.to}${varies.step === 1 ? '' : `, every ${varies.step}`}`;
  }
}

import type {
  Composition,
  CompositionStage,
  Edge,
  Happening,
  Member,
  MemberOutput,
  ScenarioEvent,
  Varies,
} from '../../schemas/composition.ts';
import { SLOT_NAME, TIME_OF_DAY } from '../../schemas/composition-terms.ts';
import { COMPOSITION_LIMITS as MOST } from '../../schemas/limits.ts';

/**
 * What of a composition that is being written does not fit its schema, by the field: `members.0.instructions.base`. It says what
 * the schema says (a property test holds both together), without the schemas, which no page loads. Lists that are written in one
 * field have one fault.
 */

export type FaultKind = 'empty' | 'long' | 'many' | 'name' | 'time' | 'date' | 'number' | 'whole' | 'line' | 'path';
/** `least`: of a whole number. */
export type CompositionFault = { field: string; kind: FaultKind; most: number | null; least?: number };

export function faultsIn(composition: Composition): CompositionFault[] {
  const { title, task, context, members, edges, events = [], stages } = composition;
  const { persona, preferences, given, begins } = context;
  return [
    ...text('title', title, MOST.short, 1),
    ...text('task', task, MOST.text),
    ...text('context.persona', persona, MOST.text),
    ...list('context.preferences', preferences, MOST.text, MOST.given),
    ...many('context.given', given.length, MOST.given),
    ...given.flatMap(({ name, value, varies }, n) => [
      ...named(`context.given.${n}.name`, name),
      ...text(`context.given.${n}.value`, value, MOST.short, 1),
      ...(varies === undefined ? [] : inVaries(varies, `context.given.${n}.varies.`)),
    ]),
    ...(begins === undefined ? [] : dated('context.begins', begins)),
    ...(members.length === 0 ? [{ field: 'members', kind: 'empty' as const, most: null }] : []),
    ...many('members', members.length, MOST.members),
    ...members.flatMap((member, n) => inMember(member, `members.${n}.`)),
    ...many('edges', edges.length, MOST.edges),
    ...edges.flatMap((edge, n) => inEdge(edge, `edges.${n}.`)),
    ...many('events', events.length, MOST.events),
    ...events.flatMap((event, n) => inEvent(event, `events.${n}.`)),
    ...(stages === undefined ? [] : inStages(stages)),
  ];
}

const WHOLE = 1_000_000_000;

function inVaries(varies: Varies, at: string): CompositionFault[] {
  const own = (): CompositionFault[] => {
    switch (varies.kind) {
      case 'list':
        return list(`${at}values`, varies.values, MOST.short, MOST.values);
      case 'along':
        return [...named(`${at}of`, varies.of), ...list(`${at}values`, varies.values, MOST.short, MOST.values)];
      case 'after':
        return [...named(`${at}of`, varies.of), ...wholeFault(`${at}plus`, varies.plus)];
      case 'whole':
        return [...wholeFault(`${at}from`, varies.from), ...wholeFault(`${at}to`, varies.to), ...stepped(varies.step)];
      case 'time':
        return [...timed(`${at}from`, varies.from), ...timed(`${at}to`, varies.to), ...stepped(varies.step)];
      case 'date':
        return [...dated(`${at}from`, varies.from), ...dated(`${at}to`, varies.to), ...stepped(varies.step)];
    }
  };
  const stepped = (step: number): CompositionFault[] => wholeFault(`${at}step`, step, 1, 1_000_000);
  return [...own(), ...list(`${at}puts`, varies.puts, MOST.short, MOST.places)];
}

const inStages = (stages: readonly CompositionStage[]): CompositionFault[] => [
  ...(stages.length === 0 ? [fault('stages', 'empty')] : []),
  ...many('stages', stages.length, MOST.stages),
  ...stages.flatMap(({ name, platform }, n) => [
    ...named(`stages.${n}.name`, name),
    ...text(`stages.${n}.platform`, platform, MOST.short, 1),
  ]),
];

const onStage = (at: string, stage: string | undefined): CompositionFault[] =>
  stage === undefined ? [] : named(`${at}stage`, stage);

function inMember({ id, instructions, window, ...member }: Member, at: string): CompositionFault[] {
  const { base, L0, L1, L2 } = instructions;
  return [
    ...(id === 'given' ? [fault(`${at}id`, 'name')] : named(`${at}id`, id)),
    ...text(`${at}task`, member.task ?? undefined, 100, 1),
    ...onStage(at, member.stage),
    ...text(`${at}instructions.base`, base, MOST.text, 1),
    ...[L0, L1, L2].flatMap((words, n) => text(`${at}instructions.L${n}`, words, MOST.text, 1)),
    ...text(`${at}narration`, member.narration, MOST.text),
    ...text(`${at}place`, member.place, MOST.short, 1),
    ...(window ? inWindow(window, `${at}window.`) : []),
    ...Object.entries(member.apps).flatMap(([platform, apps]) => [
      ...text(`${at}apps.${platform}`, platform, MOST.short, 1),
      ...list(`${at}apps.${platform}.names`, apps, MOST.short, MOST.apps),
    ]),
    ...list(`${at}way`, member.way, MOST.short, MOST.steps),
    ...text(`${at}recording`, member.recording, 100),
    ...many(`${at}outputs`, member.outputs.length, MOST.outputs),
    ...member.outputs.flatMap((output, n) => inOutput(output, `${at}outputs.${n}.`)),
    ...(member.takes === undefined ? [] : inTakes(member.takes, `${at}takes`)),
  ];
}

const inTakes = (takes: NonNullable<Member['takes']>, at: string): CompositionFault[] => [
  ...(takes.length === 0 ? [fault(at, 'empty')] : []),
  ...many(at, takes.length, MOST.takes),
  ...takes.flatMap(({ from, file, folder, to }, n) => [
    ...named(`${at}.${n}.from`, from),
    ...((file === undefined) === (folder === undefined) ? [fault(`${at}.${n}.file`, 'empty')] : []),
    ...(file === undefined ? [] : inHome(`${at}.${n}.file`, file)),
    ...(folder === undefined ? [] : inHome(`${at}.${n}.folder`, folder)),
    ...(to === undefined ? [] : inHome(`${at}.${n}.to`, to)),
  ]),
];

function inWindow({ day, from, to }: NonNullable<Member['window']>, at: string): CompositionFault[] {
  const times = [['from', from] as const, ...(to === undefined ? [] : [['to', to] as const])];
  return [
    ...(Number.isInteger(day) && day >= 1 && day <= 366 ? [] : [fault(`${at}day`, 'number')]),
    ...times.flatMap(([name, time]) => timed(`${at}${name}`, time)),
  ];
}

function inOutput({ name, value, tolerance, alternatives, from, kept }: MemberOutput, at: string): CompositionFault[] {
  const said =
    typeof value === 'number'
      ? Number.isFinite(value)
        ? []
        : [fault(`${at}value`, 'number')]
      : typeof value === 'string'
        ? text(`${at}value`, value, MOST.answer, 1)
        : [
            ...(value.length === 0 ? [fault(`${at}value`, 'empty')] : []),
            ...list(`${at}value`, value, MOST.short, MOST.entries),
          ];
  return [
    ...named(`${at}name`, name),
    ...said,
    ...(Number.isFinite(tolerance) && tolerance >= 0 ? [] : [fault(`${at}tolerance`, 'number')]),
    ...list(`${at}alternatives`, alternatives, MOST.short, MOST.alternatives),
    ...(from === 'answer' ? [] : text(`${at}from.check`, from.check, MOST.short, 1)),
    ...(kept ? [...text(`${at}kept.file`, kept.file, MOST.short, 1), ...dated(`${at}kept.date`, kept.date)] : []),
  ];
}

function inEdge(edge: Edge, at: string): CompositionFault[] {
  const minutes = (field: string, n: number | undefined): CompositionFault[] =>
    n === undefined || (Number.isInteger(n) && n >= 0 && n <= MOST.minutes) ? [] : [fault(`${at}${field}`, 'number')];
  return [
    ...named(`${at}from`, edge.from),
    ...named(`${at}to`, edge.to),
    ...(edge.kind === 'data' ? named(`${at}output`, edge.output) : []),
    ...(edge.kind === 'time' ? [...minutes('atLeast', edge.atLeast), ...minutes('atMost', edge.atMost)] : []),
  ];
}

function inEvent({ id, at, stage, happens }: ScenarioEvent, place: string): CompositionFault[] {
  return [
    ...named(`${place}id`, id),
    ...('after' in at ? named(`${place}at.after`, at.after) : inWindow(at, `${place}at.`)),
    ...onStage(place, stage),
    ...(happens.length === 0 ? [fault(`${place}happens`, 'empty')] : []),
    ...many(`${place}happens`, happens.length, MOST.happenings),
    ...happens.flatMap((one, n) => inHappening(one, `${place}happens.${n}.`)),
  ];
}

function inHappening(one: Happening, at: string): CompositionFault[] {
  switch (one.kind) {
    case 'file':
      return [...inHome(`${at}to`, one.to), ...text(`${at}text`, one.text, MOST.eventText)];
    case 'mail':
      return [
        ...inHome(`${at}folder`, one.folder),
        ...line(`${at}from`, one.from),
        ...line(`${at}to`, one.to),
        ...line(`${at}subject`, one.subject),
        ...text(`${at}text`, one.text, MOST.text),
      ];
    case 'notification':
      return [...text(`${at}title`, one.title, MOST.short, 1), ...text(`${at}text`, one.text, MOST.text)];
    case 'service':
      return [...text(`${at}service`, one.service, MOST.short, 1), ...text(`${at}change`, one.change, MOST.short, 1)];
    case 'window':
      return text(`${at}title`, one.title, MOST.short, 1);
  }
}

const fault = (field: string, kind: FaultKind, most: number | null = null): CompositionFault => ({ field, kind, most });

function text(field: string, words: string | undefined, most: number, least = 0): CompositionFault[] {
  if (words === undefined) return [];
  if (words.length < least) return [fault(field, 'empty')];
  return words.length > most ? [fault(field, 'long', most)] : [];
}

/** A line of a mail's head. */
function line(field: string, words: string): CompositionFault[] {
  const found = text(field, words, MOST.short, 1);
  return found.length > 0 || !/\p{Cc}/u.test(words) ? found : [fault(field, 'line')];
}

/** A path in the stage's home, from which none leads out. */
function inHome(field: string, path: string): CompositionFault[] {
  const found = text(field, path, MOST.short, 1);
  const isInside =
    !/[\\\0]/.test(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  return found.length > 0 || isInside ? found : [fault(field, 'path')];
}

const many = (field: string, count: number, most: number): CompositionFault[] =>
  count > most ? [fault(field, 'many', most)] : [];

const list = (field: string, entries: readonly string[], longest: number, most: number): CompositionFault[] =>
  [...many(field, entries.length, most), ...entries.flatMap((entry) => text(field, entry, longest, 1))].slice(0, 1);

const named = (field: string, name: string): CompositionFault[] =>
  SLOT_NAME.test(name) ? [] : [fault(field, name === '' ? 'empty' : 'name')];

const timed = (field: string, time: string): CompositionFault[] =>
  TIME_OF_DAY.test(time) ? [] : [fault(field, 'time')];

const wholeFault = (field: string, n: number, least = -WHOLE, most = WHOLE): CompositionFault[] =>
  Number.isInteger(n) && n >= least && n <= most ? [] : [{ field, kind: 'whole', most, least }];

/** Days of each month; February's in a leap year. */
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function dated(field: string, date: string): CompositionFault[] {
  const [whole, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? []).map(Number);
  if (whole === undefined || year === undefined || month === undefined || day === undefined)
    return [fault(field, date === '' ? 'empty' : 'date')];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const isThere = day >= 1 && day <= (DAYS[month - 1] ?? 0) && (month !== 2 || day < 29 || isLeap);
  return isThere ? [] : [fault(field, 'date')];
}

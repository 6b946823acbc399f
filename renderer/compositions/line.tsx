import { IconBan, IconCheck, IconX } from '@tabler/icons-react';
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { largestOf } from '../../core/lists.ts';
import type { CompositionShown, LawShown, LineShown, MemberShown } from '../../schemas/api/compositions.ts';
import type { MemberResult } from '../../schemas/composition-run.ts';
import { INSTRUCTION_LEVELS, type InstructionLevel } from '../../schemas/instruction-levels.ts';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';
import { duration } from '../ui/format.ts';
import { SideScroll } from '../ui/side-scroll.tsx';
import { Laws } from './laws.tsx';
import classes from './page.module.css';
import {
  cameWords,
  headOfPieces,
  type LevelPiece,
  memberOutcomeWords,
  questionWords,
  takenFileWords,
  takesWords,
  timesOf,
} from './words.ts';

/** Of a run that is shown on the line; null: none is. */
export type ShownRun = {
  level: InstructionLevel;
  results: readonly MemberResult[];
  begun: string | null;
  /** The recording of the task that has no result, as far as it came. */
  half: { member: string; recording: string } | null;
};

type Props = {
  ws: string;
  composition: CompositionShown;
  laws: readonly LawShown[];
  run: ShownRun | null;
  at: number;
  onChoose: (at: number) => void;
};

/**
 * Its tasks in their order, one below the other: what joins them as lines beside them, the levels of each instruction side by
 * side, the laws that are broken where they are, and what came of each in a run.
 */
export function DayLine(props: Props): ReactNode {
  const { composition, laws, run, at, onChoose } = props;
  const { members, lines } = composition;
  const levels = INSTRUCTION_LEVELS.filter((level) =>
    members.some((member) => member.levels.some((one) => one.level === level)),
  );
  const hasTimes = members.some(({ window }) => window !== null);
  const lanes = Math.max(0, largestOf(lines.map(({ lane }) => lane + 1)));
  const body = useRef<HTMLTableSectionElement>(null);
  const first = useRef(true);
  useEffect(() => {
    // Not when the page opens: its top is what one came to see.
    if (!first.current) body.current?.children[at]?.scrollIntoView({ block: 'nearest' });
    first.current = false;
  }, [at]);
  return (
    <SideScroll labelledBy="composition-tasks">
      <table className={classes.line} style={{ '--lanes': lanes } as CSSProperties}>
        <thead>
          <tr>
            {lanes > 0 && (
              <th scope="col" className={classes.lanes}>
                <span className="visually-hidden">{tr('Joined by')}</span>
              </th>
            )}
            {hasTimes && <th scope="col">{tr('Time')}</th>}
            <th scope="col">{tr('Task')}</th>
            {levels.map((level) => (
              <th key={level} scope="col" data-told={run?.level === level || undefined}>
                {level}
              </th>
            ))}
            {run && <th scope="col">{tr('In the run')}</th>}
          </tr>
        </thead>
        <tbody ref={body}>
          {members.map((member, row) => (
            <tr
              key={member.id}
              data-chosen={row === at}
              aria-current={row === at || undefined}
              onClick={() => onChoose(row)}
            >
              {lanes > 0 && (
                <td className={classes.lanes} aria-hidden="true">
                  <Lanes lines={lines} row={row} member={member.id} chosen={members[at]?.id ?? ''} />
                </td>
              )}
              {hasTimes && <td className={classes.time}>{timesOf(member.window)}</td>}
              <th scope="row">
                <MemberHead {...props} member={member} laws={laws.filter((law) => law.level === null)} />
              </th>
              {levels.map((level) => (
                <td key={level} className={classes.text}>
                  <LevelText member={member} level={level} />
                  <Laws laws={laws.filter((law) => law.member === member.id && law.level === level)} />
                </td>
              ))}
              {run && (
                <td className={classes.result}>
                  <Result ws={props.ws} run={run} member={member.id} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </SideScroll>
  );
}

/** The lines that pass a row; those of the chosen task stand out. */
function Lanes(props: { lines: readonly LineShown[]; row: number; member: string; chosen: string }): ReactNode {
  const { lines, row, member, chosen } = props;
  return lines
    .filter(({ first, last }) => first <= row && row <= last)
    .map(({ kind, from, to, output, first, last, lane }) => (
      <span
        key={`${kind} ${from} ${output ?? ''}`}
        className={classes.lane}
        data-kind={kind}
        data-chosen={from === chosen || to.includes(chosen) || undefined}
        style={{ '--lane': lane } as CSSProperties}
      >
        {row > first && <span className={classes.above} />}
        {row < last && <span className={classes.below} />}
        {from === member && <span className={classes.gives} />}
        {to.includes(member) && <span className={classes.takes} />}
      </span>
    ));
}

function MemberHead({ ws, composition, member, laws }: Props & { member: MemberShown }): ReactNode {
  const { id, task, place, stage, narration, outputs, files } = member;
  const takes = composition.lines.filter(({ to }) => to.includes(id));
  return (
    <>
      <span className={classes.member}>{id}</span>{' '}
      {task !== null && task.toLowerCase() !== id && (
        <Link href={paths.task(ws, task)} className={classes.link}>
          {task}
        </Link>
      )}
      {task !== null && task.toLowerCase() === id && (
        <Link href={paths.task(ws, task)} className={classes.link}>
          {tr('its task')}
          <span className="visually-hidden"> {id}</span>
        </Link>
      )}
      {place !== null && <span className={classes.fine}> · {place}</span>}
      {stage !== null && <span className={classes.fine}> · {tr('on the stage {stage}', { stage })}</span>}
      {narration !== null && <p className={classes.narration}>{narration}</p>}
      <ul className={classes.joins}>
        {takes.map((line) => (
          <li key={`${line.kind} ${line.from} ${line.output ?? ''}`}>{takesWords(line)}</li>
        ))}
        {files.map((file) => (
          <li key={`${file.from} ${file.to}`}>{takenFileWords(file)}</li>
        ))}
        {outputs.map(({ name, value }) => {
          const to = composition.lines.find((line) => line.from === id && line.output === name)?.to ?? [];
          const given = { name, value: value.length > 60 ? `${value.slice(0, 60)}…` : value };
          return (
            <li key={name}>
              {to.length === 0
                ? tr('gives {name} = {value}', given)
                : tr('gives {name} = {value} to {tasks}', { ...given, tasks: to.join(', ') })}
            </li>
          );
        })}
      </ul>
      <Laws laws={laws.filter((law) => law.member === id)} />
    </>
  );
}

function LevelText({ member, level }: { member: MemberShown; level: InstructionLevel }): ReactNode {
  const found = member.levels.find((one) => one.level === level);
  if (!found) return <span className={classes.fine}>–</span>;
  return (
    <>
      <LongText pieces={found.pieces} name={`${member.id}, ${level}`} />
      {found.asks.length > 0 && (
        <p className={classes.asks}>{tr('may be asked: {values}', { values: found.asks.join(', ') })}</p>
      )}
    </>
  );
}

/** A text with its slots. A very long one shows its beginning, so that it makes no row as tall as the page. */
function LongText({ pieces, name }: { pieces: readonly LevelPiece[]; name: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const head = headOfPieces(pieces);
  return (
    <>
      {(isOpen || head === null ? pieces : head).map(({ text, slot, value }, n) =>
        slot === null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, which have no other name
          <span key={n}>{text}</span>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same
          <span key={n} className={classes.slot} data-empty={value === null || undefined}>
            <span className={classes.slotName}>{slot}</span> {value ?? tr('nothing gives it')}
          </span>
        ),
      )}
      {head !== null && (
        <button
          type="button"
          className={classes.fold}
          aria-expanded={isOpen}
          // The row is chosen by a click elsewhere in it.
          onClick={(event) => {
            event.stopPropagation();
            setOpen(!isOpen);
          }}
        >
          {isOpen ? tr('Show its beginning') : tr('Show all of it')}
          <span className="visually-hidden"> {name}</span>
        </button>
      )}
    </>
  );
}

const SIGNS = { passed: IconCheck, failed: IconX, blocked: IconBan, collapsed: IconBan } as const;

/** A task of a run that was not begun, or was broken off: then the recording of it goes up to there. */
function NoResult({ ws, run, member }: { ws: string; run: ShownRun; member: string }): ReactNode {
  if (run.begun !== member) return <span className={classes.fine}>{tr('Not done')}</span>;
  const half = run.half?.member === member ? run.half.recording : null;
  return (
    <>
      <span className={classes.fine}>{tr('Begun, no result')}</span>
      {half !== null && (
        <>
          {' · '}
          <Recorded ws={ws} recording={half} member={member} isHalf />
        </>
      )}
    </>
  );
}

/** The way to a recording; `isHalf`: the task was broken off in it. */
function Recorded(props: { ws: string; recording: string; member: string; isHalf: boolean }): ReactNode {
  const { ws, recording, member, isHalf } = props;
  return (
    <Link href={paths.annotate(ws, recording)} className={classes.link}>
      {isHalf ? tr('recording up to where it broke off') : tr('recording')}
      <span className="visually-hidden"> {member}</span>
    </Link>
  );
}

function Result({ ws, run, member }: { ws: string; run: ShownRun; member: string }): ReactNode {
  const result = run.results.find((one) => one.member === member);
  if (!result) return <NoResult ws={ws} run={run} member={member} />;
  const { outcome, why, recording, steps, questions, tookMs, values, level, asked = [], stage } = result;
  const Sign = SIGNS[outcome];
  return (
    <>
      <span className={classes.outcome} data-outcome={outcome}>
        <Sign size={14} aria-hidden /> {memberOutcomeWords(outcome)}
      </span>
      {recording !== null && (
        <>
          {' · '}
          <Recorded ws={ws} recording={recording} member={member} isHalf={result.stageGone === true} />
        </>
      )}
      {recording !== null && (
        <p className={classes.figures}>
          {tr('{steps, plural, one {# step} other {# steps}}', { steps })}
          {questions > 0 && `, ${tr('{questions, plural, one {# question} other {# questions}}', { questions })}`}
          {`, ${duration(tookMs * 1000)}`}
          {level !== run.level && `, ${tr('told its {level}', { level })}`}
        </p>
      )}
      {stage !== undefined && (
        <p className={classes.figures}>
          {result.stageGone
            ? tr('on the stage {stage}, which gave out', { stage })
            : tr('on the stage {stage}', { stage })}
        </p>
      )}
      <ul className={classes.joins}>
        {result.files !== undefined && <li>{cameWords(result.files)}</li>}
        {asked.map(({ question, answer, kind }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same question may be asked twice
          <li key={n}>{tr('“{question}” ({kind}): {answer}', { question, kind: questionWords(kind), answer })}</li>
        ))}
        {values.map(({ name, value, right }) => (
          <li key={name} data-right={right}>
            {right
              ? tr('{name} = {value}, right', { name, value: value.slice(0, 60) })
              : tr('{name} = {value}, wrong', { name, value: value.slice(0, 60) })}
          </li>
        ))}
      </ul>
      {why !== '' && <p className={classes.why}>{why}</p>}
    </>
  );
}

import { Select, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useState } from 'react';
import { Link } from 'wouter';
import { textPieces } from '../../core/compositions/slots.ts';
import type { VerificationShown, VerificationWork } from '../../schemas/api/composition-verification.ts';
import type { RecordingRow } from '../../schemas/api/models.ts';
import type { VerificationAct } from '../../schemas/composition-verification.ts';
import { COMPOSITION_LIMITS } from '../../schemas/limits.ts';
import { readLeft, writeLeft } from '../client/left.ts';
import { paths } from '../client/paths.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { fullTime } from '../ui/format.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import classes from './verify.module.css';

/** The answer as far as it is typed; it outlives the page until it is handed in. */
type Typed = { texts: Record<string, string>; recordings: Record<string, string>; blind: string };
const NOTHING: Typed = { texts: {}, recordings: {}, blind: '' };

function isTyped(value: unknown): value is Typed {
  if (typeof value !== 'object' || value === null) return false;
  const { texts, recordings, blind } = value as Record<string, unknown>; // Looked at right here.
  return (
    typeof texts === 'object' &&
    texts !== null &&
    typeof recordings === 'object' &&
    recordings !== null &&
    typeof blind === 'string'
  );
}

type Props = {
  ws: string;
  person: string;
  shown: VerificationShown;
  busy: boolean;
  form: RefObject<HTMLDivElement | null>;
  onSend: (act: VerificationAct) => Promise<boolean>;
};

/** The answers and recordings of what somebody has in hand. */
export function VerifyForm({ ws, person, shown, busy, form, onSend }: Props): ReactNode {
  const { mine, work, id, version } = shown;
  const [chosen, setChosen] = useState<string | null>(null);
  const platforms = mine?.platforms ?? [];
  const platform = chosen !== null && platforms.includes(chosen) ? chosen : (platforms[0] ?? '');
  const key = ['verify', ws, id, version, person, platform].join(' ');
  const [kept, setKept] = useState(() => ({ key, typed: readLeft(key, isTyped) ?? NOTHING }));
  // Another platform is another sheet.
  const typed = kept.key === key ? kept.typed : (readLeft(key, isTyped) ?? NOTHING);
  const write = (next: Typed): void => {
    setKept({ key, typed: next });
    writeLeft(key, next);
  };
  const recordings = useQuery(queries.recordings(ws)).data ?? [];
  const own = work.filter((one) => one.platforms.includes(platform));
  const isBlind = mine?.stage === 'blind';
  const submit = async (): Promise<void> => {
    const done = await onSend(isBlind ? blindAct(typed) : submitAct(platform, own, typed));
    if (done) writeLeft(key, null);
  };
  useHandlers('verify', {
    'verify.submit': { run: () => void submit(), enabled: !busy && mine?.isCurrent === true },
  });
  if (!mine) return null;
  return (
    <section className={classes.work} aria-label={tr('Your work')} ref={form}>
      {!isBlind && platforms.length > 1 && (
        <Select
          label={tr('Platform')}
          data={platforms}
          value={platform}
          allowDeselect={false}
          onChange={setChosen}
          className={classes.short}
        />
      )}
      {!isBlind && platforms.length === 1 && platform !== '' && (
        <p className={classes.platform}>{tr('On {platform}', { platform })}</p>
      )}
      {isBlind ? (
        <BlindFields ws={ws} task={shown.task} typed={typed} recordings={recordings} onWrite={write} />
      ) : (
        own.map((one, n) => (
          <MemberFields
            key={one.member}
            ws={ws}
            n={n + 1}
            work={one}
            platform={platform}
            typed={typed}
            recordings={recordings}
            onWrite={write}
          />
        ))
      )}
      <CommandButton command="verify.submit" loading={busy} disabled={!mine.isCurrent} onClick={() => void submit()}>
        {tr('Hand in')}
      </CommandButton>
    </section>
  );
}

function submitAct(platform: string, work: readonly VerificationWork[], { texts, recordings }: Typed): VerificationAct {
  return {
    type: 'submit',
    platform,
    members: work.map(({ member, outputs }) => ({
      member,
      recording: recordings[member] ?? null,
      answers: outputs.map((output) => ({ output, text: texts[`${member}.${output}`]?.trim() ?? '' })),
    })),
  };
}

const blindAct = ({ blind, recordings }: Typed): VerificationAct => ({
  type: 'answer',
  answers: linesOf(blind),
  recording: recordings[''] ?? null,
});

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, COMPOSITION_LIMITS.outputs);

type Writing = { typed: Typed; recordings: readonly RecordingRow[]; onWrite: (next: Typed) => void };

function MemberFields(props: Writing & { ws: string; n: number; work: VerificationWork; platform: string }): ReactNode {
  const { ws, n, work, platform, typed, recordings, onWrite } = props;
  const { member, task, question, way, apps, outputs } = work;
  const tools = apps[platform] ?? [];
  return (
    <fieldset className={classes.member}>
      <legend>
        {n}. {member}
      </legend>
      <p className={classes.question}>
        <Question text={question} texts={typed.texts} />
      </p>
      {tools.length > 0 && <p className={classes.fine}>{tr('With {apps}', { apps: tools.join(', ') })}</p>}
      {way.length > 0 && (
        <details className={classes.fine}>
          <summary>{tr('The way, in {n, plural, one {# step} other {# steps}}', { n: way.length })}</summary>
          <ol>
            {way.map((step, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: steps are named by their places
              <li key={at}>{step}</li>
            ))}
          </ol>
        </details>
      )}
      <div className={classes.fields}>
        {outputs.map((output) => {
          const name = `${member}.${output}`;
          return (
            <TextInput
              key={output}
              label={tr('Answer: {output}', { output })}
              value={typed.texts[name] ?? ''}
              maxLength={COMPOSITION_LIMITS.answer}
              autoComplete="off"
              onChange={(event) => onWrite({ ...typed, texts: { ...typed.texts, [name]: event.currentTarget.value } })}
            />
          );
        })}
        <RecordingField
          value={typed.recordings[member] ?? null}
          recordings={recordings.filter((row) => task === null || row.task === task)}
          onChoose={(recording) => onWrite(withRecording(typed, member, recording))}
        />
        {task !== null && (
          <Link href={paths.record(ws, task)} className={classes.link}>
            {tr('Record it')}
          </Link>
        )}
      </div>
    </fieldset>
  );
}

function withRecording(typed: Typed, member: string, recording: string | null): Typed {
  const { [member]: _before, ...others } = typed.recordings;
  return { ...typed, recordings: recording === null ? others : { ...others, [member]: recording } };
}

/** A question with what was answered before in its slots; an answer that is still to be found stands there by its name. */
function Question({ text, texts }: { text: string; texts: Typed['texts'] }): ReactNode {
  return textPieces(text).map((piece, at) => {
    if (piece.slot === null) return piece.text;
    const given = texts[piece.slot]?.trim() ?? '';
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text are named by their places
      <span key={at} className={classes.slot} data-empty={given === '' || undefined}>
        {given === '' ? piece.slot : given}
      </span>
    );
  });
}

function BlindFields(props: Writing & { ws: string; task: string | null }): ReactNode {
  const { ws, task, typed, recordings, onWrite } = props;
  return (
    <div className={classes.member}>
      <p className={classes.question}>{task}</p>
      <div className={classes.fields}>
        <Textarea
          label={tr('What you found')}
          description={tr('An answer a line, in any order. Nothing: you did not find it.')}
          value={typed.blind}
          autosize
          minRows={2}
          onChange={(event) => onWrite({ ...typed, blind: event.currentTarget.value })}
        />
        <RecordingField
          value={typed.recordings[''] ?? null}
          recordings={recordings}
          onChoose={(recording) => onWrite(withRecording(typed, '', recording))}
        />
        <Link href={paths.library(ws)} className={classes.link}>
          {tr('Record it')}
        </Link>
      </div>
    </div>
  );
}

function RecordingField(props: {
  value: string | null;
  recordings: readonly RecordingRow[];
  onChoose: (recording: string | null) => void;
}): ReactNode {
  const { value, recordings, onChoose } = props;
  const data = recordings
    .filter(({ phase, verdict }) => phase === 'closed' && verdict !== 'damaged')
    .map(({ id, startedAt, person }) => ({
      value: id,
      label: [id, fullTime(startedAt), person ?? ''].filter((part) => part !== '').join(' · '),
    }));
  return (
    <Select
      label={tr('Recording')}
      placeholder={data.length === 0 ? tr('There is none yet') : tr('Choose one')}
      data={data}
      value={data.some((one) => one.value === value) ? value : null}
      clearable
      searchable
      onChange={onChoose}
    />
  );
}

import { Anchor, Checkbox, Loader, Radio, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFileExport, IconSchool, IconVideo } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { RecordingRow } from '../../schemas/api/models.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { askerOf, queries } from '../client/queries.ts';
import { PathField } from '../desktop/path-field.tsx';
import { shownLanguage, tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { Clamp, EmptyState, ErrorPanel, PageHeader, QueryError, TableHead, Time } from '../ui/parts.tsx';
import { useAddressPart } from '../ui/use-address.ts';
import { chosenIds, firstChoice, type SkillChoice, shownFirst, teachable, toggled } from './choice.ts';
import classes from './page.module.css';
import { SkillContent } from './preview.tsx';

/** While somebody types a name or chooses recordings, nothing is made. */
const REST_MS = 400;

/** A task as a skill for agents: which recordings teach it, the skill as it would be written, and writing it. */
export function SkillPage({ ws, task }: { ws: string; task: string }): ReactNode {
  const found = useQuery(queries.recordings(ws));
  const asked = useAddressPart('recording');
  const rows = found.data && teachable(found.data, task);
  const [, go] = useLocation();
  const teach = (): void => go(paths.record(ws, task));
  useHandlers('skill', { 'skill.teach': teach, 'skill.task': () => go(paths.task(ws, task)) });
  return (
    <div className={classes.page}>
      <PageHeader
        title={tr('Skill')}
        windowTitle={tr('{task} · Skill', { task })}
        above={
          <Anchor component={Link} href={paths.task(ws, task)} size="xs">
            {task}
          </Anchor>
        }
        about={tr(
          'The task as a folder that agents can read: steps in words, inputs, pictures, and how to tell that it is done.',
        )}
        actions={
          <CommandButton variant="default" icon={IconVideo} command="skill.teach" onClick={teach}>
            {tr('Teach another example')}
          </CommandButton>
        }
      />
      <div className={classes.body}>
        <QueryError of={found} what={tr('The recordings could not be listed.')} />
        {rows?.length === 0 && (
          <EmptyState icon={<IconSchool size={22} />} title={tr('No recording to learn from')}>
            {tr('A skill is made of a closed recording with steps. Record the task, or import a recording of it.')}
          </EmptyState>
        )}
        {rows && rows.length > 0 && <Made key={asked} ws={ws} task={task} rows={rows} asked={asked} />}
      </div>
    </div>
  );
}

function Made(props: { ws: string; task: string; rows: readonly RecordingRow[]; asked: string | null }): ReactNode {
  const { ws, task, rows, asked } = props;
  const [kept, setChoice] = useState<SkillChoice>(() => firstChoice(rows, asked));
  // The one that was shown may be gone meanwhile.
  const choice = rows.some(({ id }) => id === kept.shown)
    ? kept
    : { ...firstChoice(rows, asked), leftOut: kept.leftOut };
  const [name, setName] = useState('');
  const nameField = useRef<HTMLInputElement>(null);
  const ids = chosenIds(rows, choice);
  const [{ recordings, called }] = useDebouncedValue({ recordings: ids.join(' '), called: name.trim() }, REST_MS);
  const wishes = { recordings: recordings.split(' '), ...(called !== '' && { name: called }) };
  const preview = useQuery({
    queryKey: ['of', ws, 'recordings', 'skill', task, recordings, called, askerOf(ws).person ?? null],
    queryFn: ({ signal }) => client.skills.preview({ ws, task, ...wishes, ...askerOf(ws) }, { signal }),
    placeholderData: keepPreviousData,
    // It is made of everything that is said of the recordings, which changes on other pages.
    staleTime: 0,
  });
  const isOld = preview.isFetching || recordings !== ids.join(' ') || called !== name.trim();
  return (
    <div className={classes.columns}>
      <div className={classes.choice}>
        <Examples rows={rows} choice={choice} onChoose={setChoice} />
        <TextInput
          ref={nameField}
          label={tr('Name of the skill')}
          description={tr('Small letters, digits and hyphens. Made of the goal where it is empty.')}
          placeholder={preview.data?.name ?? ''}
          maxLength={64}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Write
          ws={ws}
          task={task}
          recordings={ids}
          name={name.trim()}
          ready={preview.data !== undefined && !preview.error}
          nameField={nameField}
        />
      </div>
      <div className={classes.content} aria-busy={isOld}>
        {preview.error && (
          <ErrorPanel error={preview.error} what={tr('No skill can be made of this.')} onRetry={preview.refetch} />
        )}
        {preview.isPending && <Loader size="sm" aria-label={tr('Making the skill')} role="status" />}
        {preview.data && !preview.error && <SkillContent skill={preview.data} rows={rows} isOld={isOld} />}
      </div>
    </div>
  );
}

/** The recordings that teach the task. One is shown in the skill; from the others come the inputs. */
function Examples(props: {
  rows: readonly RecordingRow[];
  choice: SkillChoice;
  onChoose: (choice: SkillChoice) => void;
}): ReactNode {
  const { rows, choice, onChoose } = props;
  return (
    <section aria-labelledby="examples-title">
      <h2 id="examples-title" className={classes.title}>
        {tr('Examples')}
      </h2>
      <p className={classes.quiet}>
        {rows.length === 1
          ? tr(
              'One example: inputs are guessed from the goal, dates, numbers and files. Teach another example with other values, and what differs is an input.',
            )
          : tr(
              'Steps of the examples are aligned by what they act on: what differs is an input, what does not is a constant.',
            )}
      </p>
      <table className={classes.table}>
        <TableHead columns={[tr('Learn from'), tr('Show'), tr('Recording'), tr('Steps')]} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <Checkbox
                  aria-label={tr('Learn from {id}', { id: row.id })}
                  checked={row.id === choice.shown || !choice.leftOut.has(row.id)}
                  onChange={() => onChoose(toggled(rows, choice, row.id))}
                />
              </td>
              <td>
                <Radio
                  aria-label={tr('Show the steps of {id}', { id: row.id })}
                  name="shown-first"
                  checked={row.id === choice.shown}
                  onChange={() => onChoose(shownFirst(choice, row.id))}
                />
              </td>
              <td className={classes.id}>
                <Clamp>{row.id}</Clamp>
                <span className={classes.quiet}>{row.startedAt !== null && <Time iso={row.startedAt} />}</span>
              </td>
              <td className={classes.number}>{row.steps?.toLocaleString(shownLanguage()) ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Where it goes, and writing it. */
function Write(props: {
  ws: string;
  task: string;
  recordings: readonly string[];
  name: string;
  ready: boolean;
  nameField: { current: HTMLInputElement | null };
}): ReactNode {
  const { ws, task, recordings, name, ready, nameField } = props;
  const [out, setOut] = useState('');
  const suggested = useQuery({
    queryKey: ['of', ws, 'exports', 'suggest'],
    queryFn: ({ signal }) => client.exports.suggest({ ws }, { signal }),
    gcTime: 0,
  });
  const folder = suggested.data?.out;
  useEffect(() => {
    if (folder !== undefined) setOut((now) => now || folder);
  }, [folder]);
  const write = useMutation({
    mutationFn: () =>
      client.skills.write({
        ws,
        task,
        recordings: [...recordings],
        ...(name !== '' && { name }),
        out: out.trim(),
        ...askerOf(ws),
      }),
  });
  const able = ready && out.trim() !== '' && !write.isPending;
  useHandlers('skill', {
    'skill.write': { run: () => write.mutate(), enabled: able },
    'skill.name': () => nameField.current?.focus(),
  });
  return (
    <div className={classes.write}>
      <PathField
        label={tr('Write to')}
        description={tr('A new folder on this machine; the skill is a folder in it.')}
        example="skills"
        value={out}
        onChange={setOut}
        browse={{ kind: 'folder' }}
      />
      <CommandButton
        icon={IconFileExport}
        command="skill.write"
        disabled={!able}
        loading={write.isPending}
        onClick={() => write.mutate()}
      >
        {tr('Write the skill')}
      </CommandButton>
      {write.error && <ErrorPanel error={write.error} what={tr('It was not written.')} compact />}
      {write.data && (
        <p className={classes.done} role="status">
          {tr('Written: {folder}', { folder: write.data.folder })}
        </p>
      )}
    </div>
  );
}

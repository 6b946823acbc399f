import { Autocomplete, Button, Group, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import type { TaskInfo } from '../../../schemas/api/models.ts';
import type { SeenByCheck, TaskSetup } from '../../../schemas/api/setup.ts';
import type { Check } from '../../../schemas/checks.ts';
import { client } from '../../client/api.ts';
import { tr } from '../../language/tr.ts';
import { ErrorPanel } from '../../ui/parts.tsx';
import { askable, checkFault, takeSeen, textOfValue, writtenValue } from './checks.ts';
import { CountField } from './count-field.tsx';
import { ElementFields, PickElement } from './element-fields.tsx';
import { RegionFields } from './region-fields.tsx';
import classes from './setup.module.css';
import { PictureFields, TextFields, WholeFields } from './whole-fields.tsx';

type Props = {
  ws: string;
  task: TaskInfo;
  setup: TaskSetup;
  check: Check;
  onChange: (check: Check) => void;
};

/** The fields of one check by its kind, filled from what is there where the person asks for it. */
export function CheckFields(props: Props): ReactNode {
  const { ws, task, setup, check, onChange } = props;
  const look = useMutation({
    mutationFn: () => client.setup.look({ ws, task: task.id, check: askable(check) }),
    onSuccess: (seen) => onChange(takeSeen(check, seen)),
  });
  const canLook =
    setup.source !== null &&
    (!('path' in check) || check.path !== '') &&
    ((check.kind !== 'setting' && check.kind !== 'config') || checkFault(check) === null);
  return (
    <>
      {'path' in check && (
        <Autocomplete
          label={tr('File, by its path in the home')}
          placeholder={tr('notes/note.txt')}
          data={setup.written.map(({ path }) => path)}
          value={check.path}
          onChange={(path) => onChange({ ...check, path } as Check)}
        />
      )}
      <OwnFields {...props} />
      {check.kind !== 'answer' && check.kind !== 'infeasible' && check.kind !== 'region' && (
        <Group gap={8}>
          <Button
            variant="default"
            size="compact-xs"
            disabled={!canLook}
            loading={look.isPending}
            onClick={() => look.mutate()}
          >
            {check.kind === 'text' || check.kind === 'shown' || check.kind === 'window' || check.kind === 'element'
              ? tr('Show what is there')
              : tr('Take what is there')}
          </Button>
        </Group>
      )}
      {look.error && <ErrorPanel error={look.error} compact />}
      {look.data && <Seen seen={look.data} check={check} onChange={onChange} />}
    </>
  );
}

function OwnFields({ ws, task, setup, check, onChange }: Props): ReactNode {
  switch (check.kind) {
    case 'file':
      return (
        <>
          <Switch
            label={tr('It must not be there')}
            checked={check.is === 'absent'}
            onChange={(event) => {
              const { sha256: _sha256, equals: _equals, ...rest } = check;
              onChange(event.currentTarget.checked ? { ...rest, is: 'absent' } : { ...rest, is: 'there' });
            }}
          />
          {check.sha256 !== undefined && (
            <p className={classes.note}>{tr('Byte for byte: {checksum}…', { checksum: check.sha256.slice(0, 16) })}</p>
          )}
        </>
      );
    case 'text':
    case 'shown':
      return (
        <>
          <TagsInput
            label={tr('Contains all of')}
            placeholder={tr('Write a text, then Enter')}
            splitChars={[]}
            acceptValueOnBlur
            value={check.contains}
            onChange={(contains) => onChange({ ...check, contains })}
          />
          <TagsInput
            label={tr('Contains none of')}
            splitChars={[]}
            acceptValueOnBlur
            value={check.lacks}
            onChange={(lacks) => onChange({ ...check, lacks })}
          />
          {check.kind === 'text' && <TextFields task={task} check={check} onChange={onChange} />}
        </>
      );
    case 'json':
      return (
        <Group gap={8} grow>
          <TextInput
            label={tr('Where in it')}
            placeholder={tr('/items/0/name')}
            value={check.at}
            onChange={(event) => onChange({ ...check, at: event.currentTarget.value })}
          />
          <Value check={check} onChange={onChange} />
        </Group>
      );
    case 'config':
      return (
        <Group gap={8} grow>
          <TextInput
            label={tr('Section')}
            placeholder={tr('any')}
            value={check.section ?? ''}
            onChange={(event) => onChange({ ...check, section: event.currentTarget.value || undefined })}
          />
          <TextInput
            label={tr('Key')}
            placeholder="autosave"
            value={check.key}
            onChange={(event) => onChange({ ...check, key: event.currentTarget.value })}
          />
          <Value check={check} onChange={onChange} />
        </Group>
      );
    case 'cell':
      return (
        <Group gap={8} grow>
          <TextInput
            label={tr('Sheet')}
            placeholder={tr('the first one')}
            value={check.sheet ?? ''}
            onChange={(event) => onChange({ ...check, sheet: event.currentTarget.value || undefined })}
          />
          <TextInput
            label={tr('Cell')}
            placeholder="B3"
            value={check.cell}
            onChange={(event) => onChange({ ...check, cell: event.currentTarget.value.toUpperCase().trim() })}
          />
          <Value check={check} onChange={onChange} />
        </Group>
      );
    case 'sqlite':
      return (
        <>
          <Textarea
            label={tr('Query, whose first value counts')}
            rows={2}
            value={check.query}
            onChange={(event) => onChange({ ...check, query: event.currentTarget.value })}
          />
          <Value check={check} onChange={onChange} />
        </>
      );
    case 'picture':
      return (
        <Group gap={8} grow align="flex-end">
          <CountField label={tr('Width')} value={check.width} onChange={(width) => onChange({ ...check, width })} />
          <CountField label={tr('Height')} value={check.height} onChange={(height) => onChange({ ...check, height })} />
          <PictureFields task={task} check={check} onChange={onChange} />
        </Group>
      );
    case 'window':
      return (
        <Group gap={16} align="flex-end">
          <TextInput
            label={tr('Part of its title')}
            value={check.title}
            style={{ flex: 1 }}
            onChange={(event) => onChange({ ...check, title: event.currentTarget.value })}
          />
          <Switch
            label={tr('It must not be there')}
            checked={check.is === 'absent'}
            onChange={(event) => onChange({ ...check, is: event.currentTarget.checked ? 'absent' : 'there' })}
          />
        </Group>
      );
    case 'region':
      return <RegionFields ws={ws} task={task} setup={setup} check={check} onChange={onChange} />;
    case 'setting':
      return (
        <Group gap={8} grow>
          <TextInput
            label={tr('Schema')}
            placeholder="org.gnome.desktop.interface"
            value={check.schema}
            onChange={(event) => onChange({ ...check, schema: event.currentTarget.value.trim() })}
          />
          <TextInput
            label={tr('Key')}
            placeholder="clock-format"
            value={check.key}
            onChange={(event) => onChange({ ...check, key: event.currentTarget.value.trim() })}
          />
          <Value check={check} onChange={onChange} />
        </Group>
      );
    case 'element':
      return <ElementFields check={check} onChange={onChange} />;
    case 'answer':
      return (
        <TextInput
          label={tr('Answer')}
          value={Array.isArray(check.equals) ? check.equals.join(', ') : String(check.equals)}
          onChange={(event) => {
            const value = writtenValue(event.currentTarget.value);
            onChange({ ...check, equals: typeof value === 'number' ? value : event.currentTarget.value });
          }}
        />
      );
    default:
      return <WholeFields task={task} check={check} onChange={onChange} />;
  }
}

type Valued = Extract<Check, { kind: 'json' | 'config' | 'cell' | 'sqlite' | 'setting' }>;
/** Only a value of JSON can be a list or an object; elsewhere such a text is one. */
function withValue(check: Valued, equals: ReturnType<typeof writtenValue>): Check {
  if (check.kind === 'json') return { ...check, equals };
  return { ...check, equals: typeof equals === 'object' && equals !== null ? JSON.stringify(equals) : equals };
}

function Value({ check, onChange }: { check: Valued; onChange: (check: Check) => void }): ReactNode {
  // What is being written (`12.`) is kept until another value comes.
  const written = useRef(textOfValue(check.equals));
  if (textOfValue(writtenValue(written.current)) !== textOfValue(check.equals))
    written.current = textOfValue(check.equals);
  return (
    <TextInput
      label={tr('Equals')}
      value={written.current}
      onChange={(event) => {
        written.current = event.currentTarget.value;
        onChange(withValue(check, writtenValue(event.currentTarget.value)));
      }}
    />
  );
}

/** What was found: a text from which a part is picked, titles, or why there is nothing. */
function Seen(props: { seen: SeenByCheck; check: Check; onChange: (check: Check) => void }): ReactNode {
  const { seen, check, onChange } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  if (seen.of === 'none') return <p className={classes.note}>{tr('Nothing to take: {why}.', { why: seen.why })}</p>;
  if (seen.of === 'titles' && check.kind === 'window') {
    return (
      <Group gap={6}>
        {seen.titles.length === 0 && <p className={classes.note}>{tr('No window is open.')}</p>}
        {seen.titles.map((title) => (
          <Button key={title} variant="light" size="compact-xs" onClick={() => onChange({ ...check, title })}>
            {title}
          </Button>
        ))}
      </Group>
    );
  }
  if (seen.of === 'elements' && check.kind === 'element')
    return <PickElement check={check} onChange={onChange} elements={seen.elements} />;
  const isText = check.kind === 'text' || check.kind === 'shown' || check.kind === 'pdf';
  if ((seen.of !== 'text' && seen.of !== 'pdf') || !isText) return <p className={classes.note}>{takenWords(seen)}</p>;
  const pick = (into: 'contains' | 'lacks'): void => {
    const { selectionStart = 0, selectionEnd = 0, value = '' } = field.current ?? {};
    const picked = value.slice(selectionStart, selectionEnd).trim();
    if (picked !== '' && !check[into].includes(picked)) onChange({ ...check, [into]: [...check[into], picked] });
  };
  return (
    <>
      <Textarea
        ref={field}
        label={tr('The text there: select a part of it, then take it')}
        rows={5}
        readOnly
        value={seen.text}
        styles={{ input: { fontFamily: 'monospace' } }}
      />
      <Group gap={8}>
        <Button variant="default" size="compact-xs" onClick={() => pick('contains')}>
          {tr('It must contain the selection')}
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => pick('lacks')}>
          {tr('It must not contain it')}
        </Button>
      </Group>
    </>
  );
}

function takenWords(seen: SeenByCheck): string {
  if (seen.of === 'value') return tr('Taken: {value}', { value: textOfValue(seen.value) });
  if (seen.of === 'picture') return tr('Taken: {width} × {height} pixels', { width: seen.width, height: seen.height });
  return seen.of === 'file' ? tr('Taken: the file as it is, byte for byte') : tr('Taken');
}

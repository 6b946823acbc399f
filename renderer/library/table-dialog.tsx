import { Button, Checkbox, Group, SegmentedControl, Select, Stack, Text, Textarea } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import type { SoftwareInfo } from '../../schemas/api/models.ts';
import type { TableField, TaskTable, TaskTableWishes } from '../../schemas/api/task-table.ts';
import { client } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { ErrorPanel } from '../ui/parts.tsx';
import { tellDone } from '../ui/toast.ts';
import { SoftwareSelect } from './software-select.tsx';
import classes from './table-dialog.module.css';
import { TableRows } from './table-rows.tsx';

type Props = { ws: string; opened: boolean; software: readonly SoftwareInfo[]; onClose: () => void };

/** Tasks of a table: a file or what is pasted, shown with what would come of each row before anything is made. */
export function TableDialog(props: Props): ReactNode {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={tr('Tasks from a table')} size="min(1100px, 94vw)">
      <TableImport {...props} />
    </Dialog>
  );
}

type Given = { name: string; bytes: string };

function TableImport({ ws, software, onClose }: Omit<Props, 'opened'>): ReactNode {
  const [given, setGiven] = useState<Given | null>(null);
  if (given === null) return <GiveTable onGive={setGiven} />;
  return <Preview ws={ws} software={software} given={given} onClose={onClose} onOther={() => setGiven(null)} />;
}

/** Base64 of bytes. */
function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function GiveTable({ onGive }: { onGive: (given: Given) => void }): ReactNode {
  const file = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [over, setOver] = useState(false);
  const read = async (one: File | undefined): Promise<void> => {
    if (one) onGive({ name: one.name, bytes: base64(new Uint8Array(await one.arrayBuffer())) });
  };
  const take = (): void => onGive({ name: tr('pasted text'), bytes: base64(new TextEncoder().encode(text)) });
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void read(event.dataTransfer.files[0]);
  };
  return (
    <Stack gap="sm">
      <Text size="sm">
        {tr(
          'A row is a task. The first row names the columns: goal, software, id, platform, source, notes, answer, kind, state.',
        )}
      </Text>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard */}
      <div
        className={classes.drop}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <Text size="sm">{tr('Drop a CSV file here, or')}</Text>
        <Button variant="default" data-autofocus onClick={() => file.current?.click()}>
          {tr('Choose a file …')}
        </Button>
        <input
          ref={file}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          hidden
          aria-label={tr('CSV file')}
          onChange={(event) => void read(event.currentTarget.files?.[0])}
        />
      </div>
      <Textarea
        label={tr('Or paste rows, as a spreadsheet copies them')}
        rows={5}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        classNames={{ input: classes.pasted ?? '' }}
      />
      <Group justify="flex-end">
        <Button disabled={text.trim() === ''} onClick={take}>
          {tr('Preview')}
        </Button>
      </Group>
    </Stack>
  );
}

const FIELDS: Readonly<Record<TableField, string>> = {
  goal: tr('Goal'),
  software: tr('Software'),
  id: tr('Id'),
  platform: tr('Platform'),
  sourceUrl: tr('Source video'),
  notes: tr('Notes'),
  answer: tr('Answer'),
  kind: tr('Kind (full, simple)'),
  state: tr('State (open, closed)'),
};
const FIELD_CHOICES = [
  { value: '', label: tr('Leave out') },
  ...Object.entries(FIELDS).map(([value, label]) => ({ value, label })),
];
const ENCODINGS: readonly TaskTable['encoding'][] = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'];
const SEPARATORS = [
  { value: ',', label: tr('Comma') },
  { value: ';', label: tr('Semicolon') },
  { value: 'tab', label: tr('Tab') },
  { value: '|', label: tr('Vertical bar') },
];

type PreviewProps = Omit<Props, 'opened'> & { given: Given; onOther: () => void };

function Preview({ ws, software, given, onClose, onOther }: PreviewProps): ReactNode {
  const cache = useQueryClient();
  const [wishes, setWishes] = useState<Omit<TaskTableWishes, 'bytes'>>({
    header: true,
    duplicates: 'skip',
    withoutFaults: false,
    dryRun: true,
  });
  const change = (part: Partial<TaskTableWishes>): void => setWishes({ ...wishes, ...part });
  const preview = useQuery({
    queryKey: ['of', ws, 'task-table', given.bytes, wishes],
    queryFn: ({ signal }) => client.tasks.importTable({ ws, ...wishes, bytes: given.bytes, dryRun: true }, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const make = useMutation({
    mutationFn: () => client.tasks.importTable({ ws, ...wishes, bytes: given.bytes, dryRun: false }),
    onSuccess: ({ made, updated }) => {
      tellDone(
        tr('{made, plural, one {# task} other {# tasks}} made, {updated, number} changed', { made, updated }),
        null,
      );
      onClose();
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ['of', ws] }),
  });
  const table = preview.data;
  const faults = table?.faults ?? 0;
  const some = (table?.made ?? 0) + (table?.updated ?? 0);
  const ready = preview.error === null && some > 0 && (faults === 0 || wishes.withoutFaults);
  return (
    <DialogForm
      onSubmit={() => make.mutate()}
      onClose={onClose}
      loading={make.isPending}
      disabled={!ready || preview.isFetching}
      submit={tr('Import {some, plural, one {# task} other {# tasks}}', { some })}
      between={
        <Button variant="default" onClick={onOther}>
          {tr('Another table …')}
        </Button>
      }
      outcome={make.error && <ErrorPanel error={make.error} what={tr('Nothing was imported.')} compact />}
    >
      <Group gap="sm" align="flex-end">
        <Select
          label={tr('Encoding')}
          data={ENCODINGS}
          w={150}
          allowDeselect={false}
          value={wishes.encoding ?? table?.encoding ?? null}
          onChange={(value) => change({ encoding: value as TaskTable['encoding'] })} // One of the list's.
        />
        <Select
          label={tr('Separator')}
          data={SEPARATORS}
          w={150}
          allowDeselect={false}
          value={wishes.separator ?? table?.separator ?? null}
          // One of the list's; the columns are other ones then.
          onChange={(value) => {
            const { columns: _others, ...rest } = wishes;
            setWishes({ ...rest, separator: value as TaskTable['separator'] });
          }}
        />
        <div className={classes.software}>
          <SoftwareSelect
            ws={ws}
            software={software}
            label={tr('Software of rows that name none')}
            value={wishes.software ?? null}
            onChange={(chosen) => chosen !== null && change({ software: chosen })}
          />
        </div>
      </Group>
      <Group gap="sm">
        <Checkbox
          label={tr('The first row names the columns')}
          checked={wishes.header}
          onChange={(event) => {
            const { columns: _others, ...rest } = wishes;
            setWishes({ ...rest, header: event.currentTarget.checked });
          }}
        />
        <SegmentedControl
          size="xs"
          aria-label={tr('Tasks that are here already')}
          value={wishes.duplicates}
          onChange={(value) => change({ duplicates: value as TaskTableWishes['duplicates'] })} // One of the three below.
          data={[
            { value: 'skip', label: tr('Skip known tasks') },
            { value: 'update', label: tr('Update known tasks') },
            { value: 'both', label: tr('Keep both') },
          ]}
        />
      </Group>
      {preview.error && <ErrorPanel error={preview.error} what={tr('The table could not be read.')} compact />}
      {table && preview.error === null && (
        <>
          <Columns table={table} onChange={(columns) => change({ columns })} />
          <TableRows table={table} />
          {faults > 0 && (
            <Checkbox
              label={tr('Leave out {faults, plural, one {the row with faults} other {the # rows with faults}}', {
                faults,
              })}
              checked={wishes.withoutFaults}
              onChange={(event) => change({ withoutFaults: event.currentTarget.checked })}
            />
          )}
        </>
      )}
    </DialogForm>
  );
}

/** Each column with its first values, and the field that it gives. */
function Columns(props: { table: TaskTable; onChange: (columns: (TableField | null)[]) => void }): ReactNode {
  const { columns } = props.table;
  const choose = (at: number, field: TableField | null): void => {
    // Of all but notes one column has it: the one that had it before is left out.
    const next = columns.map((column, n) => {
      if (n === at) return field;
      return column.field === field && field !== 'notes' ? null : column.field;
    });
    props.onChange(next);
  };
  return (
    <section className={classes.columns} aria-label={tr('Columns of the table')}>
      {columns.map(({ name, field, samples }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a table may say a header twice, and its columns stay in their places
        <div key={`${at} ${name}`} className={classes.column} data-out={field === null || undefined}>
          <Select
            label={name}
            size="xs"
            data={FIELD_CHOICES}
            allowDeselect={false}
            value={field ?? ''}
            onChange={(value) => choose(at, value === '' || value === null ? null : (value as TableField))} // Of FIELDS.
          />
          {samples.map((sample, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a value may be there twice
            <span key={`${n} ${sample}`} className={classes.sample} title={sample}>
              {sample || '–'}
            </span>
          ))}
        </div>
      ))}
    </section>
  );
}

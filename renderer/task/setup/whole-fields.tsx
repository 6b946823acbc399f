import { Group, NumberInput, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TaskInfo } from '../../../schemas/api/models.ts';
import type { Check } from '../../../schemas/checks.ts';
import { PICTURE_MODES } from '../../../schemas/checks-plain.ts';
import { tr } from '../../language/tr.ts';
import { CountField } from './count-field.tsx';
import { DocumentFields } from './document-fields.tsx';
import { Like, LikeFile } from './like.tsx';
import classes from './setup.module.css';
import { TableFields } from './table-fields.tsx';
import { TextsAndLike } from './texts-and-like.tsx';
import { TextsField } from './texts-field.tsx';

/** Fields of checks that look at a whole file, and at a browser's pages. */

type Of<Kind extends Check['kind']> = {
  task: TaskInfo;
  check: Check & { kind: Kind };
  onChange: (check: Check) => void;
};

export function WholeFields({
  task,
  check,
  onChange,
}: Of<'table' | 'document' | 'pdf' | 'sound' | 'pages' | 'archive' | 'infeasible'>): ReactNode {
  switch (check.kind) {
    case 'table':
      return <TableFields task={task} check={check} onChange={onChange} />;
    case 'document':
      return <DocumentFields task={task} check={check} onChange={onChange} />;
    case 'pdf':
      return (
        <>
          <Group gap={8} grow align="flex-end">
            <CountField label={tr('Pages')} value={check.pages} onChange={(pages) => onChange({ ...check, pages })} />
            <CountField
              label={tr('Text of this page alone')}
              value={check.page}
              onChange={(page) => onChange({ ...check, page })}
            />
          </Group>
          <TextsField
            label={tr('Contains all of')}
            value={check.contains}
            onChange={(contains) => onChange({ ...check, contains })}
          />
          <TextsField
            label={tr('Contains none of')}
            value={check.lacks}
            onChange={(lacks) => onChange({ ...check, lacks })}
          />
          <Group gap={8} grow align="flex-end">
            <LikeFile task={task} value={check.like} onChange={(like) => onChange({ ...check, like })} />
            <Alike value={check.alike} onChange={(alike) => onChange({ ...check, alike: alike ?? 1 })} />
          </Group>
        </>
      );
    case 'sound':
      return <SoundFields task={task} check={check} onChange={onChange} />;
    case 'pages':
      return <PagesFields task={task} check={check} onChange={onChange} />;
    case 'archive':
      return (
        <>
          <TextsField
            label={tr('Holds these files')}
            value={check.holds}
            onChange={(holds) => onChange({ ...check, holds })}
          />
          <TextsField
            label={tr('Lacks these files')}
            value={check.lacks}
            onChange={(lacks) => onChange({ ...check, lacks })}
          />
          <TextsField
            label={tr('Holds names that these patterns find')}
            value={check.matches ?? []}
            onChange={(matches) => onChange({ ...check, matches: matches.length > 0 ? matches : undefined })}
          />
          <Group gap={16}>
            <Switch
              label={tr('Holds nothing else')}
              checked={check.only === true}
              onChange={(event) => onChange({ ...check, only: event.currentTarget.checked ? true : undefined })}
            />
            <Switch
              label={tr('Of a folder: without what its folders hold')}
              checked={check.top === true}
              onChange={(event) => onChange({ ...check, top: event.currentTarget.checked ? true : undefined })}
            />
          </Group>
          <Group gap={8} grow align="flex-end">
            <LikeFile task={task} value={check.like} onChange={(like) => onChange({ ...check, like })} />
            <Select
              label={tr('The same in')}
              data={[
                { value: 'names', label: tr('names alone') },
                { value: 'bytes', label: tr('names and content') },
                { value: 'texts', label: tr('names and texts') },
              ]}
              allowDeselect={false}
              value={check.compare}
              onChange={(compare) =>
                onChange({ ...check, compare: compare === 'names' || compare === 'texts' ? compare : 'bytes' })
              }
            />
          </Group>
        </>
      );
    case 'infeasible':
      return <p className={classes.note}>{tr('The right answer is that it cannot be done: “fail”, “infeasible”.')}</p>;
  }
}

/** What else of a text can be wanted. */
export function TextFields({ task, check, onChange }: Of<'text'>): ReactNode {
  return (
    <TextsAndLike
      task={task}
      label={tr('Matches these patterns')}
      texts={check.matches}
      onTexts={(matches) => onChange({ ...check, matches })}
      like={check.like}
      onLike={(like) => onChange({ ...check, like, alike: like === undefined ? undefined : check.alike })}
    >
      {check.like !== undefined && (
        <Alike value={check.alike ?? 1} onChange={(alike) => onChange({ ...check, alike })} />
      )}
    </TextsAndLike>
  );
}

/** What a picture is like, and what its pixels say. */
export function PictureFields({ task, check, onChange }: Of<'picture'>): ReactNode {
  const modes: Record<(typeof PICTURE_MODES)[number], string> = {
    grey: tr('grey'),
    'grey-alpha': tr('grey, transparent'),
    colour: tr('colour'),
    'colour-alpha': tr('colour, transparent'),
    palette: tr('palette'),
  };
  return (
    <>
      <Select
        label={tr('Colours')}
        placeholder={tr('any')}
        clearable
        data={PICTURE_MODES.map((value) => ({ value, label: modes[value] }))}
        value={check.mode ?? null}
        onChange={(value) => onChange({ ...check, mode: PICTURE_MODES.find((one) => one === value) })}
      />
      <Like
        task={task}
        value={check.like}
        onChange={(like) => onChange({ ...check, like, ...(like === undefined && NOT_ALIKE) })}
      />
      {check.like !== undefined && (
        <Alike
          value={check.alike}
          onChange={(alike) => onChange(alike === undefined ? { ...check, ...NOT_ALIKE } : { ...check, alike })}
        />
      )}
      {check.alike !== undefined && (
        <Switch
          label={tr('Compare the colours too')}
          checked={check.inColour === true}
          onChange={(event) => onChange({ ...check, inColour: event.currentTarget.checked ? true : undefined })}
        />
      )}
    </>
  );
}

const NOT_ALIKE = { alike: undefined, inColour: undefined };

function Alike(props: { value: number | undefined; onChange: (value: number | undefined) => void }): ReactNode {
  return (
    <NumberInput
      label={tr('How alike, 0 to 1')}
      placeholder={tr('pixel by pixel')}
      min={0.01}
      max={1}
      step={0.05}
      value={props.value ?? ''}
      onChange={(value) => props.onChange(Number(value) > 0 && Number(value) <= 1 ? Number(value) : undefined)}
    />
  );
}

function SoundFields({ check, onChange }: Of<'sound'>): ReactNode {
  return (
    <>
      <Group gap={8} grow align="flex-end">
        <CountField
          label={tr('Seconds')}
          value={check.seconds}
          onChange={(seconds) => onChange({ ...check, seconds })}
        />
        <NumberInput
          label={tr('Numbers may differ by')}
          min={0}
          hideControls
          value={check.tolerance}
          onChange={(value) => onChange({ ...check, tolerance: Number(value) || 0 })}
        />
      </Group>
      <TagsInput
        label={tr('Tags, as name=value')}
        placeholder={tr('artist=Bach')}
        splitChars={[]}
        acceptValueOnBlur
        value={Object.entries(check.tags).map(([name, value]) => `${name}=${value}`)}
        onChange={(all) => {
          const pairs = all.map((one) => [one.split('=', 1)[0]!.trim(), one.slice(one.indexOf('=') + 1).trim()]);
          onChange({ ...check, tags: Object.fromEntries(pairs.filter(([name]) => name !== '')) });
        }}
      />
    </>
  );
}

function PagesFields({ check, onChange }: Of<'pages'>): ReactNode {
  return (
    <>
      <TextsField label={tr('Open pages')} value={check.open} onChange={(open) => onChange({ ...check, open })} />
      <TextsField
        label={tr('Pages that are not open')}
        value={check.closed}
        onChange={(closed) => onChange({ ...check, closed })}
      />
      <Group gap={8} grow align="flex-end">
        <TextInput
          label={tr('The page in front')}
          placeholder={tr('any')}
          value={check.active ?? ''}
          onChange={(event) => onChange({ ...check, active: event.currentTarget.value.trim() || undefined })}
        />
        <Select
          label={tr('An address is compared')}
          data={[
            { value: 'address', label: tr('as a whole') },
            { value: 'part', label: tr('by a part of it') },
            { value: 'pattern', label: tr('by a pattern') },
          ]}
          allowDeselect={false}
          value={check.by}
          onChange={(by) => onChange({ ...check, by: by === 'part' || by === 'pattern' ? by : 'address' })}
        />
        <TextInput
          label={tr('Folder of its profile')}
          value={check.profile}
          onChange={(event) => onChange({ ...check, profile: event.currentTarget.value })}
        />
      </Group>
    </>
  );
}

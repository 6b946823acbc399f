import { ActionIcon, Button, ColorInput, Group, MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { TaskInfo } from '../../../schemas/api/models.ts';
import type { Check } from '../../../schemas/checks.ts';
import {
  ALIGNMENTS,
  DOCUMENT_ASPECTS,
  DOCUMENT_TRAITS,
  type DocumentAspect,
  type DocumentTrait,
  WORD_ASPECTS,
  type WordAspect,
} from '../../../schemas/checks-plain.ts';
import { tr } from '../../language/tr.ts';
import { CountField } from './count-field.tsx';
import { LikeFile } from './like.tsx';

type Props = { task: TaskInfo; check: Check & { kind: 'document' }; onChange: (check: Check) => void };
type Part = (Check & { kind: 'document' })['parts'][number];
const FLAGS = ['bold', 'italic', 'underline', 'strike'] as const;

function aspectNames(): Record<DocumentAspect | WordAspect, string> {
  return {
    text: tr('text'),
    notes: tr('notes'),
    pictures: tr('pictures'),
    alignment: tr('alignment'),
    bold: tr('bold'),
    italic: tr('italic'),
    underline: tr('underline'),
    strike: tr('struck through'),
    font: tr('font'),
    size: tr('size'),
    colour: tr('colour'),
    tables: tr('tables'),
    spacing: tr('line spacing'),
    lines: tr('lines in any order'),
    highlight: tr('highlighted texts'),
    subscript: tr('a subscript at its place'),
    equations: tr('an equation at its place'),
    'picture-places': tr('places of pictures'),
  };
}

function traitNames(): Record<DocumentTrait, string> {
  return {
    'page-break': tr('a page break'),
    'page-numbers': tr('page numbers in its footers'),
    'first-line-centred': tr('a centred first line'),
    'last-paragraph-struck': tr('a last paragraph that is struck through'),
    'no-yellow': tr('nothing highlighted in yellow'),
  };
}

const ASPECTS = [...DOCUMENT_ASPECTS, ...WORD_ASPECTS];

/** Fields of a check of a presentation or a text document. */
export function DocumentFields({ task, check, onChange }: Props): ReactNode {
  const [names, traits] = [aspectNames(), traitNames()];
  const set = (n: number, part: Part): void => onChange({ ...check, parts: check.parts.with(n, part) });
  return (
    <>
      <Group gap={8} grow align="flex-end">
        <CountField label={tr('Slides')} value={check.slides} onChange={(slides) => onChange({ ...check, slides })} />
        <CountField
          label={tr('Pictures')}
          value={check.pictures}
          onChange={(pictures) => onChange({ ...check, pictures })}
        />
        <LikeFile task={task} value={check.like} onChange={(like) => onChange({ ...check, like })} />
      </Group>
      {check.like !== undefined && (
        <MultiSelect
          label={tr('The same in')}
          data={ASPECTS.map((value) => ({ value, label: names[value] }))}
          value={check.compare}
          onChange={(all) => {
            const compare = ASPECTS.filter((one) => all.includes(one));
            onChange({ ...check, compare: compare.length > 0 ? compare : ['text'] });
          }}
        />
      )}
      <Group gap={8} grow align="flex-end">
        <MultiSelect
          label={tr('It has')}
          data={DOCUMENT_TRAITS.map((value) => ({ value, label: traits[value] }))}
          value={check.has ?? []}
          onChange={(all) => {
            const has = DOCUMENT_TRAITS.filter((one) => all.includes(one));
            onChange({ ...check, has: has.length > 0 ? has : undefined });
          }}
        />
        <TextInput
          label={tr('All its text in the font')}
          placeholder={tr('any')}
          value={check.font ?? ''}
          onChange={(event) => onChange({ ...check, font: event.currentTarget.value || undefined })}
        />
        <CountField
          label={tr('Size of all italics')}
          value={check.italicSize}
          onChange={(italicSize) => onChange({ ...check, italicSize })}
        />
      </Group>
      {check.parts.map((part, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its text is being written
        <Group key={n} gap={8} align="flex-end" wrap="wrap">
          <PartFields part={part} names={names} onChange={(changed) => set(n, changed)} />
          <ActionIcon
            aria-label={tr('Remove the text {text}', { text: part.text })}
            color="red"
            variant="subtle"
            mb={4}
            onClick={() => onChange({ ...check, parts: check.parts.filter((_, at) => at !== n) })}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="default"
        size="compact-xs"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => onChange({ ...check, parts: [...check.parts, { text: tr('Text'), notes: false }] })}
      >
        {tr('A text in it')}
      </Button>
    </>
  );
}

function PartFields(props: {
  part: Part;
  names: Record<DocumentAspect | WordAspect, string>;
  onChange: (part: Part) => void;
}): ReactNode {
  const { part, names, onChange } = props;
  return (
    <>
      <TextInput
        label={tr('Text')}
        value={part.text}
        style={{ flex: 1, minWidth: 160 }}
        onChange={(event) => onChange({ ...part, text: event.currentTarget.value })}
      />
      <CountField label={tr('Slide')} value={part.slide} onChange={(slide) => onChange({ ...part, slide })} />
      <MultiSelect
        label={tr('It is')}
        w={170}
        data={FLAGS.map((value) => ({ value, label: names[value] }))}
        value={FLAGS.filter((one) => part[one] === true)}
        onChange={(all) => {
          const flags = Object.fromEntries(FLAGS.map((one) => [one, all.includes(one) ? true : undefined]));
          onChange({ ...part, ...flags });
        }}
      />
      <ColorInput
        label={tr('Colour')}
        w={110}
        placeholder={tr('any')}
        value={part.colour ?? ''}
        onChange={(colour) =>
          onChange({ ...part, colour: /^#[0-9a-f]{6}$/i.test(colour) ? colour.toLowerCase() : undefined })
        }
      />
      <Select
        label={tr('Alignment')}
        w={110}
        placeholder={tr('any')}
        clearable
        data={[
          { value: 'left', label: tr('left') },
          { value: 'center', label: tr('centred') },
          { value: 'right', label: tr('right') },
          { value: 'justify', label: tr('justified') },
        ]}
        value={part.align ?? null}
        onChange={(value) => onChange({ ...part, align: ALIGNMENTS.find((one) => one === value) })}
      />
      <Switch
        label={tr('In the notes')}
        mb={8}
        checked={part.notes}
        onChange={(event) => onChange({ ...part, notes: event.currentTarget.checked })}
      />
    </>
  );
}

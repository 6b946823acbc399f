import { Group, MultiSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TaskInfo } from '../../../schemas/api/models.ts';
import type { Check } from '../../../schemas/checks.ts';
import { TABLE_PARTS, type TablePart } from '../../../schemas/checks-plain.ts';
import { tr } from '../../language/tr.ts';
import { TextsAndLike } from './texts-and-like.tsx';

type Props = { task: TaskInfo; check: Check & { kind: 'table' }; onChange: (check: Check) => void };

function partNames(): Record<TablePart, string> {
  return {
    cells: tr('cells'),
    names: tr('names of sheets'),
    charts: tr('charts'),
    'chart-titles': tr('titles of charts'),
    'chart-axes': tr('titles of axes'),
    'chart-legends': tr('legends'),
    'chart-directions': tr('direction of bars'),
    pivots: tr('pivot tables'),
    bold: tr('bold'),
    italic: tr('italic'),
    underline: tr('underline'),
    font: tr('font'),
    colour: tr('colour'),
    fill: tr('background'),
    frozen: tr('rows and columns that stay'),
    hidden: tr('hidden rows and columns'),
  };
}

/** Fields of a check of a whole table. */
export function TableFields({ task, check, onChange }: Props): ReactNode {
  const names = partNames();
  return (
    <>
      <TextsAndLike
        task={task}
        label={tr('Names of its sheets, in their order')}
        texts={check.names}
        onTexts={(names) => onChange({ ...check, names })}
        like={check.like}
        onLike={(like) => onChange({ ...check, like, compare: like === undefined ? undefined : check.compare })}
      >
        <TextInput
          label={tr('Sheet')}
          placeholder={tr('all')}
          value={check.sheet ?? ''}
          onChange={(event) => {
            const sheet = event.currentTarget.value || undefined;
            onChange({ ...check, sheet, likeSheet: sheet === undefined ? undefined : check.likeSheet });
          }}
        />
        <TextInput
          label={tr('Cells')}
          placeholder="A1:D20"
          value={check.area ?? ''}
          onChange={(event) =>
            onChange({ ...check, area: event.currentTarget.value.toUpperCase().trim() || undefined })
          }
        />
        <NumberInput
          label={tr('Numbers may differ by')}
          min={0}
          hideControls
          value={check.tolerance}
          onChange={(value) => onChange({ ...check, tolerance: Number(value) || 0 })}
        />
      </TextsAndLike>
      {check.like !== undefined && (
        <MultiSelect
          label={tr('The same in')}
          data={TABLE_PARTS.map((value) => ({ value, label: names[value] }))}
          value={check.compare ?? ['cells']}
          onChange={(all) => {
            const compare = TABLE_PARTS.filter((one) => all.includes(one));
            const isPlain = compare.length === 0 || compare.join() === 'cells';
            onChange({ ...check, compare: isPlain ? undefined : compare });
          }}
        />
      )}
      <Group gap={16}>
        <Switch
          label={tr('Rows in any order')}
          checked={check.anyOrder}
          onChange={(event) => onChange({ ...check, anyOrder: event.currentTarget.checked })}
        />
        <Switch
          label={tr('The same formulas')}
          checked={check.formulas}
          onChange={(event) => onChange({ ...check, formulas: event.currentTarget.checked })}
        />
        <Switch
          label={tr('Capitals do not count')}
          checked={check.ignoreCase}
          onChange={(event) => onChange({ ...check, ignoreCase: event.currentTarget.checked })}
        />
      </Group>
    </>
  );
}

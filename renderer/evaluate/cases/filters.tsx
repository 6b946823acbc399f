import { NumberInput, Select } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import type { CaseFilter, Run } from '../../../schemas/api/evaluate.ts';
import { tr, trParts } from '../../language/tr.ts';
import { CommandButton } from '../../ui/keys/command-button.tsx';
import { Kbd } from '../../ui/keys/kbd.tsx';
import { SearchField } from '../../ui/keys/search-field.tsx';
import { kindName } from '../../ui/kinds.ts';
import classes from './cases.module.css';

export const EVERY_CASE: CaseFilter = {
  only: 'all',
  kind: null,
  software: null,
  least: 0,
  most: 1,
  text: '',
  order: 'file',
};

/** The order alone hides nothing. */
export function narrowsCases(filter: CaseFilter): boolean {
  return JSON.stringify({ ...filter, order: 'file' }) !== JSON.stringify(EVERY_CASE);
}

const ONLY: readonly { value: CaseFilter['only']; label: string }[] = [
  { value: 'all', label: tr('Right and wrong') },
  { value: 'wrong', label: tr('Only wrong') },
  { value: 'right', label: tr('Only right') },
  { value: 'missing', label: tr('Not answered') },
  { value: 'noted', label: tr('Missing, unreadable') },
];

type Props = {
  filter: CaseFilter;
  kinds: readonly string[];
  software: readonly string[];
  rivals: readonly Run[];
  rival: string | null;
  search: RefObject<HTMLInputElement | null>;
  onChange: (part: Partial<CaseFilter>) => void;
  onRival: (run: string | null) => void;
  onWalk: (step: 1 | -1) => void;
};

export function Filters(props: Props): ReactNode {
  const { filter, kinds, software, rivals, rival, search, onChange, onRival, onWalk } = props;
  const leave = () => search.current?.blur();
  return (
    <search className={classes.filters} aria-label={tr('Cases')}>
      <SearchField
        field={search}
        label={tr('Search cases by id')}
        placeholder={tr('Search by id')}
        w={150}
        command="cases.search"
        value={filter.text}
        maxLength={200}
        onChange={(text) => onChange({ text })}
        onWalk={onWalk}
        onEnter={leave}
        onEscape={leave}
      />
      <CommandButton
        variant={filter.only === 'wrong' ? 'light' : 'default'}
        aria-pressed={filter.only === 'wrong'}
        command="cases.wrong"
        onClick={() => onChange({ only: filter.only === 'wrong' ? 'all' : 'wrong' })}
      >
        {tr('Wrong only')}
      </CommandButton>
      <Select
        aria-label={tr('Right or wrong')}
        w={150}
        data={[...ONLY]}
        value={filter.only}
        onChange={(value) => onChange({ only: ONLY.find((one) => one.value === value)?.value ?? 'all' })}
        allowDeselect={false}
      />
      <Choice
        label={tr('Kind')}
        all={tr('Every kind')}
        values={kinds}
        nameOf={kindName}
        value={filter.kind}
        onChange={(kind) => onChange({ kind })}
      />
      <Choice
        label={tr('Software')}
        all={tr('Every software')}
        values={software}
        value={filter.software}
        onChange={(one) => onChange({ software: one })}
      />
      <fieldset className={classes.range} aria-label={tr('Score in per cent')}>
        {trParts('Score{least}to{most}%', {
          least: (
            <Share
              label={tr('Least score, per cent')}
              value={filter.least}
              onChange={(least) => least <= filter.most && onChange({ least })}
            />
          ),
          most: (
            <Share
              label={tr('Greatest score, per cent')}
              value={filter.most}
              onChange={(most) => most >= filter.least && onChange({ most })}
            />
          ),
        })}
      </fieldset>
      <CommandButton
        variant={filter.order === 'worst' ? 'light' : 'default'}
        aria-pressed={filter.order === 'worst'}
        command="cases.order"
        onClick={() => onChange({ order: filter.order === 'worst' ? 'file' : 'worst' })}
      >
        {tr('Worst first')}
      </CommandButton>
      {narrowsCases(filter) && (
        <CommandButton variant="subtle" command="cases.clear" onClick={() => onChange(EVERY_CASE)}>
          {tr('Clear filters')}
        </CommandButton>
      )}
      {rivals.length > 0 && (
        <div className={classes.compare}>
          <Select
            aria-label={tr('Compare with')}
            w={180}
            data={[
              { value: '', label: tr('Compare with …') },
              ...rivals.map(({ id, name }) => ({ value: id, label: tr('Compare: {name}', { name }) })),
            ]}
            value={rival ?? ''}
            onChange={(value) => onRival(value === '' ? null : value)}
            allowDeselect={false}
          />
          <Kbd command="cases.compare" />
        </div>
      )}
    </search>
  );
}

function Choice(props: {
  label: string;
  all: string;
  values: readonly string[];
  value: string | null;
  onChange: (value: string | null) => void;
  nameOf?: (value: string) => string;
}): ReactNode {
  const { label, all, values, value, onChange, nameOf = String } = props;
  return (
    <Select
      aria-label={label}
      w={128}
      data={[{ value: '', label: all }, ...values.map((one) => ({ value: one, label: nameOf(one) }))]}
      value={value ?? ''}
      onChange={(chosen) => onChange(chosen === '' ? null : chosen)}
      allowDeselect={false}
    />
  );
}

function Share({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number;
  onChange: (share: number) => void;
}): ReactNode {
  return (
    <NumberInput
      aria-label={label}
      w={48}
      min={0}
      max={100}
      hideControls
      value={Math.round(value * 100)}
      onChange={(percent) => typeof percent === 'number' && onChange(Math.min(100, Math.max(0, percent)) / 100)}
    />
  );
}

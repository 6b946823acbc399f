import type { CaseFilter } from '../../../schemas/api/evaluate.ts';
import type { AddressParts } from '../../ui/address.ts';
import { EVERY_CASE } from './filters.tsx';

/** The filter of cases as its address has it; scores in per cent. */
export function partsOfCases(filter: CaseFilter): AddressParts {
  const { only, kind, software, least, most, text, order } = filter;
  return {
    q: text || null,
    only: only === 'all' ? null : only,
    kind,
    software,
    score: least === 0 && most === 1 ? null : `${Math.round(least * 100)}..${Math.round(most * 100)}`,
    order: order === 'file' ? null : order,
  };
}

export function casesOfParts(parts: AddressParts): CaseFilter {
  const [least = 0, most = 100] = (parts.score ?? '0..100').split('..').map(Number);
  const fits = least >= 0 && most <= 100 && least <= most;
  return {
    ...EVERY_CASE,
    text: (parts.q ?? '').slice(0, 200),
    only: ONLY_PARTS.find((one) => one === parts.only) ?? 'all',
    kind: parts.kind ?? null,
    software: parts.software ?? null,
    least: fits ? least / 100 : 0,
    most: fits ? most / 100 : 1,
    order: parts.order === 'worst' ? 'worst' : 'file',
  };
}

const ONLY_PARTS: readonly CaseFilter['only'][] = ['wrong', 'right', 'noted', 'missing'];

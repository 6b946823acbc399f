import type { TablePart } from '../../schemas/checks-plain.ts';
import { type Fields, fieldsIn, isFields, textField, textsIn } from './fields.ts';

/** The rules of OSWorld's `compare_table` as what a table is compared in. */

/** A check of a table or of a cell of it, without the file and what it is compared with. */
export type TableRule =
  | { kind: 'cell'; cell: string; sheet?: string; equals: string | number; tolerance: number }
  | {
      kind: 'table';
      sheet?: string;
      likeSheet?: string;
      area?: string;
      compare: TablePart[];
      ignoreCase: boolean;
      tolerance: number;
    };

const CHART_PROPS: Readonly<Record<string, TablePart>> = {
  type: 'charts',
  title: 'chart-titles',
  legend: 'chart-legends',
  direction: 'chart-directions',
  xtitle: 'chart-axes',
  ytitle: 'chart-axes',
};
const STYLES: Readonly<Record<string, TablePart>> = {
  font_bold: 'bold',
  font_italic: 'italic',
  font_underline: 'underline',
  font_name: 'font',
  font_color: 'colour',
  bgcolor: 'fill',
};
const PIVOTS = ['col_fields', 'filter', 'row_fields', 'data_fields'];

/** `EI0`, `RI0`, 0: the sheet of that place in the wanted file, in the one that is looked at. */
function sheetOf(index: unknown, of: 'R' | 'E'): string | null {
  if (typeof index === 'number' && Number.isInteger(index) && index >= 0) return of === 'R' ? `#${index + 1}` : null;
  const [, side, kind, name = ''] = /^([RE])([IN])(.{1,200})$/.exec(String(index)) ?? [];
  if (side !== of) return null;
  return kind === 'N' ? name : /^\d{1,5}$/.test(name) ? `#${Number(name) + 1}` : null;
}

const LIKE = { ignoreCase: false, tolerance: 0 };

/** What a rule asks; a text says why there is nothing that asks the same. */
export function tableRules(rule: Fields, notes: string[]): TableRule[] | string {
  const type = textField(rule, 'type') ?? '';
  const none = `its rule ${type === '' ? 'without a type' : type} has no check here`;
  if (type === 'sheet_name') return [{ ...LIKE, kind: 'table', compare: ['names'] }];
  if (type === 'check_cell') return cellRule(rule) ?? none;
  const [sheet, likeSheet] = [sheetOf(rule.sheet_idx0, 'R'), sheetOf(rule.sheet_idx1, 'E')];
  if (sheet === null || likeSheet === null) return none;
  const both = { ...LIKE, kind: 'table' as const, sheet, likeSheet };
  const named = (names: readonly string[], known: Readonly<Record<string, TablePart>>): TableRule[] | string => {
    const parts = names.map((name) => (Object.hasOwn(known, name) ? known[name] : undefined));
    const compare = [...new Set(parts.filter((one) => one !== undefined))];
    return names.length > 0 && parts.every((one) => one !== undefined) ? [{ ...both, compare }] : none;
  };
  switch (type) {
    case 'sheet_data':
    case 'sheet_print': {
      if (type === 'sheet_print') notes.push('sheet_print compares numbers as they are shown; here by their values');
      const tolerance = typeof rule.precision === 'number' ? 10 ** -rule.precision / 2 : 0.00005;
      return [{ ...both, compare: ['cells'], ignoreCase: rule.ignore_case === true, tolerance }];
    }
    case 'chart':
      return named(textsIn(rule, 'chart_props'), CHART_PROPS);
    case 'style':
      return named(textsIn(rule, 'props'), STYLES);
    case 'pivot_table':
      return textsIn(rule, 'pivot_props').every((name) => PIVOTS.includes(name))
        ? [{ ...both, compare: ['pivots'] }]
        : none;
    case 'freeze':
      return [{ ...both, compare: ['frozen'] }];
    case 'row_props':
      return named(textsIn(rule, 'props'), { hidden: 'hidden' });
    case 'sheet_fuzzy':
      return fuzzyRules(rule, both) ?? none;
    default:
      return none;
  }
}

/** A cell that equals a value, or nearly; null where more is asked of it. */
function cellRule(rule: Fields): TableRule[] | null {
  const sheet = sheetOf(rule.sheet_idx0 ?? rule.sheet_idx, 'R');
  const props = fieldsIn(rule, 'props');
  const { method, ref } = fieldsIn(props, 'value');
  const [, near] = /^approx:(\d{1,9}(?:\.\d{1,9})?)$/.exec(String(method)) ?? [];
  const isPlain = Object.keys(props).length === 1 && (method === 'eq' || near !== undefined);
  if (!isPlain || sheet === null || (typeof ref !== 'string' && typeof ref !== 'number')) return null;
  // A cell knows the first sheet and those with a name.
  if (sheet.startsWith('#') && sheet !== '#1') return null;
  const cell = textField(rule, 'coordinate') ?? 'A1';
  return [{ kind: 'cell', cell, ...(sheet !== '#1' && { sheet }), equals: ref, tolerance: Number(near ?? 0) }];
}

/** Ranges whose cells are the same; null where some are only alike. Blanks at the ends of a cell never count here. */
function fuzzyRules(rule: Fields, both: { kind: 'table'; sheet: string; likeSheet: string }): TableRule[] | null {
  const rules = Array.isArray(rule.rules) ? rule.rules.filter(isFields) : [];
  const isBlank = (one: Fields, name: string): boolean => one[name] === undefined || String(one[name]).trim() === '';
  const same = rules.every(
    (one) =>
      one.type === 'exact_match' &&
      isBlank(one, 'trim_leadings') &&
      isBlank(one, 'trim_trailings') &&
      one.ignore_chars === undefined &&
      one.normalization === undefined,
  );
  if (!same || rules.length === 0) return null;
  return rules.flatMap((one) =>
    textsIn(one, 'range').map((range): TableRule => {
      const area = range.includes(':') ? range : `${range}:${range}`;
      return { ...both, area, compare: ['cells'], ignoreCase: one.ignore_case === true, tolerance: 0.00005 };
    }),
  );
}

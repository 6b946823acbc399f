import { mapEvaluator } from './evaluators.ts';

/** How often each evaluator is asked for by OSWorld's public tasks; the others are of many kinds, a few tasks each. */
const PUBLIC: Readonly<Record<string, number>> = {
  compare_table: 95,
  compare_pptx_files: 38,
  infeasible: 31,
  exact_match: 25,
  check_include_exclude: 21,
  check_direct_json_object: 17,
  compare_docx_files: 14,
  compare_pdfs: 9,
  is_expected_url_pattern_match: 9,
  check_list: 9,
  is_expected_active_tab: 8,
  check_json_settings: 8,
  compare_images: 7,
  compare_text_file: 7,
  check_structure_sim: 5,
};
const PUBLIC_TASKS = 435;
/** They are asked of commands and pages, which only sometimes have a check. */
const ASK_OTHERS: ReadonlySet<string> = new Set(['exact_match', 'check_include_exclude', 'check_direct_json_object']);

/** By count: how many of the public tasks ask an evaluator that has a check here, and how many of these one that always has. */
export function publicShare(): { of: number; known: number; sure: number } {
  const mapped = Object.entries(PUBLIC).filter(([func]) => isKnown(func));
  const sum = (some: typeof mapped): number => some.reduce((total, [, count]) => total + count, 0);
  return { of: PUBLIC_TASKS, known: sum(mapped), sure: sum(mapped.filter(([func]) => !ASK_OTHERS.has(func))) };
}

const isKnown = (func: string): boolean =>
  !mapEvaluator({ func, result: {}, expected: {}, options: {} }, []).missing?.includes('it is code of OSWorld');

/** Answers of scripted models that draft and reflect, from the texts of the question alone. */

/** `value` gives the text of each field that is asked for; null: it cannot tell. */
export function draftAnswer(texts: readonly string[], value: (field: string, step: number) => string | null): string {
  const all = texts.join('\n');
  const code = /"code": "([0-9a-f]+)"/.exec(all)?.[1] ?? '';
  if (all.includes('Say which of these drafts')) return JSON.stringify({ code, doubts: [] });
  if (all.includes('Divide these steps'))
    return JSON.stringify({ code, subtasks: [{ first: 1, title: value('subtask', 1) ?? 'Do it' }] });
  const step = Number(/The step:\n(\d+)\./.exec(all)?.[1] ?? 0);
  const fields = [...all.matchAll(/^- (\w+): /gm)].map(([, field]) => field ?? '');
  return JSON.stringify({ code, ...Object.fromEntries(fields.map((field) => [field, value(field, step)])) });
}

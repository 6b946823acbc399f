/** `1 task`, `12 tasks`, `1,204 tasks`; irregular plurals are given. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

/** Values of OSWorld's files, which say little of their types. */

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const textField = (of: Fields | null | undefined, name: string): string | null => {
  const value = of?.[name];
  return typeof value === 'string' && value !== '' ? value : null;
};
export const fieldsIn = (of: Fields | null | undefined, name: string): Fields => {
  const value = of?.[name];
  return isFields(value) ? value : {};
};
export const textsIn = (of: Fields | null | undefined, name: string): string[] => {
  const value = of?.[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
};

/** The home of the machine that OSWorld's tasks are made for. */
const HOME = /^(?:\/home\/user|~|\$HOME)\//;

/** A path of such a machine as one in the stage's home; null where it lies elsewhere. */
export function homePath(path: string): string | null {
  const inside = path.replace(HOME, '');
  const parts = inside.split('/');
  const isOdd = inside.startsWith('/') || inside.length > 300 || /[\\\0]/.test(inside);
  return isOdd || parts.some((part) => part === '' || part === '.' || part === '..') ? null : inside;
}

/** A text as a regular expression that finds it alone. */
export const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);

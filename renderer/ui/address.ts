/** What the search of an address says of a page's view: `?q=crop&state=closed`. A part at null is as it is at first. */
export type AddressParts = Readonly<Record<string, string | null>>;

/** These parts of a search; what the search does not name is null. */
export function partsOf(search: string, names: readonly string[]): AddressParts {
  const given = new URLSearchParams(search);
  return Object.fromEntries(names.map((name) => [name, given.get(name)]));
}

/** The search with these parts in their own order, after what others put there. */
export function searchWith(search: string, parts: AddressParts): string {
  const given = new URLSearchParams(search);
  for (const name of Object.keys(parts)) given.delete(name);
  for (const [name, value] of Object.entries(parts)) if (value !== null) given.set(name, value);
  return given.toString();
}

export function isBare(parts: AddressParts): boolean {
  return Object.values(parts).every((value) => value === null);
}

/** Several values in one part, any letters in them: `a,b%2Cc`. null (none is given) is the empty one. */
export function listPart(values: readonly (string | null)[] | undefined): string | null {
  if (values === undefined || values.length === 0) return null;
  return values.map((value) => (value === null ? '' : encodeURIComponent(value.toWellFormed()))).join(',');
}

export function valuesOfPart(part: string): (string | null)[] {
  return part.split(',').map((value) => (value === '' ? null : decodedPart(value)));
}

/** A part of an address as it was before it was put into it; as it stands where it was mistyped or cut off. */
export function decodedPart(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** A column and its direction: `goal`, or `-goal` from the end. null: the order at first. */
export function sortPart<K extends string>(
  sort: { key: K; descending: boolean },
  first: { key: K; descending: boolean },
): string | null {
  if (sort.key === first.key && sort.descending === first.descending) return null;
  return sort.descending ? `-${sort.key}` : sort.key;
}

export function sortOfPart<K extends string>(
  part: string | null | undefined,
  keys: readonly K[],
  first: { key: K; descending: boolean },
): { key: K; descending: boolean } {
  const descending = part?.startsWith('-') === true;
  const key = keys.find((one) => one === (descending ? part?.slice(1) : part));
  return key === undefined ? first : { key, descending };
}

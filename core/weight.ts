/** Whether a value holds more than `most` others (numbers, texts, lists, objects) at all depths. Looks at no more than these. */
export function holdsMoreThan(value: unknown, most: number): boolean {
  let left = most;
  const isTooMuch = (one: unknown): boolean => {
    if (typeof one !== 'object' || one === null) return false;
    for (const part of Array.isArray(one) ? one : Object.values(one)) if (--left < 0 || isTooMuch(part)) return true;
    return false;
  };
  return isTooMuch(value);
}

/**
 * Checks a value against a JSON Schema (draft 2020-12), as a reader who has only our published schemas would. It knows the
 * words that those schemas use and throws at any other, so that none is passed over in silence.
 */

type Schema = Record<string, unknown>;

const PASSED_OVER = new Set(['$schema', 'title', 'description']);

/** The faults, each with its place; empty when the value fits. */
export function schemaErrors(schema: Schema, value: unknown, place = ''): string[] {
  const errors: string[] = [];
  const say = (what: string) => errors.push(`${place || '/'}: ${what}`);
  for (const [word, rule] of Object.entries(schema)) {
    if (PASSED_OVER.has(word)) continue;
    const check = WORDS[word];
    if (!check) throw new Error(`the schema has the word "${word}", which this does not know`);
    // A rule has the type that its word takes; a wrong one is a fault of the schema and fails the test.
    check(rule as never, value, { schema, place, say, into: (inner) => errors.push(...inner) });
  }
  return errors;
}

type Context = { schema: Schema; place: string; say(what: string): void; into(errors: string[]): void };
type Word = (rule: never, value: unknown, context: Context) => void;

const TYPES: Record<string, (value: unknown) => boolean> = {
  null: (value) => value === null,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};
const isObject = (value: unknown): value is Record<string, unknown> => TYPES.object!(value);

const WORDS: Record<string, Word> = {
  type: (rule: string | string[], value, { say }) => {
    if (![rule].flat().some((each) => TYPES[each]!(value))) say(`should be ${rule}`);
  },
  const: (rule: unknown, value, { say }) => {
    if (value !== rule) say(`should be ${JSON.stringify(rule)}`);
  },
  enum: (rule: unknown[], value, { say }) => {
    if (!rule.includes(value)) say(`should be one of ${JSON.stringify(rule)}`);
  },
  pattern: (rule: string, value, { say }) => {
    if (typeof value === 'string' && !new RegExp(rule, 'u').test(value)) say(`should be like ${rule}`);
  },
  minLength: (rule: number, value, { say }) => {
    if (typeof value === 'string' && value.length < rule) say('is too short');
  },
  minimum: (rule: number, value, { say }) => {
    if (typeof value === 'number' && value < rule) say(`should be at least ${rule}`);
  },
  maximum: (rule: number, value, { say }) => {
    if (typeof value === 'number' && value > rule) say(`should be at most ${rule}`);
  },
  exclusiveMinimum: (rule: number, value, { say }) => {
    if (typeof value === 'number' && value <= rule) say(`should be over ${rule}`);
  },
  minItems: (rule: number, value, { say }) => {
    if (Array.isArray(value) && value.length < rule) say('has too few');
  },
  maxItems: (rule: number, value, { say }) => {
    if (Array.isArray(value) && value.length > rule) say('has too many');
  },
  prefixItems: (rule: Schema[], value, { place, say, into }) => {
    if (!Array.isArray(value)) return;
    if (value.length !== rule.length) say(`should have ${rule.length}`);
    for (const [index, each] of rule.entries()) into(schemaErrors(each, value[index], `${place}/${index}`));
  },
  items: (rule: Schema, value, { place, into }) => {
    if (!Array.isArray(value)) return;
    for (const [index, each] of value.entries()) into(schemaErrors(rule, each, `${place}/${index}`));
  },
  required: (rule: string[], value, { say }) => {
    if (isObject(value)) for (const name of rule) if (!(name in value)) say(`lacks ${name}`);
  },
  properties: (rule: Record<string, Schema>, value, { place, into }) => {
    if (!isObject(value)) return;
    for (const [name, each] of Object.entries(rule)) {
      if (name in value) into(schemaErrors(each, value[name], `${place}/${name}`));
    }
  },
  propertyNames: (rule: Schema, value, { place, into }) => {
    if (isObject(value)) for (const name of Object.keys(value)) into(schemaErrors(rule, name, `${place}/${name}`));
  },
  additionalProperties: (rule: boolean | Schema, value, { schema, place, say, into }) => {
    if (!isObject(value)) return;
    const known = Object.keys(schema.properties ?? {});
    for (const name of Object.keys(value).filter((each) => !known.includes(each))) {
      if (rule === false) say(`has the unknown ${name}`);
      else if (typeof rule === 'object') into(schemaErrors(rule, value[name], `${place}/${name}`));
    }
  },
  anyOf: (rule: Schema[], value, { place, say }) => {
    if (!rule.some((each) => schemaErrors(each, value, place).length === 0)) say('fits none of the choices');
  },
  oneOf: (rule: Schema[], value, { place, say }) => {
    const fits = rule.filter((each) => schemaErrors(each, value, place).length === 0).length;
    if (fits !== 1) say(`fits ${fits} of the choices`);
  },
};

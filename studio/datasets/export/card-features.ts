import { z } from 'zod';
import { EXPORT_FILES } from '../../../schemas/export-files.ts';

/**
 * `features` of a card's `dataset_info`, made of the same schemas that the validators read with. Without them a loader guesses
 * the types of each JSON file from what stands in it, and a column that is null throughout the first one fails at the next.
 */

type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  propertyNames?: Schema;
  additionalProperties?: Schema | false;
};

/** A feature as the card's YAML has it; null where the types of its values differ, which a loader then has to guess. */
type Feature = { dtype: string } | { list: Feature } | { struct: [string, Feature][] };

/** The features of a JSON file's rows, one line each, indented by `indent`; empty when they cannot all be told. */
export function featureLines(file: string, indent: string, field?: string): string[] {
  const found = EXPORT_FILES.find(({ name }) => name === file);
  if (!found) return [];
  const whole = z.toJSONSchema(found.schema) as Schema; // Its own form of the same document.
  const rows = field === undefined ? whole : whole.properties?.[field];
  const row = rows?.type === 'array' ? rows.items : rows;
  const feature = row && featureOf(row);
  return feature && 'struct' in feature ? structLines(feature.struct, indent) : [];
}

function featureOf(schema: Schema): Feature | null {
  const { type } = schema;
  if (Array.isArray(type))
    return featureOf({ ...schema, anyOf: type.map((one) => ({ ...schema, type: one })), type: 'any' });
  const kinds = schema.anyOf ?? schema.oneOf;
  if (kinds) {
    const features = kinds.filter(({ type }) => type !== 'null').map(featureOf);
    return features.reduce((one, other) => one && other && bothOf(one, other));
  }
  if (schema.enum || schema.const !== undefined || schema.type === 'string') {
    const value = schema.const ?? schema.enum?.[0] ?? '';
    return { dtype: typeof value === 'number' ? 'int64' : 'string' };
  }
  if (schema.type === 'integer') return { dtype: 'int64' };
  if (schema.type === 'number') return { dtype: 'float64' };
  if (schema.type === 'boolean') return { dtype: 'bool' };
  if (schema.type === 'array') {
    const of = schema.prefixItems?.[0] ?? schema.items;
    const item = of && featureOf(of);
    return item ? { list: item } : null;
  }
  return schema.type === 'object' ? structOf(schema) : null;
}

/** One column for values of both kinds: a struct has the fields of either. */
function bothOf(one: Feature, other: Feature): Feature | null {
  if ('struct' in one && 'struct' in other) {
    const struct = new Map(one.struct);
    for (const [name, feature] of other.struct) {
      const known = struct.get(name);
      const both = known ? bothOf(known, feature) : feature;
      if (!both) return null;
      struct.set(name, both);
    }
    return { struct: [...struct] };
  }
  if ('list' in one && 'list' in other) {
    const list = bothOf(one.list, other.list);
    return list && { list };
  }
  return 'dtype' in one && 'dtype' in other && one.dtype === other.dtype ? one : null;
}

function structOf({ properties, propertyNames, additionalProperties }: Schema): Feature | null {
  const named = propertyNames?.enum
    ?.map(String)
    .map((name): [string, Schema | undefined] => [name, additionalProperties || undefined]);
  const struct: [string, Feature][] = [];
  for (const [name, of] of named ?? Object.entries(properties ?? {})) {
    const feature = of && featureOf(of);
    if (!feature) return null;
    struct.push([name, feature]);
  }
  return struct.length === 0 ? null : { struct };
}

function structLines(struct: readonly [string, Feature][], indent: string): string[] {
  return struct.flatMap(([name, feature]) => [`${indent}- name: ${name}`, ...lines(feature, `${indent}  `)]);
}

function lines(feature: Feature, indent: string): string[] {
  if ('dtype' in feature) return [`${indent}dtype: ${feature.dtype}`];
  if ('struct' in feature) return [`${indent}struct:`, ...structLines(feature.struct, indent)];
  if ('dtype' in feature.list) return [`${indent}list: ${feature.list.dtype}`];
  const inner = feature.list;
  return [`${indent}list:`, ...('struct' in inner ? structLines(inner.struct, indent) : lines(inner, `${indent}  `))];
}

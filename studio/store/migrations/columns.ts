import type { CreateTableBuilder } from 'kysely';

/** Columns of the usual kinds, for a table's `$call`. The SQL of shipped migrations depends on them: never edited. */

type Adds = (table: CreateTableBuilder<string, string>) => CreateTableBuilder<string, string>;

export function keyColumn(name: string): Adds {
  return (table) => table.addColumn(name, 'text', (column) => column.primaryKey());
}

function needed(type: 'text' | 'integer' | 'bigint', names: readonly string[]): Adds {
  return (table) => names.reduce((to, name) => to.addColumn(name, type, (column) => column.notNull()), table);
}

export function textColumns(...names: string[]): Adds {
  return needed('text', names);
}

export function integerColumns(...names: string[]): Adds {
  return needed('integer', names);
}

export function bigColumns(...names: string[]): Adds {
  return needed('bigint', names);
}

/** Texts that may be null. */
export function openColumns(...names: string[]): Adds {
  return (table) => names.reduce((to, name) => to.addColumn(name, 'text'), table);
}

/** `to` as `people.id`. */
export function referringColumn(name: string, to: string): Adds {
  return (table) => table.addColumn(name, 'text', (column) => column.notNull().references(to));
}

/** Null where there is none. */
export function openReference(name: string, to: string): Adds {
  return (table) => table.addColumn(name, 'text', (column) => column.references(to));
}

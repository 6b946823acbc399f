import type { CompiledQuery, Kysely } from 'kysely';
import type { Migration } from './migration.ts';

/** A task's answer and kind (videogui.txt 3.1: full and simple tasks), and what a software is for. */
export const tasks: Migration = {
  version: 6,
  name: 'tasks',
  statements: (db) => [...columns(db), ...categories(db)],
};

function columns({ schema }: Kysely<unknown>): CompiledQuery[] {
  const text = (table: string, column: string, value: string): CompiledQuery =>
    schema
      .alterTable(table)
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(value))
      .compile();
  return [text('tasks', 'answer', ''), text('tasks', 'kind', 'full'), text('software', 'category', '')];
}

/** VideoGUI's three (3.1), and plain ones for the software that a new workspace knows beside its eleven. Never edited. */
const CATEGORIES: Readonly<Record<string, readonly string[]>> = {
  'Media creation': ['powerpoint', 'stable-diffusion-webui', 'runway', 'inkscape', 'libreoffice-impress', 'blender'],
  'Media editing': ['photoshop', 'after-effects', 'premiere-pro', 'capcut', 'davinci-resolve', 'gimp', 'kdenlive'],
  'Media browsing': ['youtube', 'web-stock', 'vlc'],
  Office: ['libreoffice-writer', 'libreoffice-calc', 'mousepad'],
  Web: ['chromium', 'firefox'],
  Development: ['xterm', 'vscode'],
};

function categories(db: Kysely<unknown>): CompiledQuery[] {
  // The migration's own tables, as they were then.
  const typed = db as Kysely<{ software: Record<string, string> }>;
  return Object.entries(CATEGORIES).map(([category, ids]) =>
    typed
      .updateTable('software')
      .set({ category })
      .where('id', 'in', [...ids])
      .compile(),
  );
}

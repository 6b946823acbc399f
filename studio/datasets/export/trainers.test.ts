import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { makeTasks } from './example-for-tests.ts';
import { sourceOf } from './export-for-tests.ts';
import { requestOf } from './formats.ts';
import { exportFormats } from './run.ts';

/**
 * The chat exports in each of their options, read by ms-swift's and LLaMA-Factory's own converters. They are no packages of this
 * project: `node scripts/trainers.mjs FOLDER` fetches them, and TRAINERS=FOLDER names them. Elsewhere this is skipped, and the
 * validators' rules stand for it.
 */

const { TRAINERS } = process.env;
const ANSWERS = ['code', 'anthropic', 'openai', 'ui-tars', 'ui-tars-2', 'qwen', 'tools'];
const counted = z.object({
  rows: z.int().min(1),
  refused: z.int(),
  turns: z.int(),
  marks: z.int(),
  pictures: z.int(),
  /** Rows that name tools, and turns that call one or show what came of it. */
  tools: z.int(),
  called: z.int(),
  last: z.array(z.string()),
});
const foundSchema = z.record(z.enum(['ms-swift', 'llamafactory']), counted);
const rowSchema = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });
const root = await mkdtemp(path.join(tmpdir(), 'trainers-'));
afterAll(() => rm(root, { recursive: true, force: true }));

test.skipIf(TRAINERS === undefined)(
  'ms-swift and LLaMA-Factory convert every row of every option, and find its pictures (TRAINERS)',
  async () => {
    const folder = path.resolve(TRAINERS!); // It is not skipped.
    const python = path.join(folder, 'python/bin/python');
    expect(existsSync(python), `${python} is missing: node scripts/trainers.mjs ${folder}`).toBe(true);
    const tasks = await makeTasks(path.join(root, 'stills'));
    const told = new Map<string, object>();
    for (const answer of ANSWERS) {
      const requests = ['ms-swift', 'llamafactory'].map((name) => requestOf(name, { options: { answer } }));
      const out = path.join(root, answer);
      await exportFormats(sourceOf(tasks), out, requests, { toolVersion: '0', filters: {} });
      const env = { ...process.env, HF_HUB_OFFLINE: '1', HF_HOME: path.join(root, 'home') };
      const script = path.resolve(import.meta.dirname, '../../../test/support/trainers.py');
      const { stdout, stderr } = spawnSync(python, [script, folder, out], { env, encoding: 'utf8' });
      const found = foundSchema.safeParse(JSON.parse(stdout.split('\n').at(-2) ?? 'null'));
      expect(found.error, stderr.slice(-2000)).toBeUndefined();
      const messages = { 'ms-swift': 'messages.jsonl', llamafactory: 'trajectories.jsonl' } as const;
      for (const [name, file] of Object.entries(messages)) {
        const { last, tools, called, ...counts } = found.data![name as 'ms-swift']; // As was just read.
        const rows = readFileSync(path.join(out, name, file), 'utf8')
          .trim()
          .split('\n');
        const wanted = rows.map((row) => rowSchema.parse(JSON.parse(row)).messages.at(-1)?.content);
        expect(last, `${name}, ${answer}`).toEqual(wanted);
        expect(counts, `${name}, ${answer}`).toMatchObject({ rows: rows.length, refused: 0, pictures: counts.marks });
        expect([tools, called > rows.length], `${name}, ${answer}`).toEqual(
          answer === 'tools' ? [rows.length, true] : [0, false],
        );
        expect(counts.pictures).toBeGreaterThan(rows.length);
        // The words of an answer are others, its turns and pictures are not.
        expect(counts, `${name}, ${answer}`).toEqual(told.get(name) ?? counts);
        told.set(name, counts);
      }
    }
  },
  240_000,
);

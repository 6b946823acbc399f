import { expect, test, vi } from 'vitest';
import { initialRecords } from '../../../core/annotate/initial.ts';
import { memoryStudio, memorySync } from '../document/memory-for-tests.ts';
import { fourClicks } from '../recording-for-tests.ts';
import { createWorkStore } from '../store.ts';
import { makePlayer } from './player.ts';

async function player(copy: () => Promise<'there' | 'coming' | 'none'>) {
  const opened = { ...fourClicks(), playback: false };
  const studio = memoryStudio(initialRecords(opened.steps, [], 'goal'));
  const sync = await memorySync(studio.line(), { newId: () => '', onChange: () => {}, onUndone: () => {} });
  const store = createWorkStore('w', opened, sync.state());
  const say = vi.fn();
  const made = makePlayer(store, { frames: opened.frames, actions: { say } as never }, copy);
  return { store, say, made };
}

test('a copy that was made after the page was opened is played', async () => {
  const { store, say, made } = await player(async () => 'there');
  made.toggle('step');
  await vi.waitFor(() => expect(store.getState().playing?.what).toBe('step'));
  expect(store.getState().opened.playback).toBe(true);
  expect(say).not.toHaveBeenCalled();
});

test.each([
  ['coming', 'is being made'],
  ['none', 'has no playback copy'],
] as const)('one that is %s is told as such', async (copy, words) => {
  const { store, say, made } = await player(async () => copy);
  made.toggle('recording');
  await vi.waitFor(() => expect(say).toHaveBeenCalled());
  expect(say.mock.calls[0]?.[0]).toContain(words);
  expect(store.getState().playing).toBeNull();
});

test('a studio that does not answer leaves the pictures', async () => {
  const { say, made } = await player(() => Promise.reject(new Error('away')));
  made.toggle('recording');
  await vi.waitFor(() => expect(say.mock.calls[0]?.[0]).toContain('has no playback copy'));
});

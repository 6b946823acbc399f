import { expect, test } from 'vitest';
import { ANNOTATION_VERSION } from '../../schemas/annotation.ts';
import { annotationFileSchema } from './annotation-file.ts';

test('an annotation of version 1, before there was reasoning, is read; one from the future is refused', () => {
  const removal = { kind: 'removal', id: 'removal:a', action: 'a', reason: 'mistake', comment: '' };
  const empty = { thought: null, actionThought: null, observation: null };
  const reasoning = { kind: 'reasoning', id: 'reasoning:a', action: 'a', ...empty, thought: 'Why' };
  const file = (version: number, records: object[]) => ({
    schema: 'trajectory-studio/annotation',
    version,
    recording: 'r',
    records,
  });
  expect(annotationFileSchema.parse(file(1, [removal])).records).toEqual([removal]);
  expect(annotationFileSchema.parse(file(ANNOTATION_VERSION, [reasoning])).records).toEqual([reasoning]);
  expect(annotationFileSchema.safeParse(file(ANNOTATION_VERSION + 1, [])).success).toBe(false);
});

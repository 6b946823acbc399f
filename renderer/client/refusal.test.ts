import { expect, test } from 'vitest';
import { ERROR_EXIT, type ErrorCode } from '../../schemas/errors.ts';
import { documentRefusal, NO_ANSWER } from './refusal.ts';

const coded = (code: string): Error => Object.assign(new Error(`words of ${code}`), { code });

test.each<[ReturnType<typeof documentRefusal>['what'], ErrorCode[]]>([
  ['conflict', ['CONFLICT']],
  ['refused', ['USAGE', 'UNKNOWN_STEP']],
  [
    'retry',
    [
      ...(['DISK_FULL', 'DISK_FAILED', 'OUT_OF_MEMORY', 'WORKSPACE_BUSY', 'WORKSPACE_UNWRITABLE'] as const),
      ...([
        'WORKSPACE_DAMAGED',
        'NOT_A_WORKSPACE',
        'UNKNOWN_WORKSPACE',
        'OUTDATED',
        'FORBIDDEN',
        'CANCELLED',
        'INTERRUPTED',
      ] as const),
    ],
  ],
  ['defect', ['INTERNAL', 'RECORDING_DAMAGED', 'BAD_FILE', 'UNKNOWN_RECORDING', 'NO_FFMPEG']],
])('%s', (what, codes) => {
  for (const code of codes) {
    expect(ERROR_EXIT[code]).toBeDefined();
    expect(documentRefusal(coded(code))).toEqual({ what, message: `words of ${code}` });
  }
});

test('only what the gesture itself is to blame for is given up without asking', () => {
  const given = Object.keys(ERROR_EXIT).filter((code) =>
    ['refused', 'conflict'].includes(documentRefusal(coded(code)).what),
  );
  expect(given.toSorted()).toEqual(
    ['AMBIGUOUS_ID', 'BAD_REGION', 'CONFLICT', 'UNKNOWN_APP', 'UNKNOWN_STEP', 'UNKNOWN_TASK', 'USAGE'].toSorted(),
  );
});

test('what nobody of ours said is a studio that does not answer', () => {
  for (const error of [new TypeError('Failed to fetch'), coded('BAD_GATEWAY'), 'text', null]) {
    expect(documentRefusal(error)).toEqual({ what: 'retry', message: NO_ANSWER });
  }
});

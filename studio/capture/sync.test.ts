import { describe, expect, it } from 'vitest';
import { type SyncPaint, syncReportSchema } from '../../schemas/recording.ts';
import { matchPaints, paintSteps, patchPlace, syncReport } from './sync.ts';

const frame = (t: number, seen: number) => ({ i: 0, pts: 0, t, seen });
const red = 0xd01050;
const blue = 0x10b0e0;

describe('matchPaints (C4)', () => {
  it('gives 0 for a paint between the last look without it and the first picture with it', () => {
    const [match] = matchPaints([{ rgb: red, before: 1000, after: 1200 }], [{ frame: frame(5000, 900), rgb: red }]);
    expect(match).toEqual({ p: 1100, without: 900, with: 5000, error: 0 });
  });

  it('says by how much a picture claims to be earlier than what it shows', () => {
    const [match] = matchPaints([{ rgb: red, before: 9000, after: 9200 }], [{ frame: frame(5000, 900), rgb: red }]);
    expect(match?.error).toBe(-4000);
  });

  it('says by how much the screen was seen without a change that was there', () => {
    const [match] = matchPaints([{ rgb: red, before: 1000, after: 1200 }], [{ frame: frame(9000, 7200), rgb: red }]);
    expect(match?.error).toBe(6001);
  });

  it('blames no frame for the time that the painter itself did not know', () => {
    const [match] = matchPaints([{ rgb: red, before: 1000, after: 6000 }], [{ frame: frame(5000, 900), rgb: red }]);
    expect(match?.error).toBe(0);
  });

  it('knows a colour that was rounded, where it is told that colours are, and no other', () => {
    const paints = [{ rgb: red, before: 1000, after: 1200 }];
    const seen = (rgb: number) => [{ frame: frame(5000, 900), rgb }];
    const rounded = red + 0x030000 - 0x000004;
    expect(matchPaints(paints, seen(rounded))[0]?.error).toBeNull();
    expect(matchPaints(paints, seen(rounded), 24)[0]?.error).toBe(0);
    expect(matchPaints(paints, seen(red + 0x190000), 24)[0]?.error).toBeNull();
    expect(matchPaints(paints, seen(blue), 24)[0]?.error).toBeNull();
  });

  it('does not take the same colour of a later round for a paint that was missed', () => {
    const matches = matchPaints(
      [
        { rgb: red, before: 0, after: 10 },
        { rgb: blue, before: 100_000, after: 100_010 },
      ],
      [
        { frame: frame(120_000, 90_000), rgb: blue },
        { frame: frame(900_000, 880_000), rgb: red },
      ],
    );
    expect(matches.map((m) => m.error)).toEqual([null, 0]);
  });
});

describe('syncReport', () => {
  const paint = (error: number | null) => ({ p: 0, without: 0, with: error === null ? null : 1, error });

  it('is ok with 95 of 100 exact and none over 20 ms', () => {
    const report = syncReport([
      ...Array<null>(95)
        .fill(null)
        .map(() => paint(0)),
      ...Array<null>(5)
        .fill(null)
        .map(() => paint(20_000)),
    ]);
    expect(report).toMatchObject({ verdict: 'ok', exact: 0.95, maxErrorUs: 20_000, jitterUs: 20_000, offsetUs: 0 });
  });

  it('warns with one more inexact, or one beyond 20 ms', () => {
    const off = [
      ...Array<null>(94)
        .fill(null)
        .map(() => paint(0)),
      ...Array<null>(6)
        .fill(null)
        .map(() => paint(-1)),
    ];
    expect(syncReport(off).verdict).toBe('warn');
    expect(
      syncReport([
        ...Array<null>(99)
          .fill(null)
          .map(() => paint(0)),
        paint(-20_001),
      ]).verdict,
    ).toBe('warn');
  });

  it('fails when most changes were not found, and is skipped without any', () => {
    expect(syncReport([paint(0), paint(null), paint(null)]).verdict).toBe('failed');
    expect(syncReport([]).verdict).toBe('skipped');
    expect(syncReport([], { dropped: 3, shared: false })).toEqual(syncReport([]));
  });

  describe('names dropped pictures', () => {
    const missed = [paint(0), paint(null), paint(null)];
    const messageOf = (detail: SyncPaint[], dropped: number, shared = false) =>
      syncReport(detail, { dropped, shared }).message;

    it('as the cause, where there are enough of them, with what to do', () => {
      const report = syncReport(missed, { dropped: 14, shared: false });
      expect(report).toMatchObject({ verdict: 'failed', dropped: 14 });
      expect(report.message).toBe(
        'Only 1 of 3 painted changes were found in the frames: 14 pictures were dropped during the check. ' +
          'A busy machine is the usual cause. Close other work, record fewer frames a second or a smaller region, ' +
          'and repeat the check (sync-check, or a new recording).',
      );
    });

    it('with what helps where the system shares the screen', () => {
      const message = messageOf(missed, 2, true);
      expect(message).toContain('2 pictures were dropped during the check.');
      expect(message).toContain('lower the resolution of the display, and record again');
      expect(message).not.toMatch(/sync-check|covered/);
    });

    it('but not as the cause where they are too few for it', () => {
      expect(messageOf(missed, 1)).toBe(
        "Only 1 of 3 painted changes were found in the frames: the patch was covered, or the picture is not the screen's; " +
          'only one picture was dropped during the check.',
      );
      expect(messageOf(missed, 0)).toMatch(/the patch was covered, or the picture is not the screen's\.$/);
      expect(messageOf(missed, 0, true)).toContain('the system shared too few pictures');
    });

    it('beside a warning and a good check', () => {
      const most = [
        ...Array<null>(9)
          .fill(null)
          .map(() => paint(0)),
        paint(null),
      ]; // 90 of 100 exact
      expect(messageOf(most, 4)).toMatch(
        /^9 of 10 .* two frames, 1 in no frame; largest error 0\.0 ms; 4 pictures were dropped during the check\. Keyframes .* Close other work/,
      );
      expect(messageOf(most, 0)).not.toContain('dropped');
      expect(messageOf([paint(0)], 1)).toMatch(/0\.0 ms; one picture was dropped during the check\.$/);
    });

    it('says nothing where nobody counted', () => {
      expect(syncReport(missed)).not.toHaveProperty('dropped');
    });
  });

  it('reads in files from before dropped pictures were counted', () => {
    const report = syncReport([paint(0)], { dropped: 2, shared: true });
    const { dropped: _since, ...old } = report;
    expect(syncReportSchema.parse(report)).toEqual(report);
    expect(syncReportSchema.parse(old)).toEqual(old);
  });
});

it('paints a new colour each time, at least two frames apart', () => {
  const steps = paintSteps(20, 30, () => 0);
  expect(steps.every((s, i) => s.rgb !== steps[i + 1]?.rgb)).toBe(true);
  expect(Math.min(...steps.map((s) => s.wait))).toBeGreaterThan(2 * (1000 / 30));
});

it('places the patch wholly inside the captured rectangle', () => {
  expect(patchPlace({ x: -1920, y: 100, width: 1920, height: 1080 })).toEqual({ x: -32, y: 1148, size: 32 });
});

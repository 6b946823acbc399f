import { arch, homedir, platform as osPlatform, release } from 'node:os';
import { startSessionClock } from '../../../../native/clock/session-clock.ts';
import { openPlatform, openStage } from '../../../../native/index.ts';
import type { Platform } from '../../../../native/platform/platform.ts';
import type { InputStage } from '../../../../native/platform/stage.ts';
import { errorBody } from '../../../../schemas/errors.ts';
import { openFolder } from '../../../recordings/closed.ts';
import type { DoctorCheck } from '../doctor.ts';
import { proveByPerson } from './by-person.ts';
import { performInput } from './perform.ts';
import { freePlace } from './place.ts';
import type { Proof, ProofResult } from './proof.ts';
import { factsOf, recordProof } from './record-proof.ts';
import { compare, type Expected, foundOf, INPUTS, type ProveStep, proveSteps } from './steps.ts';

/** `doctor --prove`: known inputs into a window of ours, recorded by the recorder itself, and what came back of them. */

type ProveOptions = {
  program: string;
  complaints: DoctorCheck[];
  now?: Date;
  progress(text: string): void;
};

const PAINTS = { start: 20, end: 10 };
const MOST_TOLD = 20;

const TEXT_UNPROVED: DoctorCheck = {
  id: 'prove:text',
  status: 'warn',
  what: 'text by the keyboard layout is not proved here: the keys are, but what they write is known to each program alone',
  fix: 'Record yourself typing a sentence, and read its text in the steps.',
};

/** Never throws: what kept it from being proved is in the report. */
export async function prove(options: ProveOptions): Promise<Proof> {
  const { program, now = new Date() } = options;
  // The page is sent to others: a path tells who works here.
  const complaints = options.complaints.map((one) => ({ ...one, what: one.what.replaceAll(homedir(), '~') }));
  const proof: Proof = {
    schema: 'trajectory-studio/proof',
    version: 1,
    program,
    at: now.toISOString(),
    system: { platform: osPlatform(), release: release(), arch: arch(), node: process.version, displays: [] },
    complaints,
    result: null,
    failure: null,
  };
  const failed = complaints.find(({ status }) => status === 'fail');
  if (failed) return { ...proof, failure: `Nothing can be recorded here: ${failed.what.replace(/\.$/, '')}.` };
  try {
    const platform = await openPlatform(startSessionClock());
    try {
      const displays = platform.displays();
      proof.system.displays = displays.map(
        ({ width, height, scale, x, y }) => `${width}x${height}+${x}+${y} at ${scale}`,
      );
      if (platform.name === 'wayland') proof.complaints = [...complaints, TEXT_UNPROVED];
      proof.result = await proveOn(platform, options);
    } finally {
      platform.close();
    }
  } catch (error) {
    proof.failure = errorBody(error).message;
  }
  return proof;
}

async function proveOn(platform: Platform, options: ProveOptions): Promise<ProofResult> {
  if (platform.name === 'wayland') return await proveByPerson(platform, options);
  const place = freePlace(
    platform.displays(),
    platform.windows().map(({ bounds }) => bounds),
  );
  const stage = await openStage(platform.name, place);
  try {
    return await record(platform, stage, options);
  } finally {
    stage.close();
  }
}

async function record(
  platform: Platform,
  stage: InputStage,
  { program, progress }: ProveOptions,
): Promise<ProofResult> {
  progress('starting the recorder; a small square flickers in a corner of the window …');
  const layouts = stage.layouts();
  const steps = proveSteps(stage.rect, layouts.length);
  return await recordProof(
    { program, target: { kind: 'region', region: stage.rect }, paints: PAINTS },
    () => {
      progress(`performing ${INPUTS} known inputs; please touch nothing …`);
      return performInput(
        stage,
        steps,
        () => platform.keyboard.read().layout,
        (done) => {
          if (done % 20 === 0) progress(`${done} of ${INPUTS}`);
        },
      );
    },
    ({ done: wanted, ...made }) => {
      progress('comparing what came back …');
      const { exact, wrong } = compare(wanted, openFolder(made.folder).actions.map(foundOf));
      return {
        injection: stage.injection,
        actions: { exact, of: wanted.length, wrong: wrong.slice(0, MOST_TOLD) },
        texts: textsByLayout(layouts, steps, wanted, new Set(wrong.map(({ wanted: one }) => one))),
        ...factsOf(made),
      };
    },
  );
}

function textsByLayout(
  layouts: readonly string[],
  steps: readonly ProveStep[],
  wanted: readonly Expected[],
  wrong: ReadonlySet<Expected | null>,
): ProofResult['texts'] {
  return layouts.flatMap((layout, index) => {
    const own = wanted.filter((_, i) => {
      const step = steps[i];
      return step?.do === 'type' && step.layout === index;
    });
    if (own.length === 0) return [];
    const right = own.filter((one) => !wrong.has(one) && one.text !== '');
    const characters = own.reduce((sum, { text }) => sum + [...(text ?? '')].length, 0);
    return { layout, exact: right.length, of: own.length, characters };
  });
}

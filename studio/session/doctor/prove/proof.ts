import type { SyncReport } from '../../../../schemas/recording.ts';
import type { DoctorCheck } from '../doctor.ts';
import type { Compared } from './steps.ts';

/** The report of `doctor --prove`. */
export type Proof = {
  schema: 'trajectory-studio/proof';
  version: 1;
  program: string;
  /** UTC. */
  at: string;
  system: { platform: string; release: string; arch: string; node: string; displays: string[] };
  /** The checks of doctor that are not ok, with what to do. */
  complaints: DoctorCheck[];
  /** Null with `failure` saying why nothing could be proved. */
  result: ProofResult | null;
  failure: string | null;
};

export type ProofResult = {
  /** How the inputs were made: by the system's own means, or (Wayland) by the person. */
  injection: string;
  /** With a person's own inputs, what was wrong is said in words. */
  actions: { exact: number; of: number; wrong: (Compared | string)[] };
  /** By layout: how many texts came back as the window was given them, and how many characters these were. */
  texts: { layout: string; exact: number; of: number; characters: number }[];
  sync: Omit<SyncReport, 'detail'> | null;
  frames: { fps: number; taken: number; dropped: number; late: number; looks: number };
  /** Cores in use by the recorder's own process (its encoder is another one), and the video's bytes a second. */
  cost: { cores: number | null; bytesPerSecond: number };
  capture: { grabber: string; mode: string; lossless: boolean; encoder: string };
  seconds: number;
};

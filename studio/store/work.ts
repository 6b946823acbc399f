import type { ErrorBody } from '../../schemas/errors.ts';

/**
 * Work that other processes do (workers), where the database can hand it out. Each piece belongs to the process that asked for it:
 * when that ends, nobody begins it any more, and who is at it stops.
 */
export type WorkQueue = {
  /** How many workers were there in the last seconds. */
  workers(): Promise<number>;
  put(asked: WorkPiece): Promise<void>;
  /** How they stand, by id; says too that whoever asked for them still waits. One that is gone is not in it. */
  look(ids: readonly string[]): Promise<Map<string, PieceState>>;
  /** Asks whoever works on it to stop. */
  stop(id: string): Promise<void>;
  /** Takes away what nobody has begun; false where somebody has. */
  takeBack(id: string): Promise<boolean>;
  forget(id: string): Promise<void>;
  /** The oldest that may be begun now, which is this worker's alone until it says nothing for a while; null: there is none. */
  claim(worker: string, tasks: readonly string[]): Promise<Claimed | null>;
  /** Says that it is still worked on. `lost`: another has it by now, and what comes of this one counts nothing. */
  beat(
    worker: string,
    piece: Claimed,
    at: { share: number; message: string | null },
  ): Promise<'go on' | 'stop' | 'lost'>;
  /** False when another has it by now. `again`: what failed passes by itself, and it is tried again after a while. */
  end(
    worker: string,
    piece: Claimed,
    outcome: { result: unknown } | { error: ErrorBody; again: boolean },
  ): Promise<boolean>;
  /** For another worker, at once. */
  giveBack(worker: string, piece: Claimed): Promise<void>;
  leave(worker: string): Promise<void>;
};

export type WorkPiece = { id: string; task: string; input: unknown };
export type Claimed = WorkPiece & { attempt: number };
export type PieceState =
  | { state: 'waiting' | 'running'; share: number; message: string | null }
  | { state: 'done'; result: unknown }
  | { state: 'failed'; error: ErrorBody };

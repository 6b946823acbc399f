/** How a feeder (feed.ts) writes into an encoder's pipe, with blocking writes straight from memory. */
export type FeedPipe = {
  /** Called before the first byte. False when the encoder will never read. */
  open(pipe: number): boolean;
  /** Writes all of it. False when the reader is gone or the write failed. */
  write(pipe: number, from: Buffer | bigint, bytes: number): boolean;
  /**
   * Hands the memory itself over, without a copy, where the system can: the last of it may still be read when this comes
   * back, so it must stay as it is until as many bytes were lent after it, or `drain` says so.
   */
  lend?: {
    /** Smaller pieces are written: one that was lent would not have pushed out the one before it. */
    least: number;
    write(pipe: number, from: bigint, bytes: number): boolean;
    /** Waits until the reader has taken everything, or is gone. False when it does not within two seconds. */
    drain(pipe: number): boolean;
  };
  /** The last failure as the system numbers it. */
  error(): number;
  close(pipe: number): void;
};

/** The pipe from the feeder to one encoder. */
export type EncoderPipe = {
  /** The feeder's end: a file descriptor, on Windows a handle. */
  write: number;
  /** The encoder's standard input. */
  stdin: number | 'ignore';
  /** Where the encoder reads, when that is not its standard input. */
  name?: string;
  /** Called when the encoder has been started: its end of the pipe is its own from now on. */
  handedOver(): void;
  /** Called when the encoder has ended: frees whoever still waits for it. */
  ended(): void;
};

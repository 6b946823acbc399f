/** Work on closed recordings that goes on beside the task that comes after. */
export type Beside = {
  begin(work: () => Promise<void>): void;
  /** Resolves when all that was begun until now is over. Throws the first that failed, however late it is asked. */
  done(): Promise<void>;
};

export function openBeside(): Beside {
  let going: Promise<void> = Promise.resolve();
  return {
    begin(work) {
      const all = [going, work()];
      // The end of all of it is waited for, also where one has failed.
      going = Promise.allSettled(all).then(async () => void (await Promise.all(all)));
      // It is looked at later: until then a failure must not end the process.
      going.catch(() => undefined);
    },
    done: () => going,
  };
}

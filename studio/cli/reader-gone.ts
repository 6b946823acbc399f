import { log } from '../../native/log/log.ts';

/**
 * A reader that has seen enough (`… | head`) is no error. Nobody can be told any more why the program ends, so the log is. What ends
 * with its terminal does so as then: a recording is closed, a server stops, and neither writes a word more. All else ends at once.
 */
export function endWithReader(): void {
  let gone = false;
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      // Each word that is written after it says so again.
      if (gone) return;
      gone = true;
      log.warn('nobody reads what is said', { name });
      if (process.listenerCount('SIGHUP') === 0) process.exit(0);
      process.emit('SIGHUP', 'SIGHUP');
    });
  }
}

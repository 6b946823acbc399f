/** Processor time of this process and its threads since its start, µs. */
export function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

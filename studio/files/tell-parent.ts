/** Sends a message to the process that started this one; resolves when it is on its way, or when that process is gone. */
export function tellParent(message: object | string): Promise<void> {
  return new Promise((done) => {
    if (!process.connected || !process.send) return done();
    process.send(message, () => done());
  });
}

import { createServer, connect as netConnect, type Socket } from 'node:net';

/** A wire between a program and a server that the test can cut: plain TCP, nothing of what goes through is looked at. */
export type CutWire = {
  port: number;
  /** Where it leads. */
  to(port: number): void;
  /** Cuts all connections after so many more bytes towards the server; Infinity: never. `times`: so often. */
  cutAfter(bytes: () => number, times: number): void;
  /** How often it has cut, and how many bytes went towards the server. */
  cuts(): number;
  bytes(): number;
  /** Refuses connections, or takes them again. */
  refuse(isDown: boolean): void;
  close(): Promise<void>;
};

export async function cutWire(): Promise<CutWire> {
  let target = 0;
  let left = Number.POSITIVE_INFINITY;
  let again: () => number = () => Number.POSITIVE_INFINITY;
  let times = 0;
  let cut = 0;
  let passed = 0;
  let isDown = false;
  const sockets = new Set<Socket>();
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((from) => {
    if (isDown) {
      from.destroy();
      return;
    }
    const to = netConnect(target, '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.on('error', () => other.destroy());
    }
    from.on('data', (data) => {
      passed += data.length;
      left -= data.length;
      to.write(left >= 0 ? data : data.subarray(0, Math.max(0, data.length + left)));
      if (left > 0 || times === 0) return;
      times--;
      cut++;
      left = times > 0 ? again() : Number.POSITIVE_INFINITY;
      cutAll();
    });
    to.on('data', (data) => from.write(data));
    from.on('end', () => to.end());
    to.on('end', () => from.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    to(port) {
      target = port;
    },
    cutAfter(bytes, howOften) {
      again = bytes;
      times = howOften;
      left = howOften > 0 ? bytes() : Number.POSITIVE_INFINITY;
    },
    cuts: () => cut,
    bytes: () => passed,
    refuse(down) {
      isDown = down;
      if (down) cutAll();
    },
    async close() {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

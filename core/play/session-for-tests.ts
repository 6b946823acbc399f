type Tab = { window: number; tab: number; place: number; urls: string[]; shown?: number; closed?: boolean };

/** A session as Chromium writes it. */
export function sessionOf(tabs: readonly Tab[]): Buffer {
  const command = (id: number, ...payload: Buffer[]): Buffer => {
    const body = Buffer.concat(payload);
    const head = Buffer.alloc(3);
    head.writeUInt16LE(body.length + 1);
    head[2] = id;
    return Buffer.concat([head, body]);
  };
  const numbers = (...all: number[]): Buffer => {
    const buffer = Buffer.alloc(4 * all.length);
    for (const [n, one] of all.entries()) buffer.writeInt32LE(one, 4 * n);
    return buffer;
  };
  const head = Buffer.from('SNSS\x03\0\0\0');
  const commands = tabs.flatMap(({ window, tab, place, urls, shown = 0, closed = false }) => [
    command(0, numbers(window, tab)),
    command(2, numbers(tab, place)),
    ...urls.map((url, n) =>
      command(6, numbers(12 + url.length, tab, n, url.length), Buffer.from(url), Buffer.alloc(8)),
    ),
    command(7, numbers(tab, shown)),
    ...(closed ? [command(16, numbers(tab, 0, 0))] : []),
  ]);
  return Buffer.concat([head, ...commands]);
}

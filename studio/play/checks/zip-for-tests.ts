import { crc32, deflateRawSync } from 'node:zlib';

/** A ZIP archive of these files. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const title = Buffer.from(name);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50);
    head.writeUInt16LE(8, 8);
    head.writeUInt32LE(crc32(bytes), 14);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(bytes.length, 22);
    head.writeUInt16LE(title.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50);
    head.copy(entry, 8, 6, 28);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt16LE(title.length, 28);
    entry.writeUInt32LE(at, 42);
    parts.push(head, title, packed);
    list.push(entry, title);
    at += head.length + title.length + packed.length;
  }
  const index = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, index, end]);
}

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';

/** X's word for any display on any machine (Xauth.h: FamilyWild). */
const ANY = 0xffff;
const METHOD = 'MIT-MAGIC-COOKIE-1';

/** Writes an Xauthority file with a new secret: only who may read it may use the display. */
export function writeAuthority(file: string): void {
  const field = (bytes: Buffer): Buffer => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const family = Buffer.alloc(2);
  family.writeUInt16BE(ANY);
  const [address, number] = [Buffer.alloc(0), Buffer.alloc(0)];
  const entry = [family, field(address), field(number), field(Buffer.from(METHOD)), field(randomBytes(16))];
  writeFileSync(file, Buffer.concat(entry), { mode: 0o600 });
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

/**
 * Draws the desktop app's icons from the SVG files in assets/icons (`node scripts/icons.mjs`): PNG for Linux, ICO for
 * Windows, ICNS for macOS, and the tray's. Both containers hold PNG files and are a table before them.
 */

const ICONS = join(dirname(dirname(fileURLToPath(import.meta.url))), 'assets', 'icons');
/** Up to this many px the simpler drawing is clearer. */
const SMALL = 48;

/** Drawn at its final size, not scaled: `density` is that of 72 for the units of the viewBox. */
const draw = (svg, size) => {
  const units = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
  return sharp(Buffer.from(svg), { density: Math.max(1, (72 * size) / units) })
    .resize(size, size)
    .png({ compressionLevel: 9 })
    .toBuffer();
};
const read = (name) => readFileSync(join(ICONS, name), 'utf8');
const write = (name, data) => writeFileSync(join(ICONS, name), data);

/** Windows: ICONDIR, then an entry of 16 bytes a picture; 256 px is written as 0. */
function ico(pictures) {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [i, { size, data }] of pictures.entries()) {
    const at = 6 + 16 * i;
    head[at] = size % 256;
    head[at + 1] = size % 256;
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(data.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += data.length;
  }
  return Buffer.concat([head, ...pictures.map(({ data }) => data)]);
}

/** macOS: `icns`, the length of all, then blocks of a type, their length and a PNG file. */
const ICNS_TYPES = { 16: 'icp4', 32: 'icp5', 64: 'icp6', 128: 'ic07', 256: 'ic08', 512: 'ic09', 1024: 'ic10' };
function icns(pictures) {
  const blocks = pictures.map(({ size, data }) => {
    const head = Buffer.alloc(8);
    head.write(ICNS_TYPES[size], 'ascii');
    head.writeUInt32BE(data.length + 8, 4);
    return Buffer.concat([head, data]);
  });
  const head = Buffer.alloc(8);
  head.write('icns', 'ascii');
  head.writeUInt32BE(8 + blocks.reduce((sum, block) => sum + block.length, 0), 4);
  return Buffer.concat([head, ...blocks]);
}

const at = async (large, small, sizes) =>
  Promise.all(sizes.map(async (size) => ({ size, data: await draw(size <= SMALL ? small : large, size) })));

async function drawAll() {
  const [large, small, archive] = [read('icon.svg'), read('icon-small.svg'), read('archive.svg')];
  const pictures = await at(large, small, [16, 24, 32, 48, 64, 128, 256, 512, 1024]);
  mkdirSync(join(ICONS, 'linux'), { recursive: true });
  // Named as desktops and the packager expect them.
  for (const { size, data } of pictures) write(`linux/${size}x${size}.png`, data);
  const sized = (...sizes) => pictures.filter(({ size }) => sizes.includes(size));
  write('icon.ico', ico(sized(16, 24, 32, 48, 64, 128, 256)));
  write('icon.icns', icns(sized(16, 32, 64, 128, 256, 512, 1024)));
  const files = await at(archive, archive, [16, 32, 48, 128, 256, 512]);
  write('archive.ico', ico(files.filter(({ size }) => size <= 256)));
  write('archive.icns', icns(files.filter(({ size }) => size in ICNS_TYPES)));
  for (const state of ['idle', 'recording', 'paused']) {
    const svg = read(`tray/${state}.svg`);
    write(`tray/${state}.png`, await draw(svg, 22));
    write(`tray/${state}@2x.png`, await draw(svg, 44));
    write(`tray/${state}.ico`, ico(await at(svg, svg, [16, 24, 32])));
    // macOS colours the menu bar's pictures itself: black, and what is clear stays clear.
    const black = svg.replaceAll(/#[0-9a-f]{6}/gi, '#000000');
    write(`tray/${state}Template.png`, await draw(black, 16));
    write(`tray/${state}Template@2x.png`, await draw(black, 32));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await drawAll();

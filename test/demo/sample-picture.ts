import sharp from 'sharp';

/** A small landscape for the demonstration to work on, so that the screen shows something: no file of others' needed. */
export async function drawSamplePicture(file: string): Promise<void> {
  const hill = (y: number, colour: string, bend: number) =>
    `<path d="M0 ${y} Q 160 ${y - bend} 320 ${y} T 640 ${y - bend / 3} V 420 H 0 Z" fill="${colour}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="420">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="#24406e"/><stop offset="0.6" stop-color="#e8936a"/><stop offset="1" stop-color="#f9d8a0"/>
    </linearGradient></defs>
    <rect width="640" height="420" fill="url(#sky)"/>
    <circle cx="450" cy="190" r="46" fill="#fff1c9"/>
    ${hill(270, '#7b5a78', 70)}${hill(320, '#4d4468', 50)}${hill(370, '#272a4a', 40)}
  </svg>`;
  await sharp(Buffer.from(svg)).png().toFile(file);
}

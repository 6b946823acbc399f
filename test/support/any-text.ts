import fc from 'fast-check';

/** Any code point but halves of surrogate pairs. */
const unit = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800));

/**
 * Any well-formed text, and now and then a word that trips programs ("__proto__"). As `fc.string({ unit: 'binary' })`, which
 * makes a list of all code points first: a second of a processor in each process that asks for it.
 */
export const anyText = (limits: fc.StringConstraints = {}): fc.Arbitrary<string> =>
  fc.oneof({ weight: 4, arbitrary: fc.string({ ...limits, unit }) }, { weight: 1, arbitrary: fc.string(limits) });

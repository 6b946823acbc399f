import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readBounded } from '../../../studio/files/bounded.ts';
import { readRgb } from '../../../studio/files/picture.ts';
import { textOn } from '../../../studio/play/checks/shown.ts';
import { studioMust } from '../../support/cli.ts';
import { click, press, type Step, type } from '../../support/person.ts';
import { filesWith } from '../../support/private.ts';
import { formRecipe } from './chromium.ts';
import { checksOf, type Demonstration } from './kinds.ts';
import { recordOnly } from './stage.ts';

/** Fifty secrets, ten a recording: most are typed into fields that hide them, ten where everybody can read them. */

const FIELDS = [
  'Password',
  'New password',
  'Passphrase',
  'PIN',
  'Secret',
  'API key',
  'Token',
  'Passcode',
  'PIN 2',
  'Key',
];
const FORMS = 5;
/** Long, and of letters that a reader of pictures does not take for others. */
const secretOf = (form: number, field: number): string =>
  `wex${'abdhkmnrtx'[field]}${'uvy'[form % 3]}mar${form}${field}kdu`;

function formOf(form: number): { demonstration: Demonstration; secrets: string[] } {
  const isHidden = form > 0;
  const fields = FIELDS.map(
    (name, n) =>
      `<label style="height:26px">${isHidden ? name : `Secret ${n}`}<input style="position:absolute;left:260px" size="30" type="${isHidden ? 'password' : 'text'}"></label>`,
  ).join('\n');
  const secrets = FIELDS.map((_, field) => secretOf(form, field));
  const steps = secrets.flatMap((secret, n): Step[] => [click(400, 195 + n * 40), type(secret)]);
  return {
    secrets,
    demonstration: {
      name: `secrets ${form}`,
      app: 'chromium',
      goal: `Fill in form ${form}, beginning with ${secrets[0]}`,
      recipe: formRecipe('Sign in', `<form onsubmit="return false">${fields}</form>`),
      steps: [...steps, press('Tab')],
      checks: checksOf({ id: 'shown', kind: 'window', title: 'Sign in' }),
      relabelled: null,
      saves: null,
    },
  };
}

export type Secrets = {
  planted: number;
  placeholders: number;
  inTexts: string[];
  inPictures: string[];
  pictures: number;
};

/** Records the forms, exports each as a skill, and looks for what was typed in every text and picture. */
export async function trySecrets(root: string, material: string, said: (what: string) => void): Promise<Secrets> {
  const all: Secrets = { planted: 0, placeholders: 0, inTexts: [], inPictures: [], pictures: 0 };
  for (let form = 0; form < FORMS; form++) {
    said(`secrets: form ${form + 1} of ${FORMS}`);
    const workspace = path.join(root, `secrets-${form}`);
    const { demonstration, secrets } = formOf(form);
    const { folder } = await recordOnly(demonstration, material, workspace, null, { elements: true });
    const out = path.join(root, `skills-secrets-${form}`);
    const where = ['--workspace', workspace];
    const exported = await studioMust(['export', 'skill', path.basename(folder), '--out', out, '--json', ...where]);
    const { skills } = z
      .object({ skills: z.array(z.object({ name: z.string(), inputs: z.array(z.object({ kind: z.string() })) })) })
      .parse(exported.json);
    all.planted += secrets.length;
    all.placeholders += skills[0]?.inputs.filter(({ kind }) => kind === 'secret').length ?? 0;
    for (const secret of secrets)
      if (skills[0]?.name.includes(secret) || filesWith(out, secret).length > 0)
        all.inTexts.push(`${secret}, form ${form}`);
    const pictures = (fs.readdirSync(out, { recursive: true }) as string[]).filter((file) => file.endsWith('.png'));
    all.pictures += pictures.length;
    for (const picture of pictures) {
      const text = (await textOn(await readRgb(readBounded(path.join(out, picture), 32_000_000)), 'eng')).toLowerCase();
      for (const secret of secrets) if (text.includes(secret)) all.inPictures.push(`${secret} in ${picture}`);
    }
  }
  return all;
}

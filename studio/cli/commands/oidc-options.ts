import { readFileSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import { DOMAIN_ROLES } from '../../../schemas/team-terms.ts';
import { issuerOf, type OidcWishes } from '../../api/members/oidc.ts';
import { wrongValue } from '../values.ts';
import { collect } from './options.ts';

/** Options of `serve --team` for signing in by OpenID Connect. */

export type OidcOptions = {
  oidc?: string;
  client?: string;
  oidcSecretFile?: string;
  oidcName?: string;
  oidcDomain: string[];
  oidcRole?: string;
};

const SECRET_VARIABLE = 'TRAJECTORY_STUDIO_OIDC_SECRET';
const MOST_SECRET = 4096;

export function addOidcOptions(command: Command): void {
  command
    .option('--oidc <issuer>', 'with --team: people sign in at this service too, by OpenID Connect')
    .option('--client <id>', 'with --oidc: the id under which this server is registered there')
    .option(
      '--oidc-secret-file <file>',
      `with --oidc: where the client's secret is (or ${SECRET_VARIABLE}); left out for a public client`,
    )
    .option('--oidc-name <name>', "with --oidc: the service as its button calls it (default: the issuer's host)")
    .option(
      '--oidc-domain <domain>',
      'with --oidc: whoever has a verified address there needs no invitation; may be given several times',
      collect,
      [],
    )
    .option('--oidc-role <role>', `with --oidc-domain: as what, ${DOMAIN_ROLES.join(', ')} (default: annotator)`);
}

/** The first option of these that was given; null: none. */
export function oidcOptionIn(options: OidcOptions): string | null {
  if (options.oidc !== undefined) return '--oidc';
  if (options.client !== undefined) return '--client';
  if (options.oidcSecretFile !== undefined) return '--oidc-secret-file';
  if (options.oidcName !== undefined) return '--oidc-name';
  if (options.oidcDomain.length > 0) return '--oidc-domain';
  return options.oidcRole === undefined ? null : '--oidc-role';
}

/** Null: people sign in with passwords alone. Throws USAGE; BAD_FILE for the secret's file. */
export function oidcWishes(options: OidcOptions): OidcWishes | null {
  const { oidc, client, oidcSecretFile: file, oidcName, oidcDomain, oidcRole } = options;
  if (oidc === undefined) {
    const given = oidcOptionIn(options);
    if (given === null) return null;
    throw new StudioError('USAGE', `${given} says more about a service: name it with --oidc https://id.lab.org.`, {});
  }
  if (client === undefined)
    throw new StudioError('USAGE', `Say the id under which ${oidc} knows this server: --client <id>.`, {});
  const issuer = issuerOf(oidc);
  if (oidcRole !== undefined && oidcDomain.length === 0)
    throw new StudioError('USAGE', '--oidc-role is for those of a domain: give --oidc-domain lab.org too.', {});
  const role = DOMAIN_ROLES.find((one) => one === (oidcRole ?? 'annotator'));
  if (role === undefined) {
    throw wrongValue(
      '--oidc-role',
      oidcRole ?? '',
      `${DOMAIN_ROLES.join(', ')}; managers and owners are invited by name`,
    );
  }
  const secret = file === undefined ? (process.env[SECRET_VARIABLE] ?? null) : secretIn(file);
  // Processes that this one starts have no business with it.
  delete process.env[SECRET_VARIABLE];
  const name = (oidcName ?? issuer.host).trim().slice(0, 60);
  return { issuer, client, secret: secret || null, name, domains: oidcDomain.map(domainOf), role };
}

function domainOf(text: string): string {
  const domain = text.trim().toLowerCase().replace(/^@/, '');
  if (/^[^\s@<>"/.]+(\.[^\s@<>"/.]+)+$/.test(domain)) return domain;
  throw wrongValue('--oidc-domain', text, 'a domain such as lab.org');
}

/** The first line. */
function secretIn(file: string): string {
  try {
    if (statSync(file).size > MOST_SECRET) throw new Error(`it is longer than ${MOST_SECRET} bytes`);
    const secret = readFileSync(file, 'utf8').split('\n', 1)[0]!.trim();
    if (secret === '') throw new Error('it is empty');
    return secret;
  } catch (error) {
    throw new StudioError(
      'BAD_FILE',
      `--oidc-secret-file: ${file} cannot be read: ${whyNot(error)}. It holds the client's secret on its first line.`,
      { file },
      { cause: error },
    );
  }
}

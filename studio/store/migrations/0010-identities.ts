import { keyColumn, referringColumn, textColumns } from './columns.ts';
import type { Migration } from './migration.ts';

/** Accounts of a sign-in service (OpenID Connect) by which members came in. */
export const identities: Migration = {
  version: 10,
  name: 'identities',
  statements: ({ schema }) => [
    schema
      .createTable('identities')
      .$call(keyColumn('id'))
      .$call(referringColumn('member_id', 'members.id'))
      .$call(textColumns('issuer', 'created_at'))
      .compile(),
    schema.createIndex('identities_by_member').on('identities').column('member_id').compile(),
  ],
};

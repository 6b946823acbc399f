import { keyColumn, openColumns, openReference, referringColumn, textColumns } from './columns.ts';
import type { Migration } from './migration.ts';

/**
 * A team that signs in: which people are members and as what, their sessions, invitations and tokens. Of every secret a hash
 * alone. Rows of members stay when they leave, so that the log of their work has a name.
 */
export const team: Migration = {
  version: 9,
  name: 'team',
  statements: ({ schema }) => [
    schema
      .createTable('members')
      .addColumn('id', 'text', (column) => column.primaryKey().references('people.id'))
      .$call(textColumns('email', 'role', 'settings', 'created_at'))
      .$call(openColumns('password', 'left_at'))
      .addUniqueConstraint('members_by_email', ['email'])
      .compile(),
    schema
      .createTable('sessions')
      .$call(keyColumn('id'))
      .$call(referringColumn('member_id', 'members.id'))
      .$call(textColumns('hash', 'created_at', 'seen_at', 'ends_at'))
      .addUniqueConstraint('sessions_by_hash', ['hash'])
      .compile(),
    schema
      .createTable('invitations')
      .$call(keyColumn('id'))
      .$call(textColumns('hash', 'email', 'name', 'role', 'created_at', 'ends_at'))
      .$call(openReference('person_id', 'people.id'))
      .$call(openColumns('created_by', 'used_at'))
      .addUniqueConstraint('invitations_by_hash', ['hash'])
      .compile(),
    schema
      .createTable('tokens')
      .$call(keyColumn('id'))
      .$call(referringColumn('member_id', 'members.id'))
      .$call(textColumns('hash', 'name', 'scopes', 'created_at', 'ends_at'))
      .$call(openColumns('used_at'))
      .addUniqueConstraint('tokens_by_hash', ['hash'])
      .compile(),
    schema.createIndex('sessions_by_member').on('sessions').column('member_id').compile(),
    schema.createIndex('tokens_by_member').on('tokens').column('member_id').compile(),
  ],
};

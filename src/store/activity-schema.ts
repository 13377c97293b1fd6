import { type Generated, sql, type Transaction } from 'kysely';
import { type VersionTable, required, type SchemaPart } from './migrate.ts';
import { isPostgres } from './engine.ts';

/**
 * Tables of the activity database: who did what, and who was seen. No decision depends on it, so a write here clears nothing
 * that is remembered of the accounts. Times are seconds since the epoch.
 */
export interface ActivityTables extends VersionTable {
  readonly audit_records: AuditRecordsTable;
  readonly seen_sessions: SeenSessionsTable;
  readonly api_token_uses: ApiTokenUsesTable;
  readonly share_openings: ShareOpeningsTable;
  readonly pairing_codes: PairingCodesTable;
  readonly watched: WatchedTable;
  readonly recorder_cameras: RecorderCamerasTable;
}

/** Rows are added, and deleted by age; none is ever changed. */
interface AuditRecordsTable {
  /** Grows with every record; no number is used twice. */
  record_id: Generated<number>;
  /** Has fractions of a second. */
  recorded_at: number;
  event: string;
  /** Decides how long it is kept: `account` by age, `session` and `refusal` by number too. */
  kind: 'account' | 'session' | 'refusal';
  /** `success` or `failure`. */
  result: string;
  /** Who did it; null if unknown. */
  username: string | null;
  role: string | null;
  /** How the user was identified. */
  source: string | null;
  /** The client's address; null if there is none. */
  address: string | null;
  /** The object of the event: a name or an id. */
  object: string | null;
  reason: string | null;
  /** Id of the decision. */
  decision: string | null;
  /** JSON object with further details. */
  detail: string | null;
}

interface SeenSessionsTable {
  /** `sid` of the tokens. */
  session_id: string;
  username: string;
  /** The user's session generation in the token seen last; null if it carried none. */
  session_generation: string | null;
  began_at: number;
  last_seen_at: number;
  /** When the last token seen expires. */
  expires_at: number;
  /** The client's address when it was last seen. */
  address: string | null;
  /** `User-Agent`, when it was last seen. */
  agent: string | null;
}

interface ApiTokenUsesTable {
  token_id: string;
  last_used_at: number;
  address: string | null;
}

interface ShareOpeningsTable {
  share_id: string;
  openings: number;
  last_opened_at: number;
  /** The address of the client that opened it last. */
  address: string | null;
}

/** Codes that screens show until a user approves them (RFC 8628). One that is lost is asked for again. */
interface PairingCodesTable {
  /** SHA-256 of the device code, hexadecimal. */
  device_hash: string;
  user_code: string;
  /** The screen's address. */
  address: string;
  /** The same as the limit of open codes counts it. */
  network: string;
  /** The /56 or IPv4 /24 around it: a home, or a customer. */
  site: Generated<string>;
  /** The /48 or IPv4 /24 around it. */
  region: Generated<string>;
  /** `User-Agent` of the screen. */
  agent: string | null;
  created_at: number;
  expires_at: number;
  /** When the screen asked last, in milliseconds since the epoch. */
  polled_at: number;
  /** Seconds that the screen has to wait between two questions. */
  poll_interval: number;
  /** 1: a user has refused it. */
  denied: Generated<number>;
}

/** Who watched what: a row for each stretch, changed while it lasts. */
interface WatchedTable {
  watch_id: string;
  username: string;
  /** How the user was identified. */
  source: string;
  /** Id of the session, API token, display or share; null for an identity that the gate did not issue. */
  by_id: string | null;
  /** The client's address. */
  address: string;
  camera: string;
  kind: 'live' | 'recorded';
  began_at: number;
  /** When it was last asked for. */
  ended_at: number;
  /** The time of the recordings; 0: live, or unknown. */
  footage_from: number;
  footage_to: number;
}

/** Cameras that the recorder's configuration has, or had. Its versions are counted: each with other cameras than the one before is a new one. */
interface RecorderCamerasTable {
  camera: string;
  /** The version in which it appeared, after it was missing. */
  appeared: number;
  /** The last version that has it. */
  seen: number;
}

export const activity: SchemaPart = {
  name: 'activity',
  steps: [createTables, addNetworks, addRecorderCameras],
  usableFrom: 1,
  mark: { applicationId: 0x50_73_74_02, tableOfRelease: 'watched' },
};

const recordsStay = `CREATE TRIGGER audit_records_stay BEFORE UPDATE ON audit_records
      BEGIN SELECT RAISE(ABORT, 'audit records are never changed'); END`;
const recordsStayInPostgres = [
  `CREATE FUNCTION audit_records_stay() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'audit records are never changed'; END $$`,
  'CREATE TRIGGER audit_records_stay BEFORE UPDATE ON audit_records EXECUTE FUNCTION audit_records_stay()',
];

async function createTables(transaction: Transaction<VersionTable>): Promise<void> {
  const { schema } = transaction;
  await schema
    .createTable('audit_records')
    .addColumn('record_id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('recorded_at', 'double precision', required)
    .addColumn('event', 'varchar(64)', required)
    .addColumn('kind', 'varchar(16)', required)
    .addColumn('result', 'varchar(16)', required)
    .addColumn('username', 'varchar(256)')
    .addColumn('role', 'varchar(64)')
    .addColumn('source', 'varchar(16)')
    .addColumn('address', 'varchar(64)')
    .addColumn('object', 'varchar(512)')
    .addColumn('reason', 'varchar(64)')
    .addColumn('decision', 'varchar(64)')
    .addColumn('detail', 'text')
    .execute();
  for (const columns of [
    ['recorded_at'],
    ['event', 'recorded_at'],
    ['username', 'recorded_at'],
    ['address', 'recorded_at'],
    ['result', 'recorded_at'],
    ['kind'],
  ]) {
    await schema
      .createIndex(`audit_records_${columns[0]}`)
      .on('audit_records')
      .columns([...columns, 'record_id'])
      .execute();
  }
  for (const statement of isPostgres(transaction) ? recordsStayInPostgres : [recordsStay])
    await sql.raw(statement).execute(transaction);
  await schema
    .createTable('seen_sessions')
    .addColumn('session_id', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('username', 'varchar(64)', required)
    .addColumn('session_generation', 'varchar(64)')
    .addColumn('began_at', 'bigint', required)
    .addColumn('last_seen_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('address', 'varchar(64)')
    .addColumn('agent', 'varchar(256)')
    .execute();
  await schema
    .createIndex('seen_sessions_username')
    .on('seen_sessions')
    .columns(['username', 'last_seen_at', 'session_id'])
    .execute();
  await schema
    .createIndex('seen_sessions_last_seen_at')
    .on('seen_sessions')
    .columns(['last_seen_at', 'session_id'])
    .execute();
  await schema.createIndex('seen_sessions_expires_at').on('seen_sessions').columns(['expires_at']).execute();
  await schema
    .createTable('api_token_uses')
    .addColumn('token_id', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('last_used_at', 'bigint', required)
    .addColumn('address', 'varchar(64)')
    .execute();
  await schema
    .createTable('share_openings')
    .addColumn('share_id', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('openings', 'integer', required)
    .addColumn('last_opened_at', 'bigint', required)
    .addColumn('address', 'varchar(64)')
    .execute();
  await schema
    .createTable('pairing_codes')
    .addColumn('device_hash', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('user_code', 'varchar(16)', (column) => column.notNull().unique())
    .addColumn('address', 'varchar(64)', required)
    .addColumn('network', 'varchar(64)', required)
    .addColumn('agent', 'varchar(256)')
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('polled_at', 'bigint', required)
    .addColumn('poll_interval', 'integer', required)
    .addColumn('denied', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema
    .createTable('watched')
    .addColumn('watch_id', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('username', 'varchar(256)', required)
    .addColumn('source', 'varchar(16)', required)
    .addColumn('by_id', 'varchar(64)')
    .addColumn('address', 'varchar(64)', required)
    .addColumn('camera', 'varchar(255)', required)
    .addColumn('kind', 'varchar(16)', required)
    .addColumn('began_at', 'bigint', required)
    .addColumn('ended_at', 'bigint', required)
    .addColumn('footage_from', 'bigint', required)
    .addColumn('footage_to', 'bigint', required)
    .execute();
  for (const columns of [
    ['began_at', 'watch_id'],
    ['username', 'began_at'],
    ['camera', 'began_at'],
    ['ended_at'],
  ])
    await schema.createIndex(`watched_${columns[0]}`).on('watched').columns(columns).execute();
}

/** Networks around the one of a screen, by which open pairing codes are limited too. */
async function addNetworks({ schema }: Transaction<VersionTable>): Promise<void> {
  for (const name of ['site', 'region'])
    await schema
      .alterTable('pairing_codes')
      .addColumn(name, 'varchar(64)', (column) => column.notNull().defaultTo(''))
      .execute();
}

async function addRecorderCameras({ schema }: Transaction<VersionTable>): Promise<void> {
  await schema
    .createTable('recorder_cameras')
    .addColumn('camera', 'text', (column) => column.primaryKey())
    .addColumn('appeared', 'bigint', required)
    .addColumn('seen', 'bigint', required)
    .execute();
}

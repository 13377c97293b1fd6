import type { Generated } from 'kysely';

/** Tables that several processes need; only in PostgreSQL. */
export interface SharingTables {
  readonly store_version: StoreVersionTable;
  readonly custom_roles: CustomRolesTable;
  readonly failure_windows: FailureWindowsTable;
  readonly recorder_writers: RecorderWritersTable;
  readonly recorder_roles: RecorderRolesTable;
}

/** One row. */
interface StoreVersionTable {
  /** Raised by every change, in its transaction. */
  version: number;
  /** What `version` was after the last change of a custom role. */
  roles: number;
}

/** Which process writes custom roles to a recorder. */
interface RecorderWritersTable {
  /** Its address. */
  recorder: string;
  holder: string;
  /** After that, another process may. */
  until: Date;
}

/** Custom roles that the gates have written to a recorder. */
interface RecorderRolesTable {
  recorder: string;
  role: string;
}

/** Custom roles made in the UI; those of config.yml are not here. */
interface CustomRolesTable {
  name: string;
  /** JSON list of camera names. */
  cameras: string;
  /** The schedule as a JSON object; null: always valid. */
  access_window: Generated<string | null>;
  /** Grows with each new role. */
  position: Generated<number>;
}

/** Counts of the limits. They raise no version, since no decision uses them. */
interface FailureWindowsTable {
  /** Of the rule. */
  name: string;
  /** Whose attempts: an address, or a user. */
  key: string;
  /** When the window is over, in milliseconds since the epoch by the clock of PostgreSQL. */
  ends: number;
  count: number;
}

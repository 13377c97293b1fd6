import type { Generated } from 'kysely';

/** Tables that several processes need, with PostgreSQL alone. */
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
  /** Then another one may. */
  until: Date;
}

/** Custom roles that the gates have at a recorder. */
interface RecorderRolesTable {
  recorder: string;
  role: string;
}

/** Custom roles that were made in the UI; those of config.yml are not here. */
interface CustomRolesTable {
  name: string;
  /** JSON list of camera names. */
  cameras: string;
  /** JSON object that says when the role is good; null: always. */
  access_window: Generated<string | null>;
  /** Grows with each role that is made. */
  position: Generated<number>;
}

/** What limits have counted: it raises no version, since no decision is made by it. */
interface FailureWindowsTable {
  /** Of the rule. */
  name: string;
  /** Whose attempts they are: an address, or a user. */
  key: string;
  /** When the window is over, in milliseconds since the epoch by the clock of PostgreSQL. */
  ends: number;
  count: number;
}

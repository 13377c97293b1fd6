import type { Generated } from 'kysely';

/** Tables that several processes need; only in PostgreSQL. */
export interface SharingTables {
  readonly store_version: StoreVersionTable;
  readonly custom_roles: CustomRolesTable;
  readonly camera_groups: CameraGroupsTable;
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

/** Custom roles made in the UI, and `viewer` if it was narrowed there; those of config.yml are not here. */
interface CustomRolesTable {
  name: string;
  /** JSON list of camera names. */
  cameras: string;
  /** An entry of `auth.role_access` as a JSON object; null: the default. */
  access: Generated<string | null>;
  /** Grows with each new role. */
  position: Generated<number>;
}

/** Camera groups made in the UI; those of config.yml are not here. */
interface CameraGroupsTable {
  name: string;
  /** JSON list of camera names. */
  cameras: string;
  /** Grows with each new group. */
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

import type { Generated } from 'kysely';

/** Tables that several processes need, with PostgreSQL alone. */
export interface SharingTables {
  readonly store_version: StoreVersionTable;
  readonly custom_roles: CustomRolesTable;
}

/** One row. */
interface StoreVersionTable {
  /** Raised by every change, in its transaction. */
  version: number;
  /** What `version` was after the last change of a custom role. */
  roles: number;
}

/** Custom roles that were made in the UI; those of config.yml are not here. */
interface CustomRolesTable {
  name: string;
  /** JSON list of camera names. */
  cameras: string;
  /** Grows with each role that is made. */
  position: Generated<number>;
}

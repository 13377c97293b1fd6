import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, onTestFinished } from 'vitest';
import type { Activity, Store, VersionedStore } from '../../../src/store/store.ts';
import { unconditional } from '../../../src/store/permit.ts';
import type { SharedStore } from '../../../src/store/postgres/open-store.ts';
import {
  activityPath,
  openActivity,
  openVersionedStore,
  storePath,
} from '../../../src/store/sqlite/open-store.ts';

/** A directory that is deleted with the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'postern-unit-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A database on disk that is deleted with the test. */
export async function temporaryStore(directory = temporaryDirectory()): Promise<Store> {
  return (await temporaryVersionedStore(directory)).store;
}

/** The same with its version. */
export async function temporaryVersionedStore(directory = temporaryDirectory()): Promise<VersionedStore> {
  if (shared !== undefined) return shared();
  const versioned = await openVersionedStore(storePath(directory), 5_000);
  onTestFinished(() => versioned.store.destroy());
  return versioned;
}

/** An activity database on disk that is deleted with the test. */
export async function temporaryActivity(directory = temporaryDirectory()): Promise<Activity> {
  if (shared !== undefined) return (await shared()).activity;
  const activity = await openActivity(activityPath(directory), 100);
  onTestFinished(() => activity.destroy());
  return activity;
}

/** Returns the PostgreSQL store, empty for each test; undefined: the stores are files. */
let shared: (() => Promise<SharedStore>) | undefined;

/** Whether this file's tests run on PostgreSQL. */
export function isOnPostgres(): boolean {
  return shared !== undefined;
}

/** For the rest of this file, temporary stores are in PostgreSQL: one per test, however often it opens it. */
export function useStoreOfPostgres(opening: () => Promise<SharedStore>): void {
  let opened: Promise<SharedStore> | undefined;
  let isTaken = false;
  shared = async () => {
    const store = await (opened ??= opening());
    if (isTaken) return store;
    isTaken = true;
    onTestFinished(() => {
      isTaken = false;
    });
    await store.store.change(unconditional, (on) =>
      sql.raw(`TRUNCATE ${tables} RESTART IDENTITY CASCADE`).execute(on),
    );
    return store;
  };
  // The next file in this process uses files again.
  afterAll(() => {
    shared = undefined;
  });
}

const tables =
  'users, stops, shares, share_openings, used_once, revoked_sessions, api_tokens, forgotten_revocations, first_run, last_pruning, trusted_time, invitations, personal_roles, former_credentials, pairing_codes, custom_roles, failure_windows, outbox, push_keys, watched, audit_records, seen_sessions, api_token_uses';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Activity, Store, VersionedStore } from '../../../src/store/store.ts';
import {
  activityPath,
  openActivity,
  openVersionedStore,
  storePath,
} from '../../../src/store/sqlite/open-store.ts';

/** A directory that goes with the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'postern-unit-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A database of our own on disk, that goes with the test. */
export async function temporaryStore(directory = temporaryDirectory()): Promise<Store> {
  return (await temporaryVersionedStore(directory)).store;
}

/** The same with its version. */
export async function temporaryVersionedStore(directory = temporaryDirectory()): Promise<VersionedStore> {
  const versioned = await openVersionedStore(storePath(directory), 5_000);
  onTestFinished(() => versioned.store.destroy());
  return versioned;
}

/** An activity database on disk, that goes with the test. */
export async function temporaryActivity(directory = temporaryDirectory()): Promise<Activity> {
  const activity = await openActivity(activityPath(directory), 100);
  onTestFinished(() => activity.destroy());
  return activity;
}

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as v from 'valibot';
import { giveToOwner } from '../../config/own-files.ts';
import { pendingRestore } from '../sqlite/directory-lock.ts';
import { isInside } from './contents.ts';
import { syncDirectory } from './files.ts';
import { readText } from '../../config/read-file.ts';

const planName = 'plan.json';

// Below the configuration directory; its contents do not count until committed.
const staging = 'restore.unfinished';

const below = v.pipe(
  v.string(),
  v.check((path) => isInside('/directory', join('/directory', path)), 'leads out of the directory'),
);
const planSchema = v.strictObject({
  /** Path of the backup. */
  source: v.string(),
  /** Where the replaced files are kept, below the configuration directory. */
  kept: below,
  /** `staged` is a name below the staging directory; without it the target is only moved away. */
  replacements: v.array(v.strictObject({ staged: v.optional(below), target: below })),
});

export type Plan = v.InferOutput<typeof planSchema>;

/** Makes an empty staging directory; remains of an earlier attempt are deleted. @returns its path */
export function beginStaging(directory: string): string {
  const path = join(directory, staging);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { mode: 0o700 });
  return path;
}

export function dropStaging(directory: string): void {
  rmSync(join(directory, staging), { recursive: true, force: true });
}

/**
 * Commits to replacing the files. From here on the restore is finished, by this process or by the next one that is asked to;
 * until then no one opens the databases of the directory.
 */
export function commitTo(directory: string, plan: Plan): void {
  const path = join(directory, staging);
  writeFileSync(join(path, planName), JSON.stringify(plan), { mode: 0o600, flush: true });
  syncDirectory(path);
  renameSync(path, join(directory, pendingRestore));
  syncDirectory(directory);
}

/** @returns the plan of an interrupted restore, or `undefined` */
export function pendingPlan(directory: string): Plan | undefined {
  const file = join(directory, pendingRestore, planName);
  if (!existsSync(file)) return undefined;
  return v.parse(planSchema, JSON.parse(readText(file)));
}

/**
 * Moves all files into place, however much of that was done before. Replaced files are moved to `plan.kept`.
 * @throws the system's error, after everything was put back
 */
export function carryOut(directory: string, plan: Plan): void {
  try {
    for (const replacement of plan.replacements) put(wayOf(directory, plan, replacement), directory);
  } catch (error) {
    for (const replacement of plan.replacements.toReversed()) takeBack(wayOf(directory, plan, replacement));
    finish(directory);
    throw error;
  }
  syncDirectory(directory);
  finish(directory);
}

interface Way {
  readonly staged: string | undefined;
  readonly target: string;
  readonly kept: string;
}

function wayOf(directory: string, plan: Plan, { staged, target }: Plan['replacements'][number]): Way {
  return {
    staged: staged === undefined ? undefined : join(directory, pendingRestore, staged),
    target: join(directory, target),
    kept: join(directory, plan.kept, target),
  };
}

function put({ staged, target, kept }: Way, directory: string): void {
  const isDone = staged === undefined ? existsSync(kept) : !existsSync(staged);
  if (isDone) return;
  if (existsSync(target) && !existsSync(kept)) {
    makeDirectories(directory, dirname(kept));
    renameSync(target, kept);
  }
  if (staged === undefined) return;
  makeDirectories(directory, dirname(target));
  renameSync(staged, target);
}

function takeBack({ staged, target, kept }: Way): void {
  if (staged !== undefined && !existsSync(staged) && existsSync(target)) renameSync(target, staged);
  if (existsSync(kept)) renameSync(kept, target);
}

/** Removes the pending mark first, because removing the staged files takes longer. */
function finish(directory: string): void {
  dropStaging(directory);
  renameSync(join(directory, pendingRestore), join(directory, staging));
  syncDirectory(directory);
  dropStaging(directory);
}

/** Makes missing directories, with the owner of the configuration directory. */
function makeDirectories(directory: string, path: string): void {
  const way = relative(directory, path);
  let at = directory;
  for (const part of way.split('/').filter((name) => name !== '')) {
    at = join(at, part);
    if (existsSync(at)) continue;
    mkdirSync(at, { mode: 0o700 });
    giveToOwner(directory, at);
  }
}

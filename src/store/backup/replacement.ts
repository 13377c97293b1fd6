import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as v from 'valibot';
import { giveToOwner } from '../../config/file-owner.ts';
import { pendingRestore } from '../sqlite/directory-lock.ts';
import { isInside } from './contents.ts';
import { syncDirectory } from './files.ts';

const planName = 'plan.json';

// Below the configuration directory; what is in it never counted.
const staging = 'restore.unfinished';

const below = v.pipe(
  v.string(),
  v.check((path) => isInside('/directory', join('/directory', path)), 'leads out of the directory'),
);
const planSchema = v.strictObject({
  /** Of the backup. */
  source: v.string(),
  /** Where what was there goes to, below the configuration directory. */
  kept: below,
  /** `staged` is a name below the staging directory; without it what is there only goes. */
  replacements: v.array(v.strictObject({ staged: v.optional(below), target: below })),
});

export type Plan = v.InferOutput<typeof planSchema>;

/** Makes an empty directory for what is to come; what an earlier attempt left there goes. @returns its path */
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
 * What is staged shall take its place. From here on the restore is finished, by this process or by the next that is asked to:
 * until then nobody opens the databases of the directory.
 */
export function commitTo(directory: string, plan: Plan): void {
  const path = join(directory, staging);
  writeFileSync(join(path, planName), JSON.stringify(plan), { mode: 0o600, flush: true });
  syncDirectory(path);
  renameSync(path, join(directory, pendingRestore));
  syncDirectory(directory);
}

/** @returns the plan of a restore that was cut off, or undefined */
export function pendingPlan(directory: string): Plan | undefined {
  const file = join(directory, pendingRestore, planName);
  if (!existsSync(file)) return undefined;
  return v.parse(planSchema, JSON.parse(readFileSync(file, 'utf8')));
}

/**
 * Puts everything in its place, whatever was done of it before. What was there is moved to `plan.kept`.
 * @throws the system's error, after everything was put back as it was
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

/** What is pending stops being so at once; to remove it takes longer. */
function finish(directory: string): void {
  dropStaging(directory);
  renameSync(join(directory, pendingRestore), join(directory, staging));
  syncDirectory(directory);
  dropStaging(directory);
}

/** Makes the directories that are missing, for whom the configuration directory belongs to. */
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

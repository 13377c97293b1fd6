import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { logLevels } from './log-levels.ts';
import { nearestOf } from './nearest.ts';
import type { Environment } from './given-secret.ts';

/** @returns warnings about what is around the text of config.yml: its place, its mode, and the environment */
export function warningsAround(
  environment: Environment,
  directory: string,
  fileFound: boolean,
): readonly string[] {
  return [
    ...(fileFound ? warningsOfMode(join(directory, 'config.yml')) : warningsOfName(directory)),
    ...warningsOfLevel(environment['LOG_LEVEL']),
  ];
}

/** A file beside a missing config.yml was probably meant to be it. */
function warningsOfName(directory: string): readonly string[] {
  const misnamed = filesIn(directory).find((name) => /^config\.ya?ml(?:\.txt)?$/i.test(name));
  if (misnamed === undefined) return [];
  return [`${misnamed} is not read: Postern reads config.yml only, which is missing. Rename the file`];
}

function filesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function warningsOfMode(file: string): readonly string[] {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o002) === 0) return [];
  return [
    `${basename(file)} can be changed by every user of this machine, who can become admin: chmod o-w ${file}`,
  ];
}

function warningsOfLevel(level: string | undefined): readonly string[] {
  if (level === undefined || level === '' || logLevels.some((name) => name === level)) return [];
  const lower = level.toLowerCase();
  const meant = logLevels.find((name) => lower.startsWith(name)) ?? nearestOf(level, logLevels);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return [
    `LOG_LEVEL is ${JSON.stringify(level.slice(0, 32))}, and counts as info: use one of ${logLevels.join(', ')}${hint}`,
  ];
}
